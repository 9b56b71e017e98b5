"""Match file names with a glob in any folder, and find the folders of files."""

import fnmatch
import re
from collections.abc import Iterable, Sequence

_LITERAL = re.compile(r"\*\*/|[*?]|\[.*", re.DOTALL)


def glob_ways(glob: str) -> list[str]:
    """Return globs that match in any folder. `*` can span several folders; `**/` can match none."""
    ways = dict.fromkeys((glob.rstrip("/"), glob.rstrip("/").replace("**/", "")))
    return [one for way in ways for one in (way, f"*/{way}")]


def matching(glob: str, names: Sequence[str]) -> list[str]:
    ways = (way.replace("[^", "[!") for way in glob_ways(glob))
    one = re.compile("|".join(map(fnmatch.translate, ways)))
    # most names lack the literal text, and this check is faster
    literal = max(_LITERAL.split(glob.rstrip("/")), key=len)
    return [name for name in names if literal in name and one.match(name)]


def folders_of(names: Iterable[str]) -> set[str]:
    """Return all folders that contain these files, at any depth."""
    folders = set[str]()
    for direct in {name.rpartition("/")[0] for name in names}:
        folder = direct
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return folders
