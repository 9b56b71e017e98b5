"""Repositories as reports call them: of a path as much of its end as tells it from the others."""

from collections.abc import Iterable, Mapping
from pathlib import PurePath


def short_names(named: Iterable[str]) -> Mapping[str, str]:
    """Only paths are long: OWNER/NAME and addresses say what they are."""
    all_ = dict.fromkeys(named)
    paths = {name: PurePath(name).parts for name in all_ if PurePath(name).is_absolute()}
    others = [PurePath(name).parts for name in all_ if name not in paths]
    return {name: _short(paths[name], [*paths.values(), *others]) for name in paths} | {
        name: name for name in all_ if name not in paths
    }


def _short(parts: tuple[str, ...], all_: Iterable[tuple[str, ...]]) -> str:
    for size in range(1, len(parts)):
        end = parts[-size:]
        if sum(other[-size:] == end for other in all_) == 1:
            return "/".join(end)
    return str(PurePath(*parts))
