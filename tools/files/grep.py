"""Search the files of the work tree; what finds nothing is widened, and never reads like proof.

Matches are grouped by file, and every file has its share of the room.
"""

import fnmatch
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from typing import NamedTuple, TypeAlias

from react_agent.parsers.text.timed_pattern import PatternError
from react_agent.parsers.values.searches import Readings, SearchRequest, searches
from react_agent.parsers.values.unreadable import Unreadable
from react_agent.tools.clip import clip, clip_line, counted
from react_agent.tools.clock import monotonic
from react_agent.tools.context import Context
from react_agent.tools.errors import ReactAgentError, told
from react_agent.tools.files.file_list import EVERYTHING, Listing, listing, one_line
from react_agent.tools.files.git_grep import (
    Flavour,
    Hits,
    Match,
    Scope,
    Search,
    scope_of,
    search,
    widened,
)
from react_agent.tools.files.paths import (
    Cause,
    Place,
    Refused,
    can_be_passed,
    inside,
    open_inside,
    refused,
)
from react_agent.tools.files.read_file import is_clipped, lines_from, number
from react_agent.tools.files.suggestions import listed, near_names
from react_agent.tools.git.door import GitError
from react_agent.tools.observation import Observation, Status, failed, joined, room_for
from react_agent.tools.registry import Kind, Tool

_SECONDS = 1.6  # for all of a call; what takes longer in a small repository is the pattern
_FILES_A_SECOND = 5_000
_WIDENED_LINES = 10  # of one widened search
_MOST_PATTERNS = 8  # at once
_FEWEST_LINES = 4  # for one of several
_CONTEXT_ROOM = 2  # so many times the lines, where those around a match are shown
_SHOWN_PATTERN = 120  # characters
_MOST_NAMED = 8  # files that have no room
_BETWEEN = "   ..."
_FILE_LIKE = re.compile(r"[\w.*?/-]*[./*][\w.*?/-]*")
_NARROWER = "narrow it with a second line such as path: src/, or with a longer pattern"
_READ_AS = {
    Flavour.PERL: "a Perl regular expression",
    Flavour.EXTENDED: "an extended regular expression",
    Flavour.PLAIN: "plain text",
}

_Show: TypeAlias = Callable[[str, Sequence[Match]], list[str]]


@dataclass(frozen=True, slots=True)
class _Call:
    context: Context
    every: Listing  # the files of the work tree
    ends: float


@dataclass(frozen=True, slots=True)
class _Tried:
    request: SearchRequest
    scope: Scope
    hits: Hits

    @property
    def said(self) -> str:
        return f"{_short(self.request.pattern)} in {self.scope.said}"


def _grep(text: str, context: Context) -> Observation:
    began, asked = monotonic(), searches(text, partial(_is_path, context.root))
    if isinstance(asked, Unreadable):
        return failed(asked.reason)
    if len(asked) > _MOST_PATTERNS:
        too_many = f"{len(asked)} patterns, one a line, are too many at once"
        return failed(f"{too_many}: write {_MOST_PATTERNS} or fewer; a pattern is one line")
    every = listing(context)
    ends = began + _SECONDS + len(every.files) / _FILES_A_SECOND
    call = _Call(context, every, ends)
    return _one(asked[0], call) if len(asked) == 1 else _several(asked, call)


def _several(asked: Sequence[Readings], call: _Call) -> Observation:
    """Each below its heading, in its share of the room and of the time."""
    count, limits = len(asked), call.context.limits
    heads = [
        f"[pattern {at} of {count}: {_short(one[-1].pattern.strip())}]\n"
        for at, one in enumerate(asked, 1)
    ]
    room = room_for(count, limits.output_chars - sum(map(len, heads)))
    lines = max(_FEWEST_LINES, limits.result_lines // count)
    share = replace(limits, output_chars=room // count, result_lines=lines)
    context, shown = replace(call.context, limits=share), list[Observation]()
    for at, (one, head) in enumerate(zip(asked, heads, strict=True)):
        seconds = (call.ends - monotonic()) / (count - at)
        seen = _one(one, _Call(context, call.every, monotonic() + seconds))
        shown.append(replace(seen, text=head + seen.text))
    return replace(joined(shown), scope="; ".join(one.scope for one in shown if one.scope))


def _one(meant: Readings, call: _Call) -> Observation:
    if not all(can_be_passed(request.pattern) for request in meant):
        return failed("the pattern holds a character that no text can hold: write it anew")
    try:
        return _answered(meant, call)
    except ReactAgentError as error:
        is_late = isinstance(error, GitError) and error.is_late
        simpler = "; write a simpler pattern, or" if is_late else ";"
        return failed(f"{told(error)}{simpler} {_NARROWER}")


def _is_path(root: Path, word: str) -> bool:
    place = inside(root, word)
    return isinstance(place, Place) and os.path.lexists(place.full)


def _answered(meant: Readings, call: _Call) -> Observation:
    """What the first reading that finds something finds; else what the likeliest does not."""
    results = dict[SearchRequest, _Tried | Refused]()
    for request in meant:
        results[request] = tried = _tried(request, call)
        if isinstance(tried, _Tried) and tried.hits.matches:
            return _found(tried, call.context)
    request = next((one for one in meant if one.repaired), meant[0])
    likeliest = results[request]
    if isinstance(likeliest, _Tried):
        return _not_found(likeliest, call)
    everywhere = ""
    if likeliest.cause is Cause.MISSING and call.context.limits.widen:
        matches = _hits(request, EVERYTHING, call).matches
        lines = counted(len(matches), "matching line") if matches else "nothing"
        everywhere = f"; a search everywhere finds {lines}"
    return refused(likeliest, "\n".join((everywhere, *_read_as(request))))


def _tried(request: SearchRequest, call: _Call) -> _Tried | Refused:
    context = call.context
    scope = scope_of(context.root, request.globs, call.every, widen=context.limits.widen)
    if isinstance(scope, Refused):
        return scope
    return _Tried(request, scope, _hits(request, scope.pathspecs, call))


def _hits(request: SearchRequest, pathspecs: tuple[str, ...], call: _Call) -> Hits:
    flavours = (Flavour.PLAIN,) if request.plain else ()
    wanted = Search(
        (request.pattern,), pathspecs, request.ignore_case, flavours, request.whole_words
    )
    return search(call.context.root, wanted, call.ends - monotonic())


def _read_as(request: SearchRequest) -> list[str]:
    """What a pattern that was written like a command was taken for."""
    if not request.repaired:
        return []
    around = "with {} and {} lines around it".format(*request.around)
    parts = (
        (True, f"the pattern {_short(request.pattern)}"),
        (bool(request.globs), f"path: {', '.join(request.globs)}"),
        (request.ignore_case, "ignoring case"),
        (request.whole_words, "whole words"),
        (request.plain, "plain text"),
        (any(request.around), around),
    )
    left_out = f"; left out: {' '.join(request.left_out)}" if request.left_out else ""
    return [f"[read as {', '.join(part for holds, part in parts if holds)}{left_out}]"]


def _short(pattern: str) -> str:
    return clip_line(pattern, _SHOWN_PATTERN)


def _found(tried: _Tried, context: Context) -> Observation:
    matches, limits, around = tried.hits.matches, context.limits, tried.request.around
    most, show = limits.result_lines, partial(_numbered, limits.line_chars)
    if any(around):
        most = max(_FEWEST_LINES, most * _CONTEXT_ROOM // (1 + sum(around)))
        show = partial(_surroundings, context.root, around, limits.line_chars)
    shown = _grouped(matches, most, limits.line_chars, show)
    paths = tuple(dict.fromkeys(match.path for match in matches))
    count = f"{counted(len(matches), 'matching line')} in {len(paths):,}"
    left = f"; {shown.left_out:,} of them are not shown: {_NARROWER}" if shown.left_out else ""
    header = f"{count} of {tried.scope.said}{left}"
    notes = _notes(tried, tried.scope.passed_by)
    text = "\n".join((header, *_read_as(tried.request), *shown.lines, *notes))
    return Observation(clip(text, limits), paths=paths, scope=tried.said)


def _not_found(tried: _Tried, call: _Call) -> Observation:
    scope, limits = tried.scope, call.context.limits
    status = Status.OK if _named_like(tried) else Status.EMPTY
    header = (
        f"no line of {scope.said} matches {_short(tried.request.pattern)} as it is written "
        "(ignored and binary files are not searched)"
    )
    wider = _widened(tried, call) if status is Status.EMPTY and limits.widen else []
    notes = _notes(tried, scope.repositories)
    text = "\n".join((header, *_read_as(tried.request), *notes, *wider))
    return Observation(clip(text, limits), status, scope=tried.said)


def _notes(tried: _Tried, unsearched: Sequence[str]) -> list[str]:
    hits, like = tried.hits, _named_like(tried)
    notes = (
        (bool(hits.complaint), f"read as {_READ_AS[hits.flavour]}: {hits.complaint}"),
        (bool(like), f"files with such a name: {listed(like)}"),
        (bool(hits.binary), f"binary files that match: {listed(hits.binary)}"),
        (bool(unsearched), f"not searched, submodules: {listed(unsearched)}"),
    )
    return [f"[{note}]" for holds, note in notes if holds]


def _named_like(tried: _Tried) -> list[str]:
    """The files that a pattern means which is a path or a glob itself."""
    bare = tried.request.pattern.strip().removeprefix("./")
    if not _FILE_LIKE.fullmatch(bare) or not bare.strip("./*?"):
        return []
    ends = (bare, f"*/{bare}", f"{bare.rstrip('/')}/*")
    one = re.compile("|".join(map(fnmatch.translate, ends)))
    return list(filter(one.match, tried.scope.files))


def _widened(tried: _Tried, call: _Call) -> list[str]:
    """What less strict searches find, the nearest first; what they were if they find nothing."""
    pattern, scope, chars = tried.request.pattern, tried.scope, call.context.limits.line_chars
    near = near_names(pattern, scope.files)
    names = [f"files with a name like it: {listed(near)}"] if near else []
    is_plain = tried.hits.flavour is Flavour.PLAIN
    try:
        ways, found = widened(call.context.root, pattern, scope, call.ends, plain=is_plain)
    except (ReactAgentError, PatternError) as error:
        return [f"[no less strict search: {error}]", *names]
    if not found:
        return [f"nor is there one {', '.join(ways)}; it may be spelled differently", *names]
    lines = list[str]()
    for one in found:
        shown = _grouped(one.matches, _WIDENED_LINES, chars, partial(_numbered, chars))
        left = f", {shown.left_out:,} not shown" if shown.left_out else ""
        lines.append(f"{one.how}: {counted(len(one.matches), 'matching line')}{left}")
        lines += shown.lines
    return [*lines, *names]


class _Grouped(NamedTuple):
    lines: list[str]
    left_out: int  # matches


def _grouped(matches: Sequence[Match], most: int, chars: int, show: _Show) -> _Grouped:
    """Every file with its share of so many lines; `show` makes those of one file."""
    files = {path: list(group) for path, group in groupby(matches, key=lambda one: one.path)}
    share, shown = _share([len(group) for group in files.values()], most)
    lines, parts = list[str](), list[Match]()
    for path, group in islice(files.items(), shown):
        left = len(group) - share
        lines.append(one_line(path) + (f" [{left:,} more here]" if left > 0 else ""))
        lines += show(path, group[:share])
        parts += group[:share]
    if others := [one_line(path) for path in files][shown:]:
        more = " ..." if len(others) > _MOST_NAMED else ""
        named = ", ".join(others[:_MOST_NAMED])
        lines.append(f"[{counted(len(others), 'more file')} with matches: {named}{more}]")
    if clipped := sum(is_clipped(one.line, one.text, chars) for one in parts):
        said = f"{counted(clipped, 'line')} over {chars} characters clipped around the match"
        lines.append(f"[{said}]")
    return _Grouped(lines, len(matches) - len(parts))


def _share(sizes: Sequence[int], most: int) -> tuple[int, int]:
    """How many matches of each file are shown, and of how many files."""

    def lines(share: int) -> int:
        return sum(1 + min(size, share) for size in sizes)

    fair = 1
    while fair < max(sizes, default=0) and lines(fair + 1) <= most:
        fair += 1
    return fair, len(sizes) if lines(fair) <= most else max(1, most // 2)


def _numbered(chars: int, path: str, part: Sequence[Match]) -> list[str]:
    return [number(one.line, one.text, chars, one.at) for one in part]


def _surroundings(
    root: Path, around: tuple[int, int], chars: int, path: str, part: Sequence[Match]
) -> list[str]:
    """Of one file, which git named; what can't be opened any more is shown by its matches."""
    opened = open_inside(Place(root, path))
    if isinstance(opened, Refused):
        return _numbered(chars, path, part)
    before, after = around
    matches = {one.line: one for one in part}
    wanted = {at for line in matches for at in range(line - before, line + after + 1) if at > 0}
    first, last = min(wanted), max(wanted)
    shown, previous = list[str](), first - 1
    with opened as file:
        for at, line in enumerate(islice(lines_from(file, first), last - first + 1), first):
            if at in wanted:
                shown += [_BETWEEN] if at > previous + 1 else []
                shown += (
                    _numbered(chars, path, [matches[at]])
                    if at in matches
                    else [f"{at:>4}- {clip_line(line.text, chars - 6)}".rstrip()]
                )
                previous = at
    return shown


GREP = Tool(
    "grep",
    "search file contents; input: extended regular expressions, one a line; on further lines, to "
    "search only a part, path: FOLDER or GLOB, and context: N for lines around",
    Kind.SEARCH,
    _grep,
)
