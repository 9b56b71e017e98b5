"""Search the files of the work tree; what finds nothing is widened, and never reads like proof."""

import fnmatch
import re
from collections.abc import Iterator, Sequence
from itertools import chain

from react_agent.parsers.looser import looser
from react_agent.parsers.search_request import SearchRequest, parse_search_request
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools.argument import can_be_passed
from react_agent.tools.clip import clip, clip_line, counted
from react_agent.tools.context import Context
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.file_list import EVERYTHING
from react_agent.tools.git_grep import Flavour, Hits, Match, Search, search
from react_agent.tools.matches import grouped
from react_agent.tools.near import near_names
from react_agent.tools.observation import Observation, Status, failed
from react_agent.tools.paths import Refused
from react_agent.tools.registry import Kind, Tool
from react_agent.tools.search_scope import Scope, listed, scope_of

_WIDENED_LINES = 10  # of one widened search
_WIDENED_MOST = 2  # widened searches that found something
_SHOWN_PATTERN = 120  # characters
_FILE_LIKE = re.compile(r"[\w.*?/-]*[./*][\w.*?/-]*")
_NARROWER = "narrow it with a second line such as path: src/, or with a longer pattern"
_READ_AS = {
    Flavour.PERL: "a Perl regular expression",
    Flavour.EXTENDED: "an extended regular expression",
    Flavour.PLAIN: "plain text",
}


def _grep(text: str, context: Context) -> Observation:
    request = parse_search_request(text)
    if isinstance(request, Unreadable):
        return failed(request.reason)
    if not can_be_passed(request.pattern):
        return failed("the pattern holds a character that no text can hold: write it anew")
    try:
        return _answered(request, context)
    except ReactAgentError as error:
        return failed(f"{error}; {_NARROWER}")


def _answered(request: SearchRequest, context: Context) -> Observation:
    scope = scope_of(context.root, request.globs)
    if isinstance(scope, Refused):
        return failed(scope.reason)
    hits = search(context.root, Search(request.pattern, scope.pathspecs))
    if hits.matches:
        return _found(request.pattern, hits, scope, context)
    return _not_found(request.pattern, hits, scope, context)


def _found(pattern: str, hits: Hits, scope: Scope, context: Context) -> Observation:
    limits = context.limits
    paths = tuple(dict.fromkeys(match.path for match in hits.matches))
    shown = grouped(hits.matches, limits.result_lines, limits.line_chars)
    count = f"{counted(len(hits.matches), 'matching line')} in {len(paths):,}"
    left = f"; {shown.left_out:,} of them are not shown: {_NARROWER}" if shown.left_out else ""
    header = f"{count} of {scope.said}{left}"
    notes = _notes(pattern, hits, scope)
    text = "\n".join((header, *shown.lines, *notes))
    return Observation(clip(text, limits), paths=paths, scope=_said(pattern, scope))


def _not_found(pattern: str, hits: Hits, scope: Scope, context: Context) -> Observation:
    notes = _notes(pattern, hits, scope)
    status = Status.OK if _named_like(pattern, scope.files) else Status.EMPTY
    header = (
        f"no line of {scope.said} matches {clip_line(pattern, _SHOWN_PATTERN)} as it is written "
        "(ignored and binary files are not searched)"
    )
    widened = _widened(pattern, scope, context) if status is Status.EMPTY else []
    text = "\n".join((header, *notes, *widened))
    return Observation(clip(text, context.limits), status, scope=_said(pattern, scope))


def _said(pattern: str, scope: Scope) -> str:
    return f"{clip_line(pattern, _SHOWN_PATTERN)} in {scope.said}"


def _notes(pattern: str, hits: Hits, scope: Scope) -> list[str]:
    read_as = f"read as {_READ_AS[hits.flavour]}: {hits.complaint}"
    like = _named_like(pattern, scope.files)
    notes = (
        (bool(hits.complaint), read_as),
        (bool(like), f"files with such a name: {listed(like)}"),
        (bool(hits.binary), f"binary files that match: {listed(hits.binary)}"),
        (bool(scope.repositories), f"not searched, submodules: {listed(scope.repositories)}"),
    )
    return [f"[{note}]" for holds, note in notes if holds]


def _named_like(pattern: str, files: Sequence[str]) -> list[str]:
    """The files that a pattern means which is a path or a glob itself."""
    bare = pattern.strip().removeprefix("./")
    if not _FILE_LIKE.fullmatch(bare) or not bare.strip("./*?"):
        return []
    ends = (bare, f"*/{bare}", f"{bare.rstrip('/')}/*")
    return [name for name in files if any(fnmatch.fnmatchcase(name, end) for end in ends)]


def _widened(pattern: str, scope: Scope, context: Context) -> list[str]:
    """What less strict searches find, the nearest first; what they were if they find nothing."""
    tried, seen = list[str](), dict[tuple[Match, ...], list[str]]()
    for how, wanted in _wider(pattern, scope):
        hits = search(context.root, wanted)
        tried.append(how)
        if hits.matches:
            seen.setdefault(hits.matches, _part(how, hits, context))
        if len(seen) == _WIDENED_MOST:
            break
    near = near_names(pattern, scope.files)
    names = [f"files with a name like it: {listed(near)}"] if near else []
    if not seen:
        return [f"nor is there one {', '.join(tried)}; it may be spelled differently", *names]
    return [*chain.from_iterable(seen.values()), *names]


def _wider(pattern: str, scope: Scope) -> Iterator[tuple[str, Search]]:
    for one in looser(pattern):
        flavours = (Flavour.PLAIN,) if one.plain else ()
        yield one.how, Search(one.pattern, scope.pathspecs, True, flavours)
    if scope.filters:
        yield "in all other files", Search(pattern, EVERYTHING, ignore_case=True)


def _part(how: str, hits: Hits, context: Context) -> list[str]:
    shown = grouped(hits.matches, _WIDENED_LINES, context.limits.line_chars)
    left = f", {shown.left_out:,} not shown" if shown.left_out else ""
    return [f"{how}: {counted(len(hits.matches), 'matching line')}{left}", *shown.lines]


GREP = Tool(
    "grep",
    "search file contents; input: an extended regular expression, and on further lines, to search "
    "only a part, path: FOLDER or GLOB",
    Kind.SEARCH,
    _grep,
)
