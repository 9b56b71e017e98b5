"""Show a commit, what it changed in a file, or a file as it was."""

import os
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from react_agent.parsers.file_request import FileRequest, readings
from react_agent.parsers.history_request import parse_history_request
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools.clip import clip_line, counted
from react_agent.tools.context import Context
from react_agent.tools.errors import ReactAgentError, told
from react_agent.tools.files.argument import can_be_passed
from react_agent.tools.files.near import near_names
from react_agent.tools.files.paths import Refused, inside
from react_agent.tools.files.refusal import refused
from react_agent.tools.files.search_scope import listed
from react_agent.tools.files.several import said
from react_agent.tools.git.commit_diff import Change, changes_of, diff_of
from react_agent.tools.git.door import GitError
from react_agent.tools.git.history import (
    ONLY,
    Asked,
    History,
    commit_of,
    entries,
    history_of,
    text_of,
)
from react_agent.tools.git.past_file import past_file
from react_agent.tools.naming import named
from react_agent.tools.observation import Observation, Status, failed
from react_agent.tools.registry import Kind, Tool

_OF_A_TREE = re.compile(r"(?P<revision>[^\s:/]+):(?P<path>.*)", re.DOTALL)
_MESSAGE_LINES = 30
_FEWEST_CHARACTERS = 200  # of room that is worth another diff
_MOST_DIFFS = 40


def _git_show(text: str, context: Context) -> Observation:
    request = parse_history_request(text, ())
    if isinstance(request, Unreadable):
        return failed(request.reason)
    if request.beyond:
        return failed(f"{' '.join(request.beyond)} is not possible: {ONLY}")
    if not all(map(can_be_passed, (*request.words, *request.paths))):
        return failed("there is a character in it that no text can hold: write it anew")
    revision, of_a_tree, path = _parted(request.words, request.paths)
    history = history_of(context)
    if isinstance(history, Unreadable):
        return failed(history.reason)
    commit = commit_of(history, revision or "HEAD", " ".join(request.words))
    if isinstance(commit, Unreadable):
        return _no_commit(revision, commit, history, context)
    head = said(request.left_out)
    [entry] = entries(history.git, "log", "--no-walk", commit)
    asked = Asked(history, context, entry, context.limits.output_chars - len(head))
    try:
        seen = past_file(asked, path) if of_a_tree else _changed(asked, path)
    except ReactAgentError as error:
        return failed(told(error))
    return Observation(head + seen.text, seen.status, seen.paths)


def _parted(words: Sequence[str], paths: Sequence[str]) -> tuple[str, bool, str]:
    """The revision, whether a file of it as it was is meant, and the path."""
    bare = words[1:] if len(words) > 1 and words[0] in ("commit", "revision") else words
    joined, path = " ".join(bare), " ".join(paths)
    if found := _OF_A_TREE.fullmatch(joined):
        return found["revision"], True, found["path"].lstrip("/") or path
    revision, *rest = bare or [""]
    return revision, False, " ".join(rest) or path


def _no_commit(word: str, reason: Unreadable, history: History, context: Context) -> Observation:
    """A path alone can mean the file as it was, or what was done to it."""
    if ".." in word.strip("./"):
        lists = f": {named('git_log')} {word} lists them" if "git_log" in context.offered else ""
        return failed(f"one commit is shown at a time{lists}")
    place = inside(context.root, word)
    if isinstance(place, Refused) or not os.path.lexists(place.full):
        return failed(reason.reason)
    last = entries(history.git, "log", "-n3", history.head, "--", place.name)
    name = place.name
    lines = (
        f"{name} is a path, and a revision comes first: HEAD:{name} is the file as committed, and "
        f"REV {name} what a commit changed in it",
        *(["the last commits that changed it:"] if last else []),
        *(f"  {entry.line()}" for entry in last),
    )
    return failed("\n".join(lines))


def _changed(asked: Asked, path: str) -> Observation:
    changes = changes_of(asked.history.git, asked.entry.id)
    if not path:
        return _commit(asked, changes)
    for request in readings(path):
        place = inside(asked.context.root, request.path)
        if isinstance(place, Refused):
            return refused(place)
        found = [change for change in changes if _is_in(change, place.name)]
        if found:
            return _part(asked, found, place.name, request)
    if len(readings(path)) > 1:
        was = past_file(asked, path)
        return replace(was, text=f"[{asked.entry.short} did not change it; as it was:]\n{was.text}")
    names = [text_of(change.names[-1]) for change in changes]
    near = near_names(path, names) or tuple(names[:5])
    return Observation(
        f"{asked.entry.short} did not change {path}; of the {counted(len(names), 'file')} it "
        f"changed: {listed(near)}; as it was then: {asked.entry.short}:{path}",
        Status.EMPTY,
        scope=f"{asked.entry.short}: {counted(len(names), 'file')}",
    )


def _is_in(change: Change, name: str) -> bool:
    return any(name in (".", one) or one.startswith(f"{name}/") for one in change.names)


def _part(asked: Asked, changes: list[Change], name: str, request: FileRequest) -> Observation:
    """Some lines of what was changed below a path."""
    names = tuple(dict.fromkeys(one for change in changes for one in change.names))
    lines = diff_of(asked.history.git, asked.entry.id, names).split("\n")
    most = asked.context.limits.line_chars
    first = min(request.start, len(lines))
    wanted = [clip_line(line, most) for line in lines[first - 1 : request.end]]
    header = f"{asked.entry.line()}\ndiff of {text_of(name)}"
    fitting = _fitting(wanted, asked.room - len(header) - 2 * len(name) - 120)
    last = first + fitting - 1
    shown = f"{header}, lines {first}-{last} of {len(lines)}"
    if fitting == len(lines):
        shown = header
    below = f"[{counted(len(lines) - last, 'line')} below; next: {asked.entry.short} {name} lines "
    end = [f"{below}{last + 1}-{len(lines)}]"] if last < len(lines) else []
    return Observation("\n".join((shown, *wanted[:fitting], *end)), paths=(name,))


def _fitting(lines: Sequence[str], room: int) -> int:
    """How many of them there is room for, one at least."""
    return max(bisect_right(list(accumulate(len(line) + 1 for line in lines)), room), 1)


def _commit(asked: Asked, changes: list[Change]) -> Observation:
    entry, limits = asked.entry, asked.context.limits
    message = asked.history.git.run("log", "--no-walk", "--format=%B", entry.id)
    merge = ["merge: what it brought to its first parent"] if entry.parents > 1 else []
    most = limits.result_lines // 2
    more = len(changes) - most
    top = (
        f"commit {entry.id}",
        f"{entry.author}, {entry.date}",
        *merge,
        "",
        *_capped(message.decode(errors="replace").strip().split("\n")),
        "",
        f"{counted(len(changes), 'file')} changed",
        *(f"  {change.line}" for change in changes[:most]),
        *([f"  and {more:,} more; below a folder: {entry.short} FOLDER"] if more > 0 else []),
    )
    lines = [clip_line(line, limits.line_chars) for line in top]
    text = "\n".join(lines)[: asked.room - 400]
    diffs = _diffs(asked, changes, asked.room - len(text) - 300)
    names = tuple(text_of(change.names[-1]) for change in changes[:most])
    return Observation("\n".join((text, *diffs)), paths=names)


def _capped(message: list[str]) -> list[str]:
    more = len(message) - _MESSAGE_LINES
    left = [f"[{counted(more, 'line')} more of the message]"] if more > 0 else []
    return [*message[:_MESSAGE_LINES], *left]


def _diffs(asked: Asked, changes: Sequence[Change], room: int) -> list[str]:
    """The diffs that there is room for, and how the others are got."""
    shown, left = list[str](), list[str]()
    for number, change in enumerate(changes):
        name = text_of(change.names[-1])
        if room < _FEWEST_CHARACTERS or number >= _MOST_DIFFS:
            left.append(name)
            continue
        diff = _diff(asked, change)
        if len(diff) + 2 > room:
            left.append(name)
            continue
        shown.append(f"\n{diff}")
        room -= len(diff) + 2
    if not left:
        return shown
    said_left = f"diffs left out: {listed(left)[:200]}"
    return [*shown, f"\n[{said_left}; next: {asked.entry.short} {left[0][:120]}]"]


def _diff(asked: Asked, change: Change) -> str:
    try:
        diff = diff_of(asked.history.git, asked.entry.id, change.names)
    except GitError:
        return " " * asked.room  # it has no room anywhere
    most = asked.context.limits.line_chars
    return "\n".join(clip_line(line, most) for line in diff.split("\n"))


GIT_SHOW = Tool(
    "git_show",
    "show a commit or an older file; input: REV, REV PATH (what it changed there), or "
    "REV:PATH:START-END (the file as it was)",
    Kind.READ,
    _git_show,
    needs_input=False,
)
