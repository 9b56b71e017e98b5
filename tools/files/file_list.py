"""List the non-ignored files of the work tree, and suggest names that resemble a missing one.

The files are those of the last checkpoint, or else those that git lists.
"""

import difflib
import functools
import heapq
import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from posixpath import basename, dirname, normpath
from typing import TYPE_CHECKING

from react_agent.parsers.repo.globs import folders_of
from react_agent.parsers.text.counted import first_few
from react_agent.tools.disk import remove_pipes
from react_agent.tools.git import door
from react_agent.tools.git.door import GitError, host_git, names, work_tree

if TYPE_CHECKING:  # a filter that lists files has no run
    from react_agent.tools.context import Context

EVERYTHING = (":/",)
_SUBMODULE = b"160000"  # its mode
_LIST = ("ls-files", "-z", "--exclude-standard")
_WILD = re.compile(r"[*?\[]")
_MOST_NEAR = 5  # suggestions
_MOST_LISTED = 8
_BESIDE = 3  # of the folder that was named
_CANDIDATES = 100  # difflib is slow: only names that share letters with the wanted one get there
_ALIKE = 0.65
_END = "\0"  # of a path, which can't hold it
_LONG_ENOUGH = 4  # letters, to be like a name without its extension


@dataclass(frozen=True, slots=True)
class Listing:
    files: tuple[str, ...]  # sorted; a submodule is one of them
    submodules: tuple[str, ...] = ()


def listing(context: "Context") -> Listing:
    from react_agent.tools.git.objects import is_known

    if is_known(context.tree):
        return _of_tree(host_git(context.root), context.tree)
    return listed_by_git(context.root)


@functools.lru_cache(maxsize=2)
def _of_tree(git_dir: Path, tree: str) -> Listing:
    from react_agent.tools.git.objects import objects_in

    entries = dict(objects_in(git_dir).files(tree))
    submodules = (name for name, entry in entries.items() if entry.mode == _SUBMODULE)
    return Listing(tuple(sorted(entries)), tuple(sorted(submodules)))


def listed_by_git(root: Path) -> Listing:
    """Return the existing files, including dangling links, as listed by git."""
    modes = dict[str, str]()
    for entry in _asked(root, "-cost"):  # `? NAME`, or `H MODE ID STAGE<tab>NAME`
        facts, _, name = entry.partition("\t") if entry[0] != "?" else ("", "", entry[2:])
        modes[name.rstrip("/")] = facts[2:8]  # a repository that is new ends in a slash
    files = (name for name in modes if os.path.lexists(f"{root}/{name}"))
    submodules = (name for name, mode in modes.items() if mode.encode() == _SUBMODULE)
    return Listing(tuple(sorted(files)), tuple(sorted(submodules)))


def ignored_entries(root: Path, folder: str) -> list[str]:
    """Return the ignored files. A folder that contains only ignored files is one entry, `name/`."""
    return sorted(_asked(root, "-oi", "--directory", "--", literally(folder)))


def _asked(root: Path, *which: str) -> list[str]:
    """Return what git lists. If it hangs, remove pipes that commands left in the work tree."""
    ask = partial(work_tree(root).having(GIT_LITERAL_PATHSPECS="0").run, *_LIST, *which)
    if host_git(root).is_dir():
        try:
            return names(ask(deadline_s=door.FIRST_S))
        except GitError as error:
            if not error.is_late:
                raise
        remove_pipes(root)
    return names(ask(deadline_s=door.SECOND_S))


def with_folders(names: Sequence[str]) -> list[str]:
    """Return the folders that contain the files, followed by the files."""
    return [*sorted(folders_of(names)), *names]


def is_glob(text: str) -> bool:
    return _WILD.search(text) is not None


def one_line(name: str) -> str:
    """Return a name with its line breaks escaped, because a listing has one name per line."""
    return name.replace("\n", "\\n")


def literally(name: str) -> str:
    """Return the pathspec for exactly one file or folder, even if its name has wildcards."""
    return f":(top,literal){'' if name == '.' else name}"


def below(folder: str, names: Sequence[str]) -> list[str]:
    """Return the files in a folder, or the file itself if the name is that of a file."""
    if folder == ".":
        return list(names)
    return [name for name in names if name == folder or name.startswith(f"{folder}/")]


def near_names(wanted: str, known: Sequence[str]) -> tuple[str, ...]:
    """Return files with the same name in other folders, or else files with similar names."""
    name = basename(wanted.rstrip("/")).casefold()
    folded = _END.join(known).casefold().split(_END) if known else []
    lasts = [path.rpartition("/")[2] for path in folded]
    same = [path for path, last in zip(known, lasts, strict=True) if last == name]
    nearest_first = sorted(same, key=lambda path: (-_likeness(wanted, path), path))
    return tuple(nearest_first or _spelled_alike(name, known, lasts))[:_MOST_NEAR]


def near_it(wanted: str, known: Sequence[str]) -> str:
    """Return a note with similar names: first those in the named folder, then others.

    The note is shown after the name of a missing file. It is empty if no name is similar.
    """
    path = normpath(wanted)
    folder = dirname(path)
    beside = [name for name in known if folder and dirname(name) == folder]
    nearest_first = sorted(beside, key=lambda name: (-_likeness(path, name), name))
    near = dict.fromkeys((*nearest_first[:_BESIDE], *near_names(wanted, known)))
    return f"; near it: {listed([*near][:_MOST_NEAR])}" if near else ""


def _spelled_alike(name: str, known: Sequence[str], lasts: Sequence[str]) -> list[str]:
    """Return the names with a spelling similar to this one, with or without the extension."""
    shared, ends = Counter[int](), [f" {last} " for last in lasts]
    padded = f" {name} "
    for pair in {padded[at : at + 2] for at in range(len(padded) - 1)}:
        shared.update([at for at, end in enumerate(ends) if pair in end])
    is_stem = len(name) >= _LONG_ENOUGH and "." not in name
    scored = list[tuple[float, str]]()
    for _, path, at in heapq.nlargest(
        _CANDIDATES, ((n, known[at], at) for at, n in shared.items())
    ):
        stem, dot, _ = lasts[at].rpartition(".")
        written = (lasts[at], stem) if is_stem and dot else (lasts[at],)
        scored.append((max(_likeness(name, one) for one in written), path))
    return [path for score, path in sorted(scored, reverse=True) if score >= _ALIKE]


def _likeness(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()


def listed(names: Sequence[str]) -> str:
    """Return a list of the first names, followed by the number of names left out."""
    return first_few([one_line(name) for name in names], _MOST_LISTED)
