"""Repair a patch so that it fits the files in a folder, and check it with git on copies of them."""

import os
import stat
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from react_agent.parsers.patch import Refused, Repaired
from react_agent.parsers.patch.changes import Result
from react_agent.tools import disk
from react_agent.tools.edits.edit import FileState, state_of, target
from react_agent.tools.errors import ReactAgentError, WorkspaceError
from react_agent.tools.files import paths
from react_agent.tools.files.file_list import listed_by_git
from react_agent.tools.git.built import files_in
from react_agent.tools.git.door import Git, complaint
from react_agent.tools.git.repository import enclosing

MOST_FILES = 50_000  # of a folder that is no repository
_APPLY = ("apply", "--whitespace=nowarn", "-p1", "-")
_EXECUTABLE = 0o100
Repair: TypeAlias = Callable[[str, Mapping[str, str]], Repaired | Refused]


class Unusable(ReactAgentError, LookupError):
    """The file exists, but it can't be patched."""

    exit_code = 1


class RepoFiles(Mapping[str, str]):
    """The files in a folder: a mapping from names to texts as a model sees them, read on demand.

    The names are listed once. All bytes and line endings are preserved. Links are not followed, and
    paths outside the folder are rejected. A file that is not listed can still be read by its name.
    """

    def __init__(
        self,
        root: Path,
        names: Callable[[], Collection[str]],
        redact: Callable[[str], str] = lambda text: text,
    ) -> None:
        self.root = root
        self.states = dict[str, FileState]()  # of those that were read
        self._list = names
        self._redact = redact  # lines stay lines, so each can be found again
        self._texts = dict[str, str]()

    @cached_property
    def _names(self) -> dict[str, None]:
        return dict.fromkeys(self._list())

    def __getitem__(self, name: str) -> str:
        if name not in self._texts:
            if name not in self:
                if name in self._names:  # a link to a folder, or gone since it was listed
                    raise Unusable(f"{name} is not a regular file: only those can be patched")
                raise KeyError(name)
            place = target(self.root, name)
            state = place if isinstance(place, paths.Refused) else state_of(place)
            if not isinstance(state, FileState):
                raise Unusable(state.reason if state else f"{name} does not exist")
            self.states[name] = state
            self._texts[name] = self._redact(state.text)
        return self._texts[name]

    def __contains__(self, name: object) -> bool:
        """Return whether a file or a link exists there. A link to a folder does not count."""
        place = f"{self.root}/{name}"
        try:
            mode = os.lstat(place).st_mode
        except (OSError, ValueError):
            return False
        return stat.S_ISREG(mode) or (stat.S_ISLNK(mode) and not Path(place).is_dir())

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def files_of(folder: Path) -> RepoFiles:
    """Return the files of the repository that contains this folder, or else those of the folder."""
    top = enclosing(folder)
    if top is None:
        whole = folder.resolve()
        return RepoFiles(whole, lambda: _walked(whole))
    if not (top / ".git").exists():
        raise WorkspaceError(f"{top} is a bare repository or inside .git: name a work tree")
    return RepoFiles(top, lambda: listed_by_git(top).files)


def _walked(root: Path) -> list[str]:
    found = list(islice(files_in(root), MOST_FILES + 1))
    if len(found) > MOST_FILES:
        raise WorkspaceError(
            f"{root} is not a repository and holds more than {MOST_FILES:,} files: "
            "name a smaller folder with --repo"
        )
    return sorted(found)


def repaired_for_git(text: str, files: RepoFiles, repair: Repair) -> Repaired | Refused:
    """Repair a patch, and also check it with git."""
    found = repaired(text, files, repair)
    if isinstance(found, Refused):
        return found
    why = _git(found.patch, found.results, files)
    return Refused((why,)) if why else found


def repaired(text: str, files: RepoFiles, repair: Repair) -> Repaired | Refused:
    """Repair a patch. Refuse it if it changes a binary file or if unidiff parses it differently."""
    try:
        found = repair(text, files)
        if isinstance(found, Refused):
            return found
        for one in found.results:  # a patch may move or delete a binary file
            if one.old and one.text is not None and "\0" in files[one.old] != one.text:
                why = f"{one.old} is a binary file: only text can be patched"
                return Refused((why,))
    except Unusable as error:
        return Refused((str(error),))
    except ValueError as error:  # the proof failed: what was to be written does not fit the files
        return Refused((f"the repaired patch has a different effect: {error}",))
    return found


def _git(patch: str, results: Sequence[Result], files: RepoFiles) -> str:
    """Return the reason why git rejects a patch. git sees only copies, and no user settings."""
    after: dict[str, str | None] = {one.old: None for one in results if one.old}
    after.update((one.new, one.text) for one in results if one.new)
    with disk.temporary_folder("patch") as made:
        copies = made.resolve()
        for name in after:
            if name in files:
                disk.mkdir((copies / name).parent, parents=True, exist_ok=True)
                disk.write_bytes(copies / name, _bytes(files[name]))
                if (files.states[name].mode or 0) & _EXECUTABLE:
                    disk.chmod(copies / name, 0o755)
        git = Git(copies).having(GIT_CEILING_DIRECTORIES=str(copies.parent))
        answer = git.ask(*_APPLY, stdin=_bytes(patch))
        if answer.code:
            return f"git rejects the repaired patch: {complaint(answer.err)}"
        for name, text in after.items():
            held = disk.read_bytes(copies / name) if (copies / name).is_file() else None
            if held != (None if text is None else _bytes(text)):
                return f"git applies the repaired patch differently: {name}"
    return ""


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")
