"""Which files of a repository a path means that was written elsewhere: by how they end alike."""

from collections.abc import Iterable
from posixpath import basename, normpath

_MOST = 2_000  # files of one name that are looked at


class PathEnds:
    """The files of a repository by their last names."""

    def __init__(self, files: Iterable[str]) -> None:
        self.files = frozenset(files)
        self._named = dict[str, list[str]]()
        for file in sorted(self.files):
            self._named.setdefault(basename(file), []).append(file)

    def named(self, name: str) -> tuple[str, ...]:
        """All files of this name, in any folder."""
        return tuple(self._named.get(name, ()))

    def of(self, path: str) -> tuple[str, ...]:
        """The file of this very path; else those of which one path is the end of the other."""
        plain = normpath(path)
        if plain in self.files:
            return (plain,)
        within = f"/{plain}"
        candidates = self._named.get(basename(plain), [])[:_MOST]
        longer = tuple(one for one in candidates if one.endswith(within))
        return longer or tuple(one for one in candidates if within.endswith(f"/{one}"))[-1:]

    def alike(self, path: str) -> tuple[tuple[str, ...], int]:
        """Those that end most like it, and in how many names."""
        parts = normpath(path).split("/")[::-1]
        best, most = list[str](), 0
        for candidate in self._named.get(parts[0], [])[:_MOST]:
            alike = _alike(parts, candidate.split("/")[::-1])
            if alike > most:
                best, most = [], alike
            if alike == most:
                best.append(candidate)
        return tuple(best), most


def _alike(one: list[str], other: list[str]) -> int:
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
