"""Search the files of the work tree; what finds nothing is widened, and never reads like proof."""

import fnmatch
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path

from react_agent.parsers.named_search import field_search, object_search
from react_agent.parsers.search_command import IsPath, readings
from react_agent.parsers.search_request import SearchRequest
from react_agent.parsers.several_searches import searches
from react_agent.parsers.timed_pattern import PatternError
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools.clip import clip, clip_line, counted
from react_agent.tools.clock import monotonic
from react_agent.tools.context import Context
from react_agent.tools.errors import ReactAgentError, told
from react_agent.tools.files.combined import joined, refused, room_for
from react_agent.tools.files.file_list import EVERYTHING, Listing, listing
from react_agent.tools.files.git_grep import Flavour, Found, Hits, Search, search, widened
from react_agent.tools.files.match_groups import Grouped, grouped, surroundings
from react_agent.tools.files.paths import Cause, Place, Refused, can_be_passed, inside
from react_agent.tools.files.search_scope import Scope, listed, scope_of
from react_agent.tools.files.suggestions import near_names
from react_agent.tools.git.door import GitError
from react_agent.tools.observation import Observation, Status, failed
from react_agent.tools.registry import Kind, Tool

_SECONDS = 1.6  # for all of a call; what takes longer in a small repository is the pattern
_FILES_A_SECOND = 5_000
_WIDENED_LINES = 10  # of one widened search
_MOST_PATTERNS = 8  # at once
_FEWEST_LINES = 4  # for one of several
_CONTEXT_ROOM = 2  # so many times the lines, where those around a match are shown
_SHOWN_PATTERN = 120  # characters
_FILE_LIKE = re.compile(r"[\w.*?/-]*[./*][\w.*?/-]*")
_NARROWER = "narrow it with a second line such as path: src/, or with a longer pattern"
_READ_AS = {
    Flavour.PERL: "a Perl regular expression",
    Flavour.EXTENDED: "an extended regular expression",
    Flavour.PLAIN: "plain text",
}


@dataclass(frozen=True, slots=True)
class _Call:
    context: Context
    every: Listing  # the files of the work tree
    ends: float


@dataclass(frozen=True, slots=True)
class _Meant:
    readings: tuple[SearchRequest, ...]
    likeliest: SearchRequest  # told of if none finds anything


@dataclass(frozen=True, slots=True)
class _Tried:
    request: SearchRequest
    scope: Scope
    hits: Hits


def _grep(text: str, context: Context) -> Observation:
    asked, began = searches(text), monotonic()
    if len(asked) > _MOST_PATTERNS:
        too_many = f"{len(asked)} patterns, one a line, are too many at once"
        return failed(f"{too_many}: write {_MOST_PATTERNS} or fewer; a pattern is one line")
    try:
        every = listing(context)
    except ReactAgentError as error:
        return failed(told(error))
    ends = began + _SECONDS + len(every.files) / _FILES_A_SECOND
    call = _Call(context, every, ends)
    return _one(asked[0], call) if len(asked) == 1 else _several(asked, call)


def _several(asked: Sequence[str], call: _Call) -> Observation:
    """Each below its heading, in its share of the room and of the time."""
    count, limits = len(asked), call.context.limits
    heads = [f"[pattern {at} of {count}: {_head(one)}]\n" for at, one in enumerate(asked, 1)]
    room = room_for(count, limits.output_chars - sum(map(len, heads)))
    lines = max(_FEWEST_LINES, limits.result_lines // count)
    share = replace(limits, output_chars=room // count, result_lines=lines)
    context, shown = replace(call.context, limits=share), list[Observation]()
    for at, one in enumerate(asked):
        seconds = (call.ends - monotonic()) / (count - at)
        shown.append(_one(one, _Call(context, call.every, monotonic() + seconds)))
    titled = [replace(one, text=head + one.text) for head, one in zip(heads, shown, strict=True)]
    said = "; ".join(one.scope for one in shown if one.scope)
    return replace(joined(titled), scope=said)


def _head(asked: str) -> str:
    return clip_line(asked.partition("\n")[0].strip(), _SHOWN_PATTERN)


def _one(text: str, call: _Call) -> Observation:
    meant = _meant(text, partial(_is_path, call.context.root))
    if isinstance(meant, Unreadable):
        return failed(meant.reason)
    if not all(can_be_passed(request.pattern) for request in meant.readings):
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


def _meant(text: str, is_path: IsPath) -> _Meant | Unreadable:
    """`query: str` can be looked for as it is written; if it is not found, a query was meant."""
    asked = object_search(text)
    if asked:
        return asked if isinstance(asked, Unreadable) else _Meant((asked,), asked)
    written, named = readings(text, is_path), field_search(text)
    if isinstance(written, Unreadable):
        return _Meant((named,), named) if named else written
    return _Meant((*written, named), named) if named else _Meant(written, written[0])


def _answered(meant: _Meant, call: _Call) -> Observation:
    """What the first reading that finds something finds; else what the likeliest does not."""
    results = dict[SearchRequest, _Tried | Refused]()
    for request in meant.readings:
        tried = _tried(request, call)
        if isinstance(tried, _Tried) and tried.hits.matches:
            return _found(tried, call.context)
        results[request] = tried
    asked, likeliest = meant.likeliest, results[meant.likeliest]
    if isinstance(likeliest, _Tried):
        return _not_found(likeliest, call)
    is_missing = likeliest.cause is Cause.MISSING and call.context.limits.widen
    everywhere = _everywhere(asked, call) if is_missing else ""
    return refused(likeliest, "\n".join((everywhere, *_read_as(asked))))


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


def _everywhere(request: SearchRequest, call: _Call) -> str:
    matches = _hits(request, EVERYTHING, call).matches
    found = counted(len(matches), "matching line") if matches else "nothing"
    return f"; a search everywhere finds {found}"


def _read_as(request: SearchRequest) -> list[str]:
    """What a pattern that was written like a command was taken for."""
    if not request.mended:
        return []
    parts = (
        (True, f"the pattern {clip_line(request.pattern, _SHOWN_PATTERN)}"),
        (bool(request.globs), f"path: {', '.join(request.globs)}"),
        (request.ignore_case, "ignoring case"),
        (request.whole_words, "whole words"),
        (request.plain, "plain text"),
        (
            any(request.around),
            "with {} and {} lines around it".format(*request.around),
        ),
    )
    left_out = f"; left out: {' '.join(request.left_out)}" if request.left_out else ""
    return [f"[read as {', '.join(part for holds, part in parts if holds)}{left_out}]"]


def _found(tried: _Tried, context: Context) -> Observation:
    limits, hits, scope = context.limits, tried.hits, tried.scope
    paths = tuple(dict.fromkeys(match.path for match in hits.matches))
    shown = _shown(tried, context)
    count = f"{counted(len(hits.matches), 'matching line')} in {len(paths):,}"
    left = f"; {shown.left_out:,} of them are not shown: {_NARROWER}" if shown.left_out else ""
    header = f"{count} of {scope.said}{left}"
    text = "\n".join(
        (header, *_read_as(tried.request), *shown.lines, *_notes(tried, scope.passed_by))
    )
    said = _said(tried.request.pattern, scope)
    return Observation(clip(text, limits), paths=paths, scope=said)


def _shown(tried: _Tried, context: Context) -> Grouped:
    limits, around = context.limits, tried.request.around
    if not any(around):
        return grouped(tried.hits.matches, limits.result_lines, limits.line_chars)
    most = max(_FEWEST_LINES, limits.result_lines * _CONTEXT_ROOM // (1 + sum(around)))
    show = partial(surroundings, context.root, around, limits.line_chars)
    return grouped(tried.hits.matches, most, limits.line_chars, show)


def _not_found(tried: _Tried, call: _Call) -> Observation:
    pattern, scope = tried.request.pattern, tried.scope
    status = Status.OK if _named_like(pattern, scope.files) else Status.EMPTY
    header = (
        f"no line of {scope.said} matches {clip_line(pattern, _SHOWN_PATTERN)} as it is written "
        "(ignored and binary files are not searched)"
    )
    context = call.context
    is_to_widen = status is Status.EMPTY and context.limits.widen
    widened = _widened(tried, call) if is_to_widen else []
    text = "\n".join(
        (header, *_read_as(tried.request), *_notes(tried, scope.repositories), *widened)
    )
    return Observation(clip(text, context.limits), status, scope=_said(pattern, scope))


def _said(pattern: str, scope: Scope) -> str:
    return f"{clip_line(pattern, _SHOWN_PATTERN)} in {scope.said}"


def _notes(tried: _Tried, unsearched: Sequence[str]) -> list[str]:
    hits, scope = tried.hits, tried.scope
    read_as = f"read as {_READ_AS[hits.flavour]}: {hits.complaint}"
    like = _named_like(tried.request.pattern, scope.files)
    notes = (
        (bool(hits.complaint), read_as),
        (bool(like), f"files with such a name: {listed(like)}"),
        (bool(hits.binary), f"binary files that match: {listed(hits.binary)}"),
        (bool(unsearched), f"not searched, submodules: {listed(unsearched)}"),
    )
    return [f"[{note}]" for holds, note in notes if holds]


def _named_like(pattern: str, files: Sequence[str]) -> list[str]:
    """The files that a pattern means which is a path or a glob itself."""
    bare = pattern.strip().removeprefix("./")
    if not _FILE_LIKE.fullmatch(bare) or not bare.strip("./*?"):
        return []
    ends = (bare, f"*/{bare}", f"{bare.rstrip('/')}/*")
    return [name for name in files if any(fnmatch.fnmatchcase(name, end) for end in ends)]


def _widened(tried: _Tried, call: _Call) -> list[str]:
    """What less strict searches find, the nearest first; what they were if they find nothing."""
    pattern, scope = tried.request.pattern, tried.scope
    near = near_names(pattern, scope.files)
    names = [f"files with a name like it: {listed(near)}"] if near else []
    is_plain = tried.hits.flavour is Flavour.PLAIN
    try:
        ways, found = widened(call.context.root, pattern, scope, call.ends, plain=is_plain)
    except (ReactAgentError, PatternError) as error:
        return [f"[no less strict search: {error}]", *names]
    if not found:
        return [f"nor is there one {', '.join(ways)}; it may be spelled differently", *names]
    return [*chain.from_iterable(_part(one, call.context) for one in found), *names]


def _part(found: Found, context: Context) -> list[str]:
    shown = grouped(found.matches, _WIDENED_LINES, context.limits.line_chars)
    left = f", {shown.left_out:,} not shown" if shown.left_out else ""
    return [f"{found.how}: {counted(len(found.matches), 'matching line')}{left}", *shown.lines]


GREP = Tool(
    "grep",
    "search file contents; input: extended regular expressions, one a line; on further lines, to "
    "search only a part, path: FOLDER or GLOB, and context: N for lines around",
    Kind.SEARCH,
    _grep,
)
