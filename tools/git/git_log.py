"""List the commits that led here, of everything or of a path."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from react_agent.parsers.file_request import readings
from react_agent.parsers.history_request import HistoryRequest, parse_history_request
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools.clip import clip, clip_line, counted
from react_agent.tools.context import Context, Limits
from react_agent.tools.errors import ReactAgentError, told
from react_agent.tools.files.argument import can_be_passed
from react_agent.tools.files.file_list import by_glob, file_list, is_glob
from react_agent.tools.files.near import near_paths
from react_agent.tools.files.paths import Place, Refused, inside
from react_agent.tools.files.several import said
from react_agent.tools.git.commit_diff import diff_of, files_changed
from react_agent.tools.git.history import (
    ONLY,
    Entry,
    History,
    can_be_revision,
    commit_of,
    count,
    entries,
    history_of,
    is_elsewhere,
    said_shallow,
    text_of,
)
from react_agent.tools.observation import Observation, Status, failed
from react_agent.tools.registry import Kind, Tool

_DEFAULT = 15
_VALUED = ("S", "G", "grep", "author", "since", "until")
_SWITCHES = {"i": "-i", "merges": "--merges", "no-merges": "--no-merges", "reverse": "--reverse"}
_KNOWN = frozenset({*_VALUED, *_SWITCHES, "n", "skip", "L", "p"})
_SPAN = re.compile(r"(?P<start>\d{1,9})[,-](?P<end>\+?\d{1,9})(?::(?P<path>.+))?")
_FUNCTION = re.compile(r":(?P<name>\w{1,80}):(?P<path>.+)")
_AS_TEXT = "-S TEXT looks for a text as it is written, without operators; else "
_NARROWER = "give a path, --since, or fewer commits with -n 5"


@dataclass(frozen=True, slots=True)
class _Wanted:
    history: History
    request: HistoryRequest
    revisions: tuple[str, ...]  # ids, `^` before those whose history is left out
    paths: tuple[str, ...]
    written: tuple[str, ...] = ()  # the revisions as they were asked for
    lines: str = ""  # the value of -L
    most: int = _DEFAULT
    skip: int = 0

    @property
    def filters(self) -> str:
        """As it is said what was looked through."""
        options = [one for one in self.request.options if one[0] not in ("n", "skip", "p", "L")]
        chosen = [f"{_dashed(name)} {value}".strip() for name, value in options]
        lines = [self.lines] if self.lines else []
        path = [f"path: {', '.join(text_of(path) for path in self.paths)}"] if self.paths else []
        parts = (*self.written, *path, *lines, *chosen)
        return f" ({', '.join(parts)})" if parts else ""


def _git_log(text: str, context: Context) -> Observation:
    request = parse_history_request(text, _KNOWN)
    if isinstance(request, Unreadable):
        return failed(request.reason)
    if request.beyond:
        return failed(f"{' '.join(request.beyond)} is not possible: {ONLY}")
    given = (*request.words, *request.paths, *(value for _, value in request.options))
    if not all(map(can_be_passed, given)):
        return failed("there is a character in it that no text can hold: write it anew")
    history = history_of(context)
    wanted = history if isinstance(history, Unreadable) else _wanted(history, request, context)
    if isinstance(wanted, Unreadable):
        return failed(wanted.reason)
    try:
        return _listed(wanted, context)
    except ReactAgentError as error:
        return failed(f"{told(error)}; {_AS_TEXT if request.has('G') else ''}{_NARROWER}")


def _wanted(history: History, request: HistoryRequest, context: Context) -> _Wanted | Unreadable:
    revisions, written, paths = list[str](), list[str](), list(request.paths)
    joined = " ".join(request.words)
    words = (joined,) if " " in joined and _exists(joined, context) else request.words
    known = any(_exists(word, context) for word in (*words, *paths))
    prose = tuple(word for word in words if known and _is_prose(word, context))
    request = replace(request, left_out=(*request.left_out, *prose))
    for word in words:
        if word in prose:
            continue
        if _exists(word, context) or not _is_revision(word):
            paths.append(word)
        else:
            found = _range(history, word)
            if isinstance(found, Unreadable):
                return found
            revisions += found
            written.append(word)
    wanted = _Wanted(history, request, tuple(revisions) or (history.head,), (), tuple(written))
    return _sized(_placed(wanted, paths, context), context.limits)


def _exists(word: str, context: Context) -> bool:
    place = inside(context.root, word)
    return isinstance(place, Place) and os.path.lexists(place.full)


def _is_prose(word: str, context: Context) -> bool:
    """Beside a path, a bare word that names nothing is meant for nobody."""
    return word.isalpha() and not _exists(word, context) and not _is_revision(word)


def _is_revision(word: str) -> bool:
    ends = re.split(r"\.{2,3}", word.removeprefix("^"))
    return any(end and (can_be_revision(end) or is_elsewhere(end)) for end in ends)


def _range(history: History, word: str) -> list[str] | Unreadable:
    """`A..B` is what led to B and not to A."""
    before, dots, after = word.partition("..")
    if not dots:
        found = commit_of(history, word)
        return found if isinstance(found, Unreadable) else [found]
    first = commit_of(history, before or "HEAD")
    last = commit_of(history, after.lstrip(".") or "HEAD")
    for end in (first, last):
        if isinstance(end, Unreadable):
            return end
    return [str(last), f"^{first}"]


def _placed(wanted: _Wanted, paths: Sequence[str], context: Context) -> _Wanted | Unreadable:
    spans = wanted.request.values("L")
    if spans:
        return _of_lines(wanted, spans[-1], paths, context)
    names = list[str]()
    for path in paths:
        ranged = readings(path)[-1]
        if not _exists(path, context) and ranged.end and _exists(ranged.path, context):
            span = f"{ranged.start},{ranged.end}"
            return _of_lines(wanted, span, (ranged.path,), context)
        place = inside(context.root, path.removeprefix("./"))
        if isinstance(place, Refused):
            return Unreadable(place.reason)
        names.append(place.name)
    return replace(wanted, paths=tuple(name for name in names if name != "."))


def _of_lines(
    wanted: _Wanted, span: str, paths: Sequence[str], context: Context
) -> _Wanted | Unreadable:
    function, found = _FUNCTION.fullmatch(span), _SPAN.fullmatch(span)
    shape = function or found
    path = (shape["path"] if shape else "") or (paths[0] if paths else "")
    if not shape or not path:
        return Unreadable("-L needs lines and a file: write -L 10,20:PATH")
    place = inside(context.root, path)
    if isinstance(place, Refused):
        return Unreadable(place.reason)
    lines = f":{function['name']}" if function else f"{shape['start']},{shape['end']}"
    return replace(wanted, lines=f"-L{lines}:{place.name}")


def _sized(wanted: _Wanted | Unreadable, limits: Limits) -> _Wanted | Unreadable:
    if isinstance(wanted, Unreadable):
        return wanted
    asked = [int(value) for value in wanted.request.values("n") if value.isdecimal()]
    skips = [int(value) for value in wanted.request.values("skip") if value.isdecimal()]
    most = min(max(asked[-1], 1) if asked else _DEFAULT, limits.result_lines)
    return replace(wanted, most=most, skip=min(skips[-1], 10**9) if skips else 0)


def _listed(wanted: _Wanted, context: Context) -> Observation:
    found = _entries(wanted)
    head = said(wanted.request.left_out)
    if not found:
        return _nothing(wanted, head, context)
    shown, is_more = found[: wanted.most], len(found) > wanted.most
    counts = files_changed(wanted.history.git, [entry.id for entry in shown])
    left = f"; there are more: -n {wanted.most * 2} or --skip {wanted.skip + wanted.most}"
    header = f"{head}{counted(len(shown), 'commit')}{wanted.filters}{left if is_more else ''}"
    lines = [clip_line(_line(one, counts[one.id]), context.limits.line_chars) for one in shown]
    if wanted.request.has("p"):
        lines = _with_diffs(wanted, shown, lines, context.limits.output_chars - len(header))
    end = [] if is_more else said_shallow(wanted.history)
    paths = tuple(path for path in wanted.paths if not is_glob(path))
    return Observation(clip("\n".join((header, *lines, *end)), context.limits), paths=paths)


def _entries(wanted: _Wanted) -> list[Entry]:
    """One more than are wanted, if there is one more."""
    git, request, paths = wanted.history.git, wanted.request, wanted.paths
    chosen = [_option(name, value) for name, value in request.options if name in _VALUED and value]
    chosen += [flag for name, flag in _SWITCHES.items() if request.has(name)]
    chosen += [f"-n{wanted.most + 1}", f"--skip={wanted.skip}", "--no-ext-diff", "--no-textconv"]
    if wanted.lines:
        return entries(git, "log", *chosen, "-s", wanted.lines, *wanted.revisions, "--")
    if any(map(is_glob, paths)) and not all(map(os.path.lexists, _full(wanted))):
        git = git.having(GIT_LITERAL_PATHSPECS="0")
        paths = tuple(map(by_glob, paths))
    elif len(paths) == 1 and not _is_folder(wanted):
        chosen += ["--follow", "-M", "--name-status"]
    return entries(git, "log", *chosen, *wanted.revisions, "--", *paths)


def _option(name: str, value: str) -> str:
    return f"-{name}{value}" if len(name) == 1 else f"--{name}={value}"


def _dashed(name: str) -> str:
    return f"-{name}" if len(name) == 1 else f"--{name}"


def _full(wanted: _Wanted) -> list[str]:
    return [f"{wanted.history.git.folder}/{path}" for path in wanted.paths]


def _is_folder(wanted: _Wanted) -> bool:
    answer = wanted.history.git.ask("cat-file", "-t", f"{wanted.revisions[0]}:{wanted.paths[0]}")
    return answer.out.strip() == b"tree"


def _line(entry: Entry, files: int) -> str:
    notes = ["merge"] if entry.parents > 1 else []
    notes.append(counted(files, "file"))
    if len(entry.names) > 1:
        notes.append(f"renamed from {text_of(entry.names[0])}")
    return entry.line(", ".join(notes))


def _with_diffs(
    wanted: _Wanted, shown: Sequence[Entry], lines: Sequence[str], room: int
) -> list[str]:
    """Diffs as long as there is room; behind it the lines stand alone."""
    room -= sum(len(line) + 1 for line in lines)
    whole = list[str]()
    for entry, line in zip(shown, lines, strict=True):
        whole.append(line)
        if room <= 0:
            continue
        diff = diff_of(wanted.history.git, entry.id, entry.names or wanted.paths)
        room -= len(diff) + 2
        whole.append(f"{diff}\n" if room > 0 else "[its diff is too long to be shown here]")
    return whole


def _nothing(wanted: _Wanted, head: str, context: Context) -> Observation:
    number = counted(count(wanted.history), "commit")
    missing = [path for path in wanted.paths if not _exists(path, context)]
    near = near_paths(missing[0], file_list(context.root)) if missing else ()
    lines = (
        f"{head}none of the {number} that can be read fits{wanted.filters}; {ONLY}",
        *([f"there is no {missing[0]}; near it: {', '.join(near)}"] if near else []),
        *said_shallow(wanted.history),
    )
    said_scope = f"{number}{wanted.filters}"
    return Observation(clip("\n".join(lines), context.limits), Status.EMPTY, scope=said_scope)


GIT_LOG = Tool(
    "git_log",
    "list the last commits; input: a PATH or nothing, and options such as -n 5, -S TEXT, "
    "--grep TEXT, -L 10,20:PATH",
    Kind.READ,
    _git_log,
    needs_input=False,
)
