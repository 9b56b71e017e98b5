"""The files of the work tree that are not ignored, as git sees them."""

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from react_agent.tools.git.door import GitError, run_past_pipes, work_tree

EVERYTHING = (":/",)
LITERALLY = ":(top,literal)"
_WILD = re.compile(r"[*?\[]")
_SPECIAL = re.compile(r"[*?\[\]\\]")
_MANY = 500  # names: reading their folders is ten times as fast as asking for each of them
_SUBMODULE = "160000 "
_GLOB_DEADLINE_S = 1.4  # git tries all ways to match a glob with many stars


@dataclass(frozen=True, slots=True)
class Listing:
    files: list[str]
    submodules: list[str]


def file_list(root: Path, *pathspecs: str) -> list[str]:
    """Tracked and new files that exist, sorted; a submodule is one entry."""
    return sorted(_there(root, _split(_asked(root, "-co", pathspecs))))


def listing(root: Path) -> Listing:
    """All of these, and which of them are submodules, at the cost of one."""
    listed = _asked(root, "-cost", ())
    entries = _split(listed)
    new = [entry[2:] for entry in entries if entry.startswith("?")]
    staged = [entry[2:] for entry in entries[len(new) :]]  # git lists the new ones first
    start = staged[0].index("\t") + 1 if staged else 0  # of a name: all before it are as wide
    names = _there(root, chain(new, [entry[start:] for entry in staged]))
    return Listing(sorted(names), _submodules(staged) if _SUBMODULE in listed else [])


def ignored_entries(root: Path, *pathspecs: str) -> list[str]:
    """Ignored files, and folders of which nothing else is known as one entry `name/`."""
    return sorted(_asked(root, "-oi", pathspecs, "--directory").split("\0")[:-1])


def ignored_files(root: Path, name: str) -> list[str]:
    """Those with this name, in any case, or that this glob means."""
    last = name.rstrip("/").rpartition("/")[2]
    wanted = last if is_glob(last) else _SPECIAL.sub(r"\\\g<0>", last)
    return sorted(_asked(root, "-oi", (f":(top,glob,icase)**/{wanted}",)).split("\0")[:-1])


def with_folders(names: Sequence[str]) -> list[str]:
    """The folders that the files lie in, and the files."""
    return [*sorted(folders_of(names)), *names]


def folders_of(names: Iterable[str]) -> set[str]:
    """Those that they lie in, however deep."""
    folders = set[str]()
    for direct in {name.rpartition("/")[0] for name in names}:
        folder = direct
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return folders


def is_glob(text: str) -> bool:
    return _WILD.search(text) is not None


def one_line(name: str) -> str:
    """As it is shown: a name may hold the end of a line, a listing may not."""
    return name.replace("\n", "\\n")


def literally(name: str) -> str:
    """The pathspec for one file or folder, whatever characters it has."""
    return f"{LITERALLY}{'' if name == '.' else name}"


def by_glob(glob: str) -> str:
    """`*.py` matches in every folder, and `**/` matches no folder too."""
    return f":(top,glob){glob}" if "**" in glob else f":(top){glob}"


def _asked(root: Path, which: str, pathspecs: Sequence[str], *more: str) -> str:
    args = ("ls-files", "-z", which, "--exclude-standard", *more, "--", *(pathspecs or EVERYTHING))
    is_glob = any(not one.startswith((LITERALLY, *EVERYTHING)) for one in pathspecs)
    git = work_tree(root).having(GIT_LITERAL_PATHSPECS="0")
    if not is_glob:
        return os.fsdecode(run_past_pipes(root, git, *args))
    try:
        return os.fsdecode(git.run(*args, deadline_s=_GLOB_DEADLINE_S))
    except GitError as error:
        if error.is_late:
            raise GitError("the glob takes too long: write one with fewer stars") from None
        raise


def _submodules(staged: Iterable[str]) -> list[str]:
    return [entry.partition("\t")[2] for entry in staged if entry.startswith(_SUBMODULE)]


def _split(text: str) -> list[str]:
    """The entries, without the slash behind a folder that is a repository of its own."""
    return text.replace("/\0", "\0").split("\0")[:-1]


def _there(root: Path, names: Iterable[str]) -> list[str]:
    """Those that exist, be it as links that lead nowhere; each once, in this order."""
    each = dict.fromkeys(names)
    found = _in_folders(root, each) if len(each) > _MANY else ()
    return [name for name in each if name in found or os.path.lexists(f"{root}/{name}")]


def _in_folders(root: Path, names: Iterable[str]) -> set[str]:
    """All that lies beside them."""
    found = set[str]()
    for folder in {name.rpartition("/")[0] for name in names}:
        begin = f"{folder}/" if folder else ""
        with suppress(OSError):
            beside = os.listdir(root / folder)  # noqa: PTH208 - paths take five times as long
            found.update([begin + name for name in beside])
    return found
