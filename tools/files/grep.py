"""The `grep` tool: search the files of the work tree.

A search without matches is widened, and its result is never worded as proof that the text does not
exist. Matches are grouped by file, and every file gets a share of the available space.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from react_agent.parsers.claims.definitions import is_aside, is_prose
from react_agent.parsers.repo.globs import matching
from react_agent.parsers.text.late_pattern import PatternError
from react_agent.parsers.values.arguments import Unreadable
from react_agent.parsers.values.searches import Readings, SearchRequest, searches
from react_agent.tools.clip import clip, clip_line, counted
from react_agent.tools.clock import monotonic
from react_agent.tools.context import Context
from react_agent.tools.errors import ReactAgentError, told
from react_agent.tools.files.file_list import Listing, below, listed, listing, near_names, one_line
from react_agent.tools.files.git_grep import (
    Flavour,
    Hits,
    Match,
    Scope,
    Search,
    held,
    scope_of,
    search,
    widened,
)
from react_agent.tools.files.paths import Place, Refused, can_be_passed, existing, refused, start_of
from react_agent.tools.files.read_file import LARGEST, decoded, is_clipped, lines_in, number
from react_agent.tools.git.door import GitError
from react_agent.tools.observation import Observation, Status, failed, joined, room_for, shares
from react_agent.tools.registry import Kind, Tool

_SECONDS = 1.6  # for all of a call; what takes longer in a small repository is the pattern
_FILES_A_SECOND = 5_000
_WIDENED_LINES = 10  # of one widened search
_MOST_PATTERNS = 8  # at once
_FEWEST_LINES = 4  # for one of several
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


@dataclass(frozen=True, slots=True)
class _Tried:
    request: SearchRequest
    scope: Scope
    hits: Hits

    @property
    def named_like(self) -> list[str]:
        """Return the files that match the pattern if it is itself a path or a glob."""
        bare = self.request.pattern.strip().removeprefix("./")
        if not _FILE_LIKE.fullmatch(bare) or not bare.strip("./*?"):
            return []
        files = self.scope.files
        return matching(bare, files) or below(bare.rstrip("/"), files)

    def text(self, header: str, shown: Sequence[str], unsearched: Sequence[str]) -> str:
        hits, like = self.hits, self.named_like
        notes = (
            (bool(hits.complaint), f"read as {_READ_AS[hits.flavour]}: {hits.complaint}"),
            (bool(like), f"files whose name matches: {listed(like)}"),
            (bool(hits.binary), f"binary files that match: {listed(hits.binary)}"),
            (bool(unsearched), f"submodules not searched: {listed(unsearched)}"),
        )
        said = [f"[{note}]" for holds, note in notes if holds]
        parts = [*shown, *said] if hits.matches else [*said, *shown]
        return "\n".join((header, *_read_as(self.request), *parts))


def _grep(text: str, context: Context) -> Observation:
    began = monotonic()
    asked = searches(text, lambda word: existing(context.root, word) is not None)
    if isinstance(asked, Unreadable):
        return failed(asked.reason)
    count, limits, shown = len(asked), context.limits, list[Observation]()
    if count > _MOST_PATTERNS:
        too_many = f"too many patterns at once ({count}, one per line)"
        return failed(f"{too_many}: write {_MOST_PATTERNS} or fewer; a pattern is one line")
    every = listing(context)
    ends = began + _SECONDS + len(every.files) / _FILES_A_SECOND
    if count == 1:
        return _one(asked[0], context, every, ends)
    # each below its heading, in its share of the room and of the time
    names = [_short(one[-1].pattern.strip()) for one in asked]
    heads = [f"[pattern {at} of {count}: {name}]\n" for at, name in enumerate(names, 1)]
    room = room_for(count, limits.output_chars - sum(map(len, heads))) // count
    lines = max(_FEWEST_LINES, limits.result_lines // count)
    shared = replace(context, limits=replace(limits, output_chars=room, result_lines=lines))
    for at, (one, head) in enumerate(zip(asked, heads, strict=True)):
        seconds = (ends - monotonic()) / (count - at)
        seen = _one(one, shared, every, monotonic() + seconds)
        shown.append(replace(seen, text=head + seen.text))
    return joined(shown)


def _one(meant: Readings, context: Context, every: Listing, ends: float) -> Observation:
    """Return the result of the first interpretation with a match, or else of the likeliest one."""
    if not all(can_be_passed(request.pattern) for request in meant):
        return failed("the pattern contains a character that UTF-8 can't encode: write it again")
    results, root = dict[SearchRequest, _Tried | Refused](), context.root
    for request in meant:
        scope = scope_of(root, request.globs, every, widen=context.limits.widen)
        if isinstance(scope, Refused):
            results[request] = scope
            continue
        flavours = (Flavour.PLAIN,) if request.plain else ()
        ways = scope.pathspecs, request.ignore_case, flavours, request.whole_words
        try:
            hits = search(root, Search((request.pattern,), *ways), ends - monotonic())
            hits = replace(hits, matches=held(root, hits.matches, ends))
        except ReactAgentError as error:
            is_late = isinstance(error, GitError) and error.is_late
            simpler = "; write a simpler pattern, or" if is_late else ";"
            return failed(f"{told(error)}{simpler} {_NARROWER}")
        results[request] = tried = _Tried(request, scope, hits)
        if hits.matches:
            return _found(tried, context)
    request = next((one for one in meant if one.repaired), meant[0])
    likeliest = results[request]
    if isinstance(likeliest, _Tried):
        return _not_found(likeliest, context, every, ends)
    return refused(likeliest, "\n".join(("", *_read_as(request))))


def _read_as(request: SearchRequest) -> list[str]:
    """Return a note on how a pattern written as a command line was interpreted."""
    if not request.repaired:
        return []
    parts = (
        (True, f"the pattern {_short(request.pattern)}"),
        (bool(request.globs), f"path: {', '.join(request.globs)}"),
        (request.ignore_case, "ignoring case"),
        (request.whole_words, "whole words"),
        (request.plain, "plain text"),
        (request.around > 0, f"with {counted(request.around, 'line')} around it"),
    )
    left_out = f"; left out: {' '.join(request.left_out)}" if request.left_out else ""
    return [f"[read as {', '.join(part for holds, part in parts if holds)}{left_out}]"]


def _short(pattern: str) -> str:
    return clip_line(pattern, _SHOWN_PATTERN)


def _found(tried: _Tried, context: Context) -> Observation:
    """Show all matches, or as many as fit. If too few fit, show fewer lines around each match."""
    matches, limits, around = tried.hits.matches, context.limits, tried.request.around
    paths = tuple(dict.fromkeys(match.path for match in matches))
    count = f"{counted(len(matches), 'matching line')} in {len(paths):,} of {tried.scope.said}"
    most, asked = limits.result_lines, around
    while True:
        root = context.root if around else None
        lines, left = _grouped(matches, most, limits.line_chars, root, around)
        more = f"; {left:,} of them are not shown: {_NARROWER}" if left else ""
        less = "" if around == asked else f"; only {counted(around, 'line')} around each fit"
        text = tried.text(f"{count}{more}{less}", lines, tried.scope.passed_by)
        if len(text) <= limits.output_chars or (most <= _FEWEST_LINES and not root):
            return Observation(clip(text, limits), paths=paths)
        if most > _FEWEST_LINES:
            shown = min(most, len(matches))
            most = max(_FEWEST_LINES, min(shown - 1, shown * limits.output_chars // len(text)))
        else:
            around //= 2


def _not_found(tried: _Tried, context: Context, every: Listing, ends: float) -> Observation:
    scope, limits = tried.scope, context.limits
    status = Status.OK if tried.named_like else Status.EMPTY
    header = (
        f"no line of {scope.said} matches {_short(tried.request.pattern)} as it is written "
        "(ignored and binary files are not searched)"
    )
    wider = _widened(tried, context, ends) if status is Status.EMPTY and limits.widen else []
    text = tried.text(header, wider, every.submodules)
    return Observation(clip(text, limits), status)


def _widened(tried: _Tried, context: Context, ends: float) -> list[str]:
    """Return the matches of wider searches, nearest first, or the searches without a match."""
    pattern, scope = tried.request.pattern, tried.scope
    near = near_names(pattern, scope.files)
    names = [f"files with a similar name: {listed(near)}"] if near else []
    is_plain = tried.hits.flavour is Flavour.PLAIN
    try:
        ways, found = widened(context.root, pattern, scope, ends, plain=is_plain)
    except (ReactAgentError, PatternError) as error:
        return [f"[a looser search was not possible: {error}]", *names]
    if not found:
        return [f"also no match {', '.join(ways)}; it may be spelled differently", *names]
    lines = list[str]()
    for how, matches in found:
        shown, left = _grouped(matches, _WIDENED_LINES, context.limits.line_chars)
        more = f", {left:,} not shown" if left else ""
        lines += [f"{how}: {counted(len(matches), 'matching line')}{more}", *shown]
    return [*lines, *names]


def _grouped(
    matches: Sequence[Match],
    most: int,
    chars: int,
    root: Path | None = None,
    around: int = 0,
) -> tuple[list[str], int]:
    """Return up to `most` lines, shared among the files, and the number of omitted matches.

    If a root is given, the lines around each match are read from the files.
    """
    files = {path: list(group) for path, group in groupby(matches, key=lambda one: one.path)}
    share = _share({path: len(group) for path, group in files.items()}, most)
    lines, parts = list[str](), list[Match]()
    for path, shown in share.items():
        left = len(files[path]) - shown
        lines.append(one_line(path) + (f" [{left:,} more here]" if left > 0 else ""))
        lines += _lines(files[path][:shown], chars, root, around)
        parts += files[path][:shown]
    if others := [one_line(path) for path in files if path not in share]:
        more = " ..." if len(others) > _MOST_NAMED else ""
        named = ", ".join(others[:_MOST_NAMED])
        lines.append(f"[{counted(len(others), 'more file')} with matches: {named}{more}]")
    if clipped := sum(is_clipped(one.line, one.text, chars) for one in parts):
        said = f"{counted(clipped, 'line')} over {chars} characters clipped around the match"
        lines.append(f"[{said}]")
    return lines, len(matches) - len(parts)


def _share(sizes: Mapping[str, int], most: int) -> dict[str, int]:
    """Return how many matches of each file to show. The project's own code comes first."""
    if sum(sizes.values()) <= most:
        return dict(sizes)
    kept = sorted(sizes, key=_is_beside)[: max(1, most // 2)]  # the own come first
    share, left = dict.fromkeys(kept, 1), most - len(kept)
    for is_beside in (False, True):
        files = [path for path in kept if _is_beside(path) is is_beside]
        wider = shares([sizes[path] - 1 for path in files], left)
        for path, more in zip(files, wider, strict=True):
            share[path] += more
            left -= more
    return {path: share[path] for path in sizes if path in share}


def _is_beside(path: str) -> bool:
    return is_aside(path) or is_prose(path)


def _lines(part: Sequence[Match], chars: int, root: Path | None, around: int) -> list[str]:
    """Return the matches of a file with the lines around them, if the file can be opened."""
    shown = {one.line: number(one.line, one.text, chars, one.at) for one in part}
    data = start_of(Place(root, part[0].path), LARGEST) if root else b""
    if not data:
        return list(shown.values())
    wanted = {at for line in shown for at in range(max(line - around, 1), line + around + 1)}
    every = lines_in(data)  # not all of a large file; all its matches are shown
    for at in wanted - shown.keys():
        if at <= len(every):
            shown[at] = f"{at:>4}- {clip_line(decoded(every[at - 1]), chars - 6)}".rstrip()
    lines = list[str]()
    for at in sorted(shown):
        lines += [_BETWEEN] if lines and at - 1 not in shown else []
        lines.append(shown[at])
    return lines


GREP = Tool(
    "grep",
    "search file contents, at most {result_lines} matches are shown; input: extended regular "
    "expressions, one a line; on further lines, to search only a part, path: FOLDER or GLOB, or "
    "several as {a.py,tests/}, and context: N for lines around",
    Kind.SEARCH,
    _grep,
)
