"""The files of a folder as a mapping from names to texts: listed once, read when asked for.

In a repository: what git lists, from its top. Elsewhere: what lies there. Texts are decoded so that
any bytes survive, the ends of lines are as they are. No link is followed, and nothing leads out.
"""

import os
import stat
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.context import Context
from react_agent.tools.edits.edit import FileState, state_of, target
from react_agent.tools.errors import ReactAgentError, WorkspaceError
from react_agent.tools.files.file_list import file_list, known_files
from react_agent.tools.files.paths import Place, Refused, open_inside, settled
from react_agent.tools.git.repository import enclosing

MOST_BYTES = 20 * 1024 * 1024
MOST_FILES = 50_000  # of a folder that is no repository


class Unusable(ReactAgentError):
    """A file is there, and can't be patched."""

    exit_code = 1


class RepoFiles(Mapping[str, str]):
    def __init__(self, root: Path, names: Callable[[], Collection[str]]) -> None:
        self.root = root
        self._list = names
        self._texts = dict[str, str]()

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
        return _text(Place(self.root, name))

    def only(self, names: Collection[str]) -> "RepoFiles":
        """As if there were no others."""
        return RepoFiles(self.root, lambda: names)


def files_of(folder: Path) -> RepoFiles:
    """Of the repository that this folder belongs to, or of the folder."""
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


def _text(place: Place) -> str:
    real = settled(place)
    if isinstance(real, Refused):
        raise Unusable(real.reason)
    if real.name != place.name:
        what = f"{place.name} is a symbolic link, or lies behind one"
        raise Unusable(f"{what}: patch the file it leads to, {real.name}")
    data = _bytes(place)
    if b"\0" in data:
        raise Unusable(f"{place.name} is a binary file: only text can be patched")
    return data.decode(errors="surrogateescape")


def _bytes(place: Place) -> bytes:
    opened = open_inside(place)
    if isinstance(opened, Refused):
        raise Unusable(opened.reason)
    with opened:
        data = opened.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Unusable(f"{place.name} is larger than 20 MB: too large to be patched here")
    return data


class WorkFiles(RepoFiles):
    def __init__(self, context: Context) -> None:
        super().__init__(context.root, lambda: known_files(context))
        self._redact = context.redact  # lines stay lines, so each can be found again
        self.states = dict[str, FileState]()  # of those that were read

    def __contains__(self, name: object) -> bool:
        """A link to no folder counts: what it leads to is said when it is read."""
        place = f"{self.root}/{name}"
        try:
            mode = os.lstat(place).st_mode
        except (OSError, ValueError):
            return False
        return stat.S_ISREG(mode) or (stat.S_ISLNK(mode) and not Path(place).is_dir())

    def text(self, name: str) -> str:
        place = target(self.root, name)
        state = place if isinstance(place, Refused) else state_of(place)
        if state is None:
            raise Unusable(f"{name} does not exist")
        if isinstance(state, Refused):
            raise Unusable(state.reason)
        self.states[name] = state
        return self._redact(state.text)
