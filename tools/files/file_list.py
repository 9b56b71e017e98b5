"""The files of the work tree that are not ignored: of the last checkpoint, or as git lists them."""

import functools
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from react_agent.parsers.text.timed_pattern import PatternError, TimedPattern
from react_agent.tools.clock import monotonic
from react_agent.tools.errors import WorkspaceError
from react_agent.tools.git.door import GitError, host_git, run_past_pipes, work_tree

if TYPE_CHECKING:  # a filter that lists files has no run
    from react_agent.tools.context import Context

EVERYTHING = (":/",)
_SUBMODULE = b"160000"  # its mode
_LIST = ("ls-files", "-z", "--exclude-standard")
_SPECIAL = re.compile(r"[*?\[\]\\]")
_WILD = re.compile(r"[*?\[]")
_PART = re.compile(
    r"(?P<folders>(?:^|(?<=/))\*\*/)|(?P<below>(?:^|(?<=/))\*\*$)|(?P<star>\*+)|(?P<one>\?)"
    r"|\[(?P<none>[!^]?)(?P<set>\]?(?:\[:\w+:\]|\\.|[^\]\\])*)\]|\\?(?P<plain>.)",
    re.DOTALL,
)
_GLOB_S = 1.4  # there are many ways to match a glob with many stars
_TOO_SLOW = "the glob takes too long: write one with fewer stars"


@dataclass(frozen=True, slots=True)
class Listing:
    files: tuple[str, ...]  # sorted; a submodule is one of them
    submodules: tuple[str, ...] = ()


def listing(context: "Context") -> Listing:
    from react_agent.tools.git.objects import is_known

    if is_known(context.tree):
        return _of_tree(host_git(context.root), context.tree)
    return _of_git(context.root)


def known_files(context: "Context") -> tuple[str, ...]:
    return listing(context).files


def file_list(root: Path) -> list[str]:
    """Where no checkpoint is known: tracked and new files that exist."""
    return list(_of_git(root).files)


@functools.lru_cache(maxsize=2)
def _of_tree(git_dir: Path, tree: str) -> Listing:
    from react_agent.tools.git.objects import objects_in

    objects = objects_in(git_dir)
    found = objects.files(objects.tree_of(tree))
    entries = {os.fsdecode(path): entry for path, entry in found}
    submodules = (name for name, entry in entries.items() if entry.mode == _SUBMODULE)
    return Listing(tuple(sorted(entries)), tuple(sorted(submodules)))


def _of_git(root: Path) -> Listing:
    """Files that exist, be it as links that lead nowhere."""
    told = _asked(root, "-cost").split("\0")[:-1]
    modes = dict[str, str]()
    for entry in told:  # `? NAME`, or `H MODE ID STAGE<tab>NAME`
        facts, _, name = entry.partition("\t") if entry[0] != "?" else ("", "", entry[2:])
        modes[name.rstrip("/")] = facts[2:8]  # a repository that is new ends in a slash
    files = (name for name in modes if os.path.lexists(f"{root}/{name}"))
    submodules = (name for name, mode in modes.items() if mode.encode() == _SUBMODULE)
    return Listing(tuple(sorted(files)), tuple(sorted(submodules)))


def ignored_entries(root: Path, folder: str) -> list[str]:
    """Ignored files; a folder that holds only ignored files is one entry, `name/`."""
    return sorted(_asked(root, "-oi", "--directory", "--", literally(folder)).split("\0")[:-1])


def ignored_files(root: Path, name: str) -> list[str]:
    """Those with this name, in any case, or that this glob means."""
    last = name.rstrip("/").rpartition("/")[2]
    wanted = last if is_glob(last) else _SPECIAL.sub(r"\\\g<0>", last)
    git = work_tree(root).having(GIT_LITERAL_PATHSPECS="0")
    try:
        told = git.run(*_LIST, "-oi", "--", f":(top,glob,icase)**/{wanted}", deadline_s=_GLOB_S)
    except GitError as error:
        raise GitError(_TOO_SLOW) if error.is_late else error from None
    return sorted(os.fsdecode(told).split("\0")[:-1])


def _asked(root: Path, *which: str) -> str:
    git = work_tree(root).having(GIT_LITERAL_PATHSPECS="0")
    return os.fsdecode(run_past_pipes(root, git, *_LIST, *which))


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
    return f":(top,literal){'' if name == '.' else name}"


def by_glob(glob: str) -> str:
    """`*.py` matches in every folder, and `**/` matches no folder too."""
    return f":(top,glob){glob}" if "**" in glob else f":(top){glob}"


def below(folder: str, names: Sequence[str]) -> list[str]:
    """The files of a folder, or the file of this name."""
    if folder == ".":
        return list(names)
    return [name for name in names if name == folder or name.startswith(f"{folder}/")]


def globbed(glob: str, names: Sequence[str]) -> list[str]:
    """Those that git matches with `by_glob`. Raises ReactAgentError where that takes too long."""
    ends = monotonic() + _GLOB_S
    try:
        pattern = TimedPattern(_pattern(_by_bytes(glob)))
        found = ((name, pattern.find(_by_bytes(name), ends - monotonic())) for name in names)
        return [name for name, at in found if at is not None]
    except PatternError as error:
        raise WorkspaceError(_TOO_SLOW if monotonic() > ends else str(error)) from None


def _by_bytes(text: str) -> str:
    """With a character for each byte, as git matches."""
    return os.fsencode(text).decode("latin-1")


def _pattern(glob: str) -> str:
    one, no_slash = ("[^/]", "(?!/)") if "**" in glob else (".", "")

    def part(found: re.Match[str]) -> str:
        kind = found.lastgroup or ""
        if kind == "set":
            inner = re.sub(r"(?<!\\)\[(?!:)|^\]", r"\\\g<0>", found["set"])
            return f"{no_slash}[{'^' * len(found['none'])}{inner}]"
        whole = {"folders": "(?:.*/)?", "below": ".*", "star": f"{one}*", "one": one}
        return whole.get(kind) or re.escape(found["plain"])

    return rf"(?s)\A{_PART.sub(part, glob)}\Z"
