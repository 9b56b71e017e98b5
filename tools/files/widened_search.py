"""Less strict searches for what was not found: one `git grep` for all, told apart line by line."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from time import monotonic

from react_agent.parsers.looser import Looser, alone, looser, misspelled
from react_agent.parsers.timed_pattern import PatternError, TimedPattern
from react_agent.tools.files.git_grep import Flavour, Match, Search, search
from react_agent.tools.files.search_scope import Scope

_OPERATOR = re.compile(r"[\\.^$*+?{}()\[\]|]")
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_WORD_ENDS = {r"\<": r"\b(?=\w)", r"\>": r"\b(?<=\w)"}  # which only git's extended ones know
_FLAVOURS = (Flavour.PERL, Flavour.EXTENDED)
_MOST = 2  # ways that find something


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
    """The ways that were tried, and what the nearest two of them find.

    Raises ReactAgentError or PatternError where git can't, or it takes longer than until `ends`.
    """
    wider = [_way(one, plain) for one in looser(pattern)]
    if scope.filters:
        wider.append(_way(Looser("in all other files", pattern), plain, is_everywhere=True))
    last = [_way(one, is_everywhere=True) for one in chain(alone(pattern), misspelled(pattern))]
    written = tuple(dict.fromkeys(way.pattern for way in (*wider, *last)))
    wanted = Search(written, ignore_case=True, flavours=_FLAVOURS)
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
