"""Which file a written path means: the one step that finds something decides, strictest first."""

from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from typing import NamedTuple

from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.patch.path_rules import is_absolute

_MOST = 5  # paths that are said
_BESIDE = 3  # of those that only lie in the same folder
_MOST_SEARCHED = 5  # times in a patch: to look for alike names is slow
_COMPARED = 50  # names that share most letters with the wanted one: comparing them is slow
_ALIKE = 0.6  # from here on a name may be a misspelled one
_TRIVIAL = LatePattern(
    r"__init__|__main__|conftest|setup|index|mod|main|tests?|models|views|urls|admin|apps"
    r"|utils?|helpers?|base|core|common|types|constants|config|settings|version|exceptions|errors"
    r"|forms|serializers|tasks|routes|server|client|cli|app|api|run|manage|test|example|style|styles"
    r"|readme|changelog|changes|license|makefile|dockerfile|package|cargo|pyproject|\..*"
)


class Found(NamedTuple):
    path: str = ""
    several: tuple[str, ...] = ()  # each of them may be meant


class Paths:
    """The files there are, and those that the patch makes; what is slow is made when needed."""

    def __init__(self, paths: Collection[str]) -> None:
        self.there = paths
        self.made = set[str]()
        self.searched = 0  # for names that are alike
        self.has_prefixes = False  # whether the patch writes a/ and b/ before its names

    def __contains__(self, path: str) -> bool:
        return path in self.there or path in self.made

    @cached_property
    def by_name(self) -> dict[str, list[str]]:
        """By the last part in small letters."""
        found = dict[str, list[str]]()
        for path in self.there:
            found.setdefault(path.rpartition("/")[2].casefold(), []).append(path)
        return found

    @cached_property
    def folders(self) -> set[str]:
        found = set[str]()
        for folder in {path.rpartition("/")[0] for path in self.there}:
            while folder and folder not in found:
                found.add(folder)
                folder = folder.rpartition("/")[0]
        return found

    def named_like(self, name: str) -> list[str]:
        made = [path for path in self.made if path not in self.there]
        return [*self.by_name.get(_last(name).casefold(), ()), *made]


Step = Callable[[str, Paths], Iterable[str]]


def lookup(name: str, paths: Paths, careful: bool) -> Found:
    """`careful`: nothing that is quoted of the file will tell whether it is the one."""
    for step in _SURE if careful else (*_SURE, *_LIKELY):
        hits = sorted(set(step(name, paths)))
        if hits:
            return Found(hits[0]) if len(hits) == 1 else Found("", tuple(hits[:_MOST]))
    return Found()


def _exact(name: str, paths: Paths) -> Iterable[str]:
    return [name] if name in paths else []


def _without_prefix(name: str, paths: Paths) -> Iterable[str]:
    """`a/`, `b/`, and what git and others write for them."""
    prefix, _, rest = name.partition("/")
    return [rest] if len(prefix) == 1 and rest in paths else []


def _below_a_root(name: str, paths: Paths) -> Iterable[str]:
    """An absolute path is that of a file in some checkout."""
    return (tail for tail in _tails(name) if tail in paths) if is_absolute(name) else []


def _other_case(name: str, paths: Paths) -> Iterable[str]:
    wanted = {name.casefold(), _without(name).casefold()}
    return (path for path in paths.named_like(name) if path.casefold() in wanted)


def _other_root(name: str, paths: Paths) -> Iterable[str]:
    """One is the end of the other; no other file shares as many last parts."""
    same = [path for path in paths.named_like(name) if _last(path) == _last(name)]
    shared = {path: _shared(path, name) for path in same}
    most = max(shared.values(), default=0)
    best = [path for path in same if shared[path] == most]
    if most == 1 and len(best) == 1 and _is_trivial(name) and "/" not in name:
        return []
    return best if all(_is_end(path, name) for path in best) else []


def _other_folder(name: str, paths: Paths) -> Iterable[str]:
    """The only file of its name; what the change quotes has to be in it."""
    same = [path for path in paths.named_like(name) if _last(path) == _last(name)]
    return same if len(same) == 1 and not _is_trivial(name) else []


_SURE: tuple[Step, ...] = (_exact, _without_prefix, _below_a_root, _other_case)
_LIKELY: tuple[Step, ...] = (_other_root, _other_folder)


def near(name: str, paths: Paths) -> tuple[str, ...]:
    """The same name elsewhere; else one spelled alike; else what is in the folder named."""
    same = [path for path in paths.named_like(name) if _last(path).casefold() == _folded(name)]
    same.sort(key=lambda path: (-_shared(path, name), path))
    return tuple(same[:_MOST] or _alike_or_beside(name, paths))


def _alike_or_beside(name: str, paths: Paths) -> list[str]:
    paths.searched += 1
    if paths.searched > _MOST_SEARCHED:
        return []
    folder = name.rpartition("/")[0]
    beside = (path for path in paths.there if folder and path.rpartition("/")[0] == folder)
    return _alike(name, paths)[:_MOST] or sorted(beside)[:_BESIDE]


def _alike(name: str, paths: Paths) -> list[str]:
    from difflib import SequenceMatcher

    stem = _stem(_folded(name))
    pairs = [stem[at : at + 2] for at in range(len(stem) - 1)]
    ranked = sorted(paths.by_name, key=lambda other: (-sum(pair in other for pair in pairs), other))
    matcher, scored = SequenceMatcher(None, "", stem, autojunk=False), list[tuple[float, str]]()
    for other in ranked[:_COMPARED]:
        matcher.set_seq1(_stem(other))
        if (ratio := matcher.ratio()) >= _ALIKE:
            scored += ((-ratio - _is_beside(path, name), path) for path in paths.by_name[other])
    return [path for _, path in sorted(scored)]


def _is_beside(path: str, name: str) -> bool:
    return path.rpartition("/")[0] == name.rpartition("/")[0]


def _folded(path: str) -> str:
    return _last(path).casefold()


def _stem(last: str) -> str:
    return last.rpartition(".")[0] or last


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _without(name: str) -> str:
    prefix, _, rest = name.partition("/")
    return rest if len(prefix) == 1 else name


def _tails(name: str) -> list[str]:
    parts = name.strip("/").split("/")
    return ["/".join(parts[at:]) for at in range(len(parts))]


def _shared(one: str, other: str) -> int:
    count = 0
    for left, right in zip(reversed(one.split("/")), reversed(other.split("/")), strict=False):
        if left != right:
            break
        count += 1
    return count


def _is_end(one: str, other: str) -> bool:
    return f"/{one}".endswith(f"/{other}") or f"/{other}".endswith(f"/{one}")


def _is_trivial(name: str) -> bool:
    """Every other folder has a file of this name."""
    return bool(_TRIVIAL.fullmatch(_stem(_folded(name))))
