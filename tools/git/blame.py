"""Who last changed the lines of a file, and in which commit."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from react_agent.parsers.file_request import FileRequest, readings
from react_agent.parsers.history_request import HistoryRequest, parse_history_request
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools.clip import counted
from react_agent.tools.context import Context
from react_agent.tools.errors import ReactAgentError, told
from react_agent.tools.files.argument import can_be_passed
from react_agent.tools.files.file_list import file_list
from react_agent.tools.files.near import near_paths
from react_agent.tools.files.numbered import number
from react_agent.tools.files.paths import Cause, Place, Refused, inside, open_inside
from react_agent.tools.files.several import said
from react_agent.tools.git.history import (
    DEADLINE_S,
    ONLY,
    History,
    can_be_revision,
    commit_of,
    entries,
    history_of,
    is_elsewhere,
    said_shallow,
)
from react_agent.tools.observation import Observation, Status, failed
from react_agent.tools.registry import Kind, Tool

_HEADER = re.compile(rb"(?P<commit>[0-9a-f]{40,64}) \d+ (?P<line>\d+)(?: \d+)?")
_SPAN = re.compile(r"(?P<start>\d{1,9})[,-](?P<plus>\+)?(?P<end>\d{1,9})")
_UNCOMMITTED = "changed in the work tree, not committed"
_ROOM_FOR_NOTES = 300
_TOO_MANY = 10**9


@dataclass(frozen=True, slots=True)
class _Wanted:
    place: Place
    start: int
    end: int | None
    commit: str = ""  # empty: the file as it is now


@dataclass(frozen=True, slots=True)
class _Line:
    commit: str  # empty where it is committed nowhere
    at: int
    text: str


def _blame(text: str, context: Context) -> Observation:
    request = parse_history_request(text, ("L",))
    if isinstance(request, Unreadable):
        return failed(request.reason)
    if request.beyond:
        return failed(f"{' '.join(request.beyond)} is not possible: {ONLY}")
    given = (*request.words, *request.paths, *request.values("L"))
    if not all(map(can_be_passed, given)):
        return failed("there is a character in it that no text can hold: write it anew")
    history = history_of(context)
    if isinstance(history, Unreadable):
        return failed(history.reason)
    wanted = _wanted(history, request, context)
    if isinstance(wanted, Unreadable):
        return failed(wanted.reason)
    try:
        seen = _shown(history, wanted, context, context.limits.output_chars)
    except ReactAgentError as error:
        return failed(f"{told(error)}; ask for fewer lines: {wanted.place.name}:1-20")
    head = said(request.left_out)
    return Observation(head + seen.text, seen.status, seen.paths)


def _wanted(history: History, request: HistoryRequest, context: Context) -> _Wanted | Unreadable:
    words, commit = list(request.words), ""
    if len((*words, *request.paths)) > 1 and _is_revision(words, context):
        found = commit_of(history, words.pop(0))
        if isinstance(found, Unreadable):
            return found
        commit = found
    asked = " ".join((*words, *request.paths)).strip()
    if not asked:
        return Unreadable("there is no path: write PATH:START-END")
    spans = [_SPAN.fullmatch(one) for one in request.values("L")]
    if spans and not spans[-1]:
        return Unreadable("-L needs the numbers of lines: write PATH:START-END")
    if spans and (span := spans[-1]):
        start = int(span["start"])
        end = int(span["end"]) + (start - 1 if span["plus"] else 0)
        return _placed([FileRequest(asked, start, max(end, start))], commit, context)
    return _placed(list(readings(asked)), commit, context)


def _is_revision(words: list[str], context: Context) -> bool:
    if not words or isinstance(_existing(words[0], context), Place):
        return False
    return can_be_revision(words[0]) or is_elsewhere(words[0])


def _existing(path: str, context: Context) -> Place | Refused:
    place = inside(context.root, path)
    if isinstance(place, Refused) or os.path.lexists(place.full):
        return place
    return Refused(Cause.MISSING, f"{place.name} does not exist")


def _placed(requests: list[FileRequest], commit: str, context: Context) -> _Wanted | Unreadable:
    """The strictest reading that is a file; of an older commit, any can be."""
    reason = ""
    for request in requests:
        place = _existing(request.path, context)
        if isinstance(place, Place):
            return _Wanted(place, max(request.start, 1), request.end, commit)
        reason = place.reason
        if place.cause is not Cause.MISSING:
            return Unreadable(reason)
    place = inside(context.root, requests[-1].path)
    if commit and isinstance(place, Place):
        return _Wanted(place, max(requests[-1].start, 1), requests[-1].end, commit)
    near = near_paths(requests[-1].path, file_list(context.root))
    return Unreadable(f"{reason}{'; near it: ' if near else ''}{', '.join(near)}")


def _shown(history: History, wanted: _Wanted, context: Context, room: int) -> Observation:
    name, limits = wanted.place.name, context.limits
    revision = f"{wanted.commit[:12]} " if wanted.commit else ""
    if history.git.ask("cat-file", "-e", f"{wanted.commit or history.head}:{name}").code:
        return failed(
            f"{name} is not in {wanted.commit[:10] or 'HEAD'}: it is new, or had another name there"
        )
    total = _total(history, wanted)
    if isinstance(total, Refused):
        return failed(f"{total.reason}; write PATH:START-END")
    if not total:
        return Observation(f"{name} is empty", Status.EMPTY, (name,))
    first = min(wanted.start, total)
    asked = min(wanted.end or _TOO_MANY, total)
    last = max(first, min(asked, first + limits.window_lines - 1))
    lines = _lines(history, wanted, first, last)
    if any("\0" in line.text for line in lines):
        return failed(f"{name} is binary: its lines say nothing")
    rows, last = _rows(history, lines, room - _ROOM_FOR_NOTES - 2 * len(name), limits.line_chars)
    below = f"[{counted(total - last, 'line')} below; next: {revision}{name}:{last + 1}-"
    text = "\n".join(
        (
            f"{name} lines {first}-{last} of {total}",
            *([f"[there is no line {wanted.start}]"] if wanted.start > total else []),
            *rows,
            *([f"{below}{min(total, last + limits.window_lines)}]"] if last < total else []),
            *said_shallow(history),
        )
    )
    return Observation(text, paths=(name,))


def _total(history: History, wanted: _Wanted) -> int | Refused:
    """How many lines the file has."""
    if wanted.commit:
        content = history.git.run("cat-file", "blob", f"{wanted.commit}:{wanted.place.name}")
        return content.count(b"\n") + (not content.endswith(b"\n") and bool(content))
    opened = open_inside(wanted.place)
    if isinstance(opened, Refused):
        return opened
    with opened as file:
        return sum(1 for _ in file)


def _lines(history: History, wanted: _Wanted, first: int, last: int) -> list[_Line]:
    revision = [wanted.commit] if wanted.commit else []
    args = ("--porcelain", "--no-textconv", f"-L{first},{last}", *revision, "--", wanted.place.name)
    return list(_read(history.git.run("blame", *args, deadline_s=DEADLINE_S)))


def _read(out: bytes) -> Iterator[_Line]:
    commit, at = "", 0
    for row in out.split(b"\n"):
        if row.startswith(b"\t"):
            text = row[1:].removesuffix(b"\r").decode(errors="replace")
            yield _Line(commit if commit.strip("0") else "", at, text)
        elif found := _HEADER.fullmatch(row):
            commit, at = found["commit"].decode(), int(found["line"])


def _rows(history: History, lines: list[_Line], room: int, most: int) -> tuple[list[str], int]:
    """A row for each commit above the lines that it left, and the last line there is room for."""
    commits = sorted({line.commit for line in lines if line.commit})
    known = entries(history.git, "log", "--no-walk", *commits) if commits else []
    said_of = {entry.id: entry.line() for entry in known}
    rows, last = list[str](), lines[0].at
    for commit, group in groupby(lines, key=lambda line: line.commit):
        head = said_of.get(commit, commit) if commit else _UNCOMMITTED
        for line in group:
            new = [*([head] if head else []), number(line.at, line.text, most)]
            room -= sum(len(row) + 1 for row in new)
            if room < 0 and rows:
                return rows, last
            rows += new
            head, last = "", line.at
    return rows, last


BLAME = Tool(
    "blame",
    "say which commit last changed the lines of a file; input: PATH:START-END",
    Kind.READ,
    _blame,
)
