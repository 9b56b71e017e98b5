"""`git grep` as values: a scope, a search, and wider searches to run when it finds nothing.

All wider searches run as one `git grep`. Each matching line is then assigned to its search.
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, groupby
from pathlib import Path
from typing import BinaryIO

from react_agent.parsers.claims.spelling import Looser, alone, looser, misspelled
from react_agent.parsers.repo.globs import glob_ways, matching
from react_agent.parsers.text.late_pattern import PatternError, TimedPattern
from react_agent.tools.clip import counted
from react_agent.tools.clock import monotonic
from react_agent.tools.errors import WorkspaceError
from react_agent.tools.files.file_list import (
    EVERYTHING,
    Listing,
    below,
    is_glob,
    literally,
    near_it,
    with_folders,
)
from react_agent.tools.files.paths import Cause, Place, Refused, inside, open_inside, settled
from react_agent.tools.git.door import GitError, work_tree

# A limit of memory: a pattern such as `(x{1,1000}){1,1000}` would take all there is.
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
_MOST = 2  # wider searches that find something
_COMPARED = 1_000_000  # bytes of a line
_CUT = 3  # characters that the cut of a longer line may have damaged


class Flavour(StrEnum):
    EXTENDED = "-E"
    PERL = "-P"
    PLAIN = "-F"


@dataclass(frozen=True, slots=True)
class Scope:
    pathspecs: tuple[str, ...]
    files: tuple[str, ...]
    filters: tuple[str, ...]  # as the model wrote them
    passed_by: tuple[str, ...]  # submodules that the filters lead to: they are never searched

    @property
    def said(self) -> str:
        only = f" (path: {', '.join(self.filters)})" if self.filters else ""
        return f"{counted(len(self.files), 'file')}{only}"


def scope_of(root: Path, globs: Sequence[str], every: Listing, *, widen: bool) -> Scope | Refused:
    """Return the files of `every` that match the globs. Refuse globs that match no file."""
    pathspecs, named = list[str](), dict.fromkeys(() if globs else every.files)
    places = list[Path]()
    for glob in globs:
        place = inside(root, glob)
        real = settled(place) if isinstance(place, Place) else place  # git follows no link
        if isinstance(real, Refused):
            return real
        is_one = not is_glob(glob) or real.full.exists()
        if is_one:
            pathspecs.append(literally(real.name))
        else:
            pathspecs += [f":(top){way}" for way in glob_ways(real.name)]
        named |= dict.fromkeys((below if is_one else matching)(real.name, every.files))
        places.append(real.full)
    if globs and not named:
        path = f"path: {', '.join(globs)}"
        if any(map(os.path.lexists, places)):
            why = "git ignores it, or it belongs to a submodule"
            return Refused(Cause.MISSING, f"no file in {path} is searched: {why}")
        near = near_it(globs[0], with_folders(every.files)) if widen else ""
        return Refused(Cause.MISSING, f"no file matches {path}{near}")
    passed_by = tuple(name for name in every.submodules if name in named)
    files = tuple(name for name in named if name not in passed_by)
    return Scope(tuple(pathspecs) or EVERYTHING, files, tuple(globs), passed_by)


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
    """Search with the first regex flavour that accepts the patterns. Plain text accepts any.

    Raises GitError if all flavours together take longer than the deadline.
    """
    git = replace(work_tree(root), memory=_MEMORY)
    git = git.having(GIT_LITERAL_PATHSPECS="0", LC_ALL="C.UTF-8")
    options = ["-i"] * wanted.ignore_case + ["-w"] * wanted.whole_words
    patterns = [word for pattern in wanted.patterns for word in ("-e", pattern)]
    complaint, ends = "", monotonic() + deadline_s
    likely = [Flavour.EXTENDED, Flavour.PERL, Flavour.PLAIN]
    if _PERL_ONLY.search(wanted.patterns[0]):
        likely = [Flavour.PERL, Flavour.EXTENDED, Flavour.PLAIN]
    for flavour in wanted.flavours or likely:
        try:
            answer = git.ask(
                "grep", "-n", "-z", "--column", "--untracked", "--full-name", "--no-color",
                "--no-recurse-submodules", *options, flavour, *patterns, "--", *wanted.pathspecs,
                deadline_s=max(ends - monotonic(), 0.01),
            )  # fmt: skip
        except GitError as error:
            if not error.is_late:
                raise
            late = f"the search was stopped: it took more than {max(deadline_s, 0):.1f} s"
            raise GitError(late, is_late=True) from None
        if 0 <= answer.code <= _NO_MATCH:  # else it failed, or a signal ended it
            return _hits(answer.out, flavour, complaint)
        # keep only the end of `fatal: -e option, 'foo(': Unmatched ( or \\(`
        said = answer.err.strip().split("\n")[-1].rpartition(": ")[2]
        complaint = complaint or said or f"it ended with code {answer.code}"
    raise WorkspaceError(f"git grep: {complaint}")


def _hits(out: bytes, flavour: Flavour, complaint: str) -> Hits:
    matches, binary = list[Match](), list[str]()
    for found in _LINE.finditer(out):
        if found["binary"]:
            binary.append(os.fsdecode(found["binary"]))
            continue
        text = found["text"].removesuffix(b"\r")
        at = len(text[: int(found["column"]) - 1].decode(errors="replace"))
        place = os.fsdecode(found["path"]), int(found["line"])
        matches.append(Match(*place, at, text.decode(errors="replace")))
    return Hits(tuple(matches), tuple(binary), flavour, complaint)


def held(root: Path, matches: Sequence[Match], ends: float) -> tuple[Match, ...]:
    """Return the matches that their files hold now. Raises GitError if that takes until `ends`.

    While git searches, a command in the background can put a link in the way, which git follows.
    Here no link is followed, so that nothing outside the work tree is shown or counted.
    """
    found = list[Match]()
    for path, group in groupby(matches, key=lambda one: one.path):
        opened = open_inside(Place(root, path))
        if not isinstance(opened, Refused):
            with opened as file:
                found += _held(file, {one.line: one for one in group}, ends)
    return tuple(found)


def _held(file: BinaryIO, wanted: dict[int, Match], ends: float) -> Iterator[Match]:
    at, is_begun = 1, False  # the line, and whether a part of it was read
    while wanted and (part := file.readline(_COMPARED)):
        if monotonic() > ends:
            raise GitError("the search was stopped: it took too long", is_late=True)
        one = None if is_begun else wanted.pop(at, None)
        if one and _is_start(part, one.text):
            yield one
        is_begun = not part.endswith(b"\n")
        at += not is_begun
    if at in wanted and not wanted[at].text:  # git's empty line at the end of a file
        yield wanted[at]


def _is_start(part: bytes, text: str) -> bool:
    """Return whether this is the line with this text, or the first part of a very long one."""
    said = part.removesuffix(b"\n").removesuffix(b"\r").decode(errors="replace")
    is_cut = len(part) == _COMPARED and not part.endswith(b"\n")
    return text.startswith(said[:-_CUT]) if is_cut else text == said


def widened(
    root: Path, pattern: str, scope: Scope, ends: float, *, plain: bool
) -> tuple[list[str], list[tuple[str, tuple[Match, ...]]]]:
    """Search with wider patterns. Return the name of each one, and up to two with their matches.

    Raises ReactAgentError or PatternError if git fails or the search is still running at `ends`.
    """
    here = [_readable(one, plain) for one in looser(pattern)]
    elsewhere = [_readable(Looser("in all other files", pattern), plain)] if scope.filters else []
    last = [_readable(one) for one in chain(alone(pattern), misspelled(pattern))]
    written = tuple(dict.fromkeys(way.pattern for way in (*here, *elsewhere, *last)))
    wanted = Search(written, ignore_case=True, flavours=(Flavour.PERL, Flavour.EXTENDED))
    everywhere = search(root, wanted, ends - monotonic()).matches
    files = frozenset(scope.files)
    within = tuple(one for one in everywhere if not scope.filters or one.path in files)
    ways = (
        *((way, within, _MOST) for way in here),
        *((way, everywhere, _MOST) for way in elsewhere),
        *((way, everywhere, 1) for way in last),  # only if nothing else finds any
    )
    tried, found = list[str](), dict[tuple[tuple[str, int], ...], tuple[str, tuple[Match, ...]]]()
    for way, matches, most in ways:
        if len(found) >= most:
            break
        tried.append(way.how)
        timed = TimedPattern(way.pattern, ignore_case=True)
        own = tuple(
            replace(one, at=at)
            for one in matches
            if (at := timed.find(one.text, ends - monotonic())) is not None
        )
        if own := held(root, own, ends):
            found.setdefault(tuple((one.path, one.line) for one in own), (way.how, own))
    return tried, list(found.values())


def _readable(one: Looser, plain: bool = False) -> Looser:
    """Return the search, as plain text if `plain` is set or `regex` can't read its pattern."""
    literal = replace(one, pattern=_OPERATOR.sub(r"\\\g<0>", one.pattern))
    if one.plain or plain:
        return literal
    pattern = _ESCAPED.sub(lambda found: _WORD_ENDS.get(found[0], found[0]), one.pattern)
    try:
        TimedPattern(pattern, ignore_case=True)
    except PatternError:
        return replace(literal, how=f"{one.how}, as plain text")
    return replace(one, pattern=pattern)
