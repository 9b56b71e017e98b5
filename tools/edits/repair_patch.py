"""A patch repaired for the files of a folder, and checked by unidiff, and by git on copies of them.

A folder is a mapping from names to texts: listed once, read when asked for. In a repository: what
git lists, from its top. Elsewhere: what lies there. Texts are decoded so that any bytes survive,
the ends of lines are as they are. No link is followed, and nothing leads out. No repository and no
setting stand behind the copies.
"""

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from react_agent.parsers.patch import Refused, Repaired, repair
from react_agent.parsers.patch.changes import Result
from react_agent.tools import disk
from react_agent.tools.edits.edit import FileState, state_of, target
from react_agent.tools.errors import ReactAgentError, WorkspaceError
from react_agent.tools.files import paths
from react_agent.tools.files.file_list import file_list
from react_agent.tools.git.door import Git
from react_agent.tools.git.repository import enclosing

MOST_FILES = 50_000  # of a folder that is no repository


class Unusable(ReactAgentError):
    """A file is there, and can't be patched."""

    exit_code = 1


class RepoFiles(Mapping[str, str]):
    def __init__(self, root: Path, names: Callable[[], Collection[str]]) -> None:
        self.root = root
        self._list = names
        self._texts = dict[str, str]()
        self.states = dict[str, FileState]()  # of those that were read

    @cached_property
    def _names(self) -> dict[str, None]:
        return dict.fromkeys(self._list())

    def __getitem__(self, name: str) -> str:
        if name not in self:
            if name in self._names:  # a link to a folder, or gone since it was listed
                raise Unusable(f"{name} is not a regular file: only those can be patched")
            raise KeyError(name)
        if name not in self._texts:
            self._texts[name] = self.text(name)
        return self._texts[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def text(self, name: str) -> str:
        text = self.state(name).text
        if "\0" in text:
            raise Unusable(f"{name} is a binary file: only text can be patched")
        return text

    def state(self, name: str) -> FileState:
        place = target(self.root, name)
        state = place if isinstance(place, paths.Refused) else state_of(place)
        if state is None:
            raise Unusable(f"{name} does not exist")
        if isinstance(state, paths.Refused):
            raise Unusable(state.reason)
        self.states[name] = state
        return state


def files_of(folder: Path) -> RepoFiles:
    """The files of the repository that holds this folder, or of the folder if there is none."""
    top = enclosing(folder)
    if top is None:
        whole = folder.resolve()
        return RepoFiles(whole, lambda: walked(whole))
    if not (top / ".git").exists():
        raise WorkspaceError(f"{top} is a bare repository, or lies in .git: name a work tree")
    return RepoFiles(top, lambda: file_list(top))


def walked(root: Path, most: int = MOST_FILES) -> list[str]:
    """All regular files below, without what belongs to git and what may not be read."""
    found, folders = list[str](), [""]
    while folders:
        begin = folders.pop()
        with suppress(PermissionError):
            for entry in disk.entries(root / begin):
                if entry.is_file(follow_symlinks=False):
                    found.append(begin + entry.name)
                elif entry.is_dir(follow_symlinks=False) and entry.name != ".git":
                    folders.append(f"{begin}{entry.name}/")
        if len(found) > most:
            raise WorkspaceError(
                f"{root} is no repository and holds more than {most:,} files: "
                "name a smaller folder with --repo"
            )
    return sorted(found)


Repair: TypeAlias = Callable[[str, Mapping[str, str]], Repaired | Refused]


def repaired_for_git(text: str, files: RepoFiles, repair: Repair = repair) -> Repaired | Refused:
    """Tried by git too."""
    found = repaired(text, files, repair)
    if isinstance(found, Refused):
        return found
    why = _git(found.patch, found.results, files)
    return Refused((why,), found.roles) if why else found


def repaired(text: str, files: RepoFiles, repair: Repair) -> Repaired | Refused:
    """Proved by ourselves, and read by unidiff."""
    try:
        found = repair(text, files)
    except Unusable as error:
        return Refused((str(error),))
    except ValueError as error:  # the proof failed: what was to be written does not fit the files
        return Refused((f"the repaired patch does not do what it should: {error}",))
    if isinstance(found, Refused):
        return found
    why = _objection(found.patch, found.results, files)
    return Refused((why,), found.roles) if why else found


_APPLY = ("apply", "--whitespace=nowarn", "-p1", "-")
_EXECUTABLE = 0o100


def _objection(patch: str, results: Sequence[Result], files: RepoFiles) -> str:
    """Why it must not be given away; empty where nobody objects."""
    in_the_way = [
        one.new
        for one in results
        if one.new and one.new not in files and os.path.lexists(files.root / one.new)
    ]
    if in_the_way:
        return f"{in_the_way[0]} would be created, and something ignored lies there already"
    return _unidiff(patch, results)


def _git(patch: str, results: Sequence[Result], files: RepoFiles) -> str:
    after: dict[str, str | None] = {one.old: None for one in results if one.old}
    after.update((one.new, one.text) for one in results if one.new)
    with disk.temporary_folder("patch") as made:
        copies = made.resolve()
        for name in after:
            if name in files:
                _copy(files, name, copies)
        git = Git(copies).having(GIT_CEILING_DIRECTORIES=str(copies.parent))
        answer = git.ask(*_APPLY, stdin=_bytes(patch))
        if answer.code:
            return f"git would not take the repaired patch: {_first_line(answer.err)}"
        wrong = [name for name, text in after.items() if _made(copies / name) != text]
    return f"git makes something else of the repaired patch: {wrong[0]}" if wrong else ""


def _made(place: Path) -> str | None:
    """What a file holds; None: there is none."""
    return disk.read_bytes(place).decode(errors="surrogateescape") if place.is_file() else None


def _copy(files: RepoFiles, name: str, copies: Path) -> None:
    place = copies / name
    disk.mkdir(place.parent, parents=True, exist_ok=True)
    disk.write_bytes(place, _bytes(files[name]))
    if (files.root / name).stat().st_mode & _EXECUTABLE:
        disk.chmod(place, 0o755)


def _unidiff(patch: str, results: Sequence[Result]) -> str:
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    try:
        read = len(PatchSet(patch))
    except UnidiffParseError as error:
        return f"unidiff can't read the repaired patch: {error}"
    if read != len(results):
        return f"unidiff reads {read} files in the repaired patch, and not {len(results)}"
    return ""


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


def _first_line(complaint: str) -> str:
    return complaint.strip().split("\n")[0].removeprefix("error: ").removeprefix("fatal: ")
