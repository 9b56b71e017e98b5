"""`git grep`, as values: where to search, a search, and less strict ones for what it did not find.

The less strict ones are one `git grep` for all, told apart line by line.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from pathlib import Path

from react_agent.parsers.claims.search_variants import Looser, alone, looser, misspelled
from react_agent.parsers.text.timed_pattern import PatternError, TimedPattern
from react_agent.tools.clip import counted
from react_agent.tools.clock import monotonic
from react_agent.tools.errors import WorkspaceError
from react_agent.tools.files.file_list import (
    EVERYTHING,
    Listing,
    below,
    by_glob,
    globbed,
    is_glob,
    literally,
    with_folders,
)
from react_agent.tools.files.paths import Cause, Refused, inside
from react_agent.tools.files.suggestions import listed, near_it
from react_agent.tools.git.door import Answer, GitError, work_tree

# A pattern such as `(x{1,1000}){1,1000}` would take all there is.
_MEMORY = 2 << 30
_NO_MATCH = 1
_LINE = re.compile(
    rb"Binary file (?P<binary>[^\0\n]+) matches\n"
    rb"|(?P<path>[^\0]+)\0(?P<line>\d+)\0(?P<column>\d+)\0(?P<text>[^\n]*)\n"
)
_PERL_ONLY = re.compile(r"\\[dD]|\(\?|[*+?}]\?|\[[^]]*\\[wWsS]")
_OPERATOR = re.compile(r"[\\.^$*+?{}()\[\]|]")
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_WORD_ENDS = {r"\<": r"\b(?=\w)", r"\>": r"\b(?<=\w)"}  # which only git's extended ones know
_MOST = 2  # ways that find something


class Flavour(StrEnum):
    EXTENDED = "-E"
    PERL = "-P"
    PLAIN = "-F"


@dataclass(frozen=True, slots=True)
class Scope:
    pathspecs: tuple[str, ...]
    files: tuple[str, ...]
    filters: tuple[str, ...]  # as the model wrote them
    repositories: tuple[str, ...]  # inside this one, and never searched
    passed_by: tuple[str, ...]  # of them, those where the filters lead to

    @property
    def said(self) -> str:
        only = f" (path: {', '.join(self.filters)})" if self.filters else ""
        return f"{counted(len(self.files), 'file')}{only}"


def scope_of(root: Path, globs: Sequence[str], every: Listing, *, widen: bool) -> Scope | Refused:
    """What there is of `every` file; globs that name none are refused."""
    if not globs:
        return _scope(EVERYTHING, every.files, (), every)
    pathspecs, named = list[str](), dict[str, None]()
    for glob in globs:
        place = inside(root, glob)
        if isinstance(place, Refused):
            return place
        is_one = not is_glob(glob) or place.full.exists()
        pathspecs.append((literally if is_one else by_glob)(place.name))
        named |= dict.fromkeys((below if is_one else globbed)(place.name, every.files))
    if not named:
        near = _near(root, globs, every) if widen else ""
        return Refused(Cause.MISSING, f"no file matches path: {', '.join(globs)}{near}")
    return _scope(tuple(pathspecs), tuple(named), tuple(globs), every)


def _scope(
    pathspecs: tuple[str, ...], named: Sequence[str], globs: tuple[str, ...], every: Listing
) -> Scope:
    inner = every.submodules
    files = tuple(name for name in named if name not in inner) if inner else tuple(named)
    passed_by = tuple(name for name in inner if name in named)
    return Scope(pathspecs, files, globs, inner, passed_by)


def _near(root: Path, globs: Sequence[str], every: Listing) -> str:
    known = with_folders(every.files)
    if near := near_it(globs[0], known):
        return near
    folders = [name for name in known if "/" not in name and (root / name).is_dir()]
    return f"; the folders are: {listed(folders)}" if folders and not is_glob(globs[0]) else ""


@dataclass(frozen=True, slots=True)
class Match:
    path: str
    line: int
    at: int  # the character of the text where it begins
    text: str


@dataclass(frozen=True, slots=True)
class Hits:
    matches: tuple[Match, ...]
    binary: tuple[str, ...]
    flavour: Flavour
    complaint: str = ""  # about the pattern, where a stricter flavour could not read it


@dataclass(frozen=True, slots=True)
class Search:
    patterns: tuple[str, ...]  # a line matches one of them
    pathspecs: tuple[str, ...] = EVERYTHING
    ignore_case: bool = False
    flavours: tuple[Flavour, ...] = ()  # none: those that the first pattern looks like
    whole_words: bool = False


def search(root: Path, wanted: Search, deadline_s: float) -> Hits:
    """In the first flavour that can read the patterns; as plain text everything can be read.

    Raises GitError where that takes longer, however many flavours are tried.
    """
    complaint, ends = "", monotonic() + deadline_s
    for flavour in wanted.flavours or _likely(wanted.patterns[0]):
        try:
            answer = _asked(root, wanted, flavour, max(ends - monotonic(), 0.01))
        except GitError as error:
            if not error.is_late:
                raise
            late = f"the search was stopped: it took more than {deadline_s:.1f} s"
            raise GitError(late, is_late=True) from None
        if answer.code <= _NO_MATCH:
            return _hits(answer.out, flavour, complaint)
        complaint = complaint or _complaint(answer.err)
    raise WorkspaceError(f"git grep: {complaint}")


def _asked(root: Path, wanted: Search, flavour: Flavour, deadline_s: float) -> Answer:
    git = replace(work_tree(root), memory=_MEMORY)
    patterns = (word for pattern in wanted.patterns for word in ("-e", pattern))
    return git.having(GIT_LITERAL_PATHSPECS="0", LC_ALL="C.UTF-8").ask(
        "grep", "-n", "-z", "--column", "--untracked", "--full-name", "--no-color",
        "--no-recurse-submodules", *(["-i"] if wanted.ignore_case else []),
        *(["-w"] if wanted.whole_words else []), flavour,
        *patterns, "--", *wanted.pathspecs, deadline_s=deadline_s,
    )  # fmt: skip


def _likely(pattern: str) -> Sequence[Flavour]:
    if _PERL_ONLY.search(pattern):
        return (Flavour.PERL, Flavour.EXTENDED, Flavour.PLAIN)
    return (Flavour.EXTENDED, Flavour.PERL, Flavour.PLAIN)


def _complaint(err: str) -> str:
    """`fatal: -e option, 'foo(': Unmatched ( or \\(` without what the model knows."""
    return err.strip().split("\n")[-1].rpartition(": ")[2]


def _hits(out: bytes, flavour: Flavour, complaint: str) -> Hits:
    found = list(_LINE.finditer(out))
    matches = tuple(_match(one) for one in found if one["binary"] is None)
    binary = tuple(os.fsdecode(one["binary"]) for one in found if one["binary"])
    return Hits(matches, binary, flavour, complaint)


def _match(found: re.Match[bytes]) -> Match:
    text = found["text"].removesuffix(b"\r")
    before = text[: int(found["column"]) - 1].decode(errors="replace")
    return Match(
        os.fsdecode(found["path"]), int(found["line"]), len(before), text.decode(errors="replace")
    )


@dataclass(frozen=True, slots=True)
class Found:
    how: str
    matches: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class _Way:
    how: str  # said to the model
    pattern: str
    is_everywhere: bool  # else only in the files of the scope


def widened(
    root: Path, pattern: str, scope: Scope, ends: float, *, plain: bool
) -> tuple[list[str], list[Found]]:
    """Search with wider patterns: how each is described, and what up to two of them find.

    Raises ReactAgentError or PatternError where git can't, or it takes longer than until `ends`.
    """
    wider = [_way(one, plain) for one in looser(pattern)]
    if scope.filters:
        wider.append(_way(Looser("in all other files", pattern), plain, is_everywhere=True))
    last = [_way(one, is_everywhere=True) for one in chain(alone(pattern), misspelled(pattern))]
    written = tuple(dict.fromkeys(way.pattern for way in (*wider, *last)))
    wanted = Search(written, ignore_case=True, flavours=(Flavour.PERL, Flavour.EXTENDED))
    matches = search(root, wanted, ends - monotonic()).matches
    files = frozenset(scope.files)
    within = [one for one in matches if one.path in files] if scope.filters else matches
    tried, found = list[str](), dict[tuple[tuple[str, int], ...], Found]()
    for most, ways in ((_MOST, wider), (1, last)):  # the last ones only if nothing else finds any
        for way in ways:
            if len(found) >= most:
                break
            tried.append(way.how)
            own = _own(way.pattern, matches if way.is_everywhere else within, ends)
            if own:
                found.setdefault(tuple((one.path, one.line) for one in own), Found(way.how, own))
    return tried, list(found.values())


def _way(one: Looser, plain: bool = False, *, is_everywhere: bool = False) -> _Way:
    """`plain`: git, too, read it as plain text. What `regex` can't read is searched as such."""
    pattern = _ESCAPED.sub(lambda found: _WORD_ENDS.get(found[0], found[0]), one.pattern)
    literal = _OPERATOR.sub(r"\\\g<0>", one.pattern)
    if one.plain or plain:
        return _Way(one.how, literal, is_everywhere)
    try:
        TimedPattern(pattern, ignore_case=True)
    except PatternError:
        return _Way(f"{one.how}, as plain text", literal, is_everywhere)
    return _Way(one.how, pattern, is_everywhere)


def _own(pattern: str, matches: Sequence[Match], ends: float) -> tuple[Match, ...]:
    timed = TimedPattern(pattern, ignore_case=True)
    found = ((one, timed.find(one.text, ends - monotonic())) for one in matches)
    return tuple(replace(one, at=at) for one, at in found if at is not None)
