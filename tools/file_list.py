"""The files of the work tree that are not ignored, as git sees them."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from react_agent.tools.git import work_tree

EVERYTHING = (":/",)
_WILD = re.compile(r"[*?\[]")
_SPECIAL = re.compile(r"[*?\[\]\\]")


def file_list(root: Path, *pathspecs: str) -> list[str]:
    """Tracked and new files that exist, sorted; a submodule is one entry."""
    listed = _listed(root, "-co", pathspecs)
    return sorted(name.rstrip("/") for name in listed if os.path.lexists(root / name))


def ignored_entries(root: Path, *pathspecs: str) -> list[str]:
    """Ignored files, and folders of which nothing else is known as one entry `name/`."""
    return sorted(_listed(root, "-oi", pathspecs, "--directory"))


def known_files(root: Path) -> list[str]:
    """The same names, sorted, but for one thing: a file that is gone may be among them."""
    return sorted(name.rstrip("/") for name in _listed(root, "-co", ()))


def ignored_files(root: Path, name: str) -> list[str]:
    """Those with this name, in any case, or that this glob means."""
    last = name.rstrip("/").rpartition("/")[2]
    wanted = last if is_glob(last) else _SPECIAL.sub(r"\\\g<0>", last)
    return sorted(_listed(root, "-oi", (f":(top,glob,icase)**/{wanted}",)))


def submodules(root: Path) -> list[str]:
    staged = _magic(root, "ls-files", "-z", "-s", "--", *EVERYTHING).split(b"\0")
    return [os.fsdecode(entry.split(b"\t")[1]) for entry in staged if entry[:7] == b"160000 "]


def with_folders(names: Sequence[str]) -> list[str]:
    """The folders that the files lie in, and the files."""
    folders = set[str]()
    for name in names:
        folder = name.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return [*sorted(folders), *names]


def is_glob(text: str) -> bool:
    return _WILD.search(text) is not None


def one_line(name: str) -> str:
    """As it is shown: a name may hold the end of a line, a listing may not."""
    return name.replace("\n", "\\n")


def literally(name: str) -> str:
    """The pathspec for one file or folder, whatever characters it has."""
    return f":(top,literal){'' if name == '.' else name}"


def by_glob(glob: str) -> str:
    """`*.py` matches in every folder, and `**/` matches no folder too."""
    return f":(top,glob){glob}" if "**" in glob else f":(top){glob}"


def _listed(root: Path, which: str, pathspecs: Sequence[str], *more: str) -> set[str]:
    args = ("ls-files", "-z", which, "--exclude-standard", *more, "--", *(pathspecs or EVERYTHING))
    return set(os.fsdecode(_magic(root, *args)).split("\0")) - {""}


def _magic(root: Path, *args: str) -> bytes:
    return work_tree(root).having(GIT_LITERAL_PATHSPECS="0").run(*args)
