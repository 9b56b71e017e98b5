"""Which name a repository has for the part that a change is of, as its history shows."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from react_agent.parsers.commit_habit import Area
from react_agent.parsers.file_roles import is_of_tests
from react_agent.parsers.late_pattern import LatePattern

_WIDE = 20  # files: a commit of more says nothing about each
_EXPLAINS = 0.6  # of the areas, for a rule to be one
_SAME, _BESIDE = 3.0, 1.0
_NO_NAME = frozenset({"src", "lib", "app", "source", "sources", "pkg", "packages", "internal"})
_NUMBER = LatePattern(r"#?\d+|[A-Z][A-Z0-9]+-\d+")


def area_of(paths: Sequence[str], areas: Sequence[Area], *, at_all: bool = False) -> str:
    """Empty where nothing is clear; `at_all`: then it is told by the paths alone."""
    known = [one for one in areas if not _NUMBER.fullmatch(one.name)]
    meant = [path for path in paths if not is_of_tests(path)] or list(paths)
    if not meant:
        return ""
    if found := _by_votes(meant, known):
        return found
    if rule := _rule(known):
        return rule(meant)
    return _named(meant) if at_all else ""


def _by_votes(paths: Sequence[str], areas: Sequence[Area]) -> str:
    """Those of commits that changed the same files, or files beside them."""
    votes = defaultdict[str, float](float)
    for path in paths:
        weights = defaultdict[str, float](float)
        for area in areas:
            if len(area.paths) <= _WIDE:
                weights[area.name] += _nearness(path, area.paths)
        whole = sum(weights.values())
        for name, weight in weights.items():
            votes[name] += weight / whole if weight else 0.0
    best = max(votes, key=votes.__getitem__, default="")
    return best if best and votes[best] > len(paths) / 2 else ""


def _nearness(path: str, paths: Sequence[str]) -> float:
    if path in paths:
        return _SAME
    parent = PurePosixPath(path).parent
    is_beside = parent.name and any(PurePosixPath(one).parent == parent for one in paths)
    return _BESIDE if is_beside else 0.0


def _rule(areas: Sequence[Area]) -> Callable[[Sequence[str]], str] | None:
    """What explains the names that there are."""
    told = [one for one in areas if 0 < len(one.paths) <= _WIDE]
    for rule in _RULES:
        if told and sum(rule(one.paths) == one.name for one in told) >= _EXPLAINS * len(told):
            return rule
    return None


def _folder(paths: Sequence[str]) -> str:
    """That all are in."""
    parts = [PurePosixPath(path).parts[:-1] for path in paths]
    shared = list[str]()
    for level in zip(*parts, strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0])
    return "/".join(shared)


def _first(paths: Sequence[str]) -> str:
    firsts = {path.partition("/")[0] for path in paths if "/" in path}
    return firsts.pop() if len(firsts) == 1 else ""


def _last(paths: Sequence[str]) -> str:
    return _folder(paths).rpartition("/")[2]


def _stem(paths: Sequence[str]) -> str:
    stems = {PurePosixPath(path).stem for path in paths}
    return stems.pop() if len(stems) == 1 else ""


def _named(paths: Sequence[str]) -> str:
    last = _last(paths)
    return (last if last not in _NO_NAME else "") or _stem(paths) or _first(paths)


_RULES = (_folder, _last, _first, _stem)
