"""The files of the work tree as an edit finds them: those that git ignores, too, by their names."""

import os
import stat
from pathlib import Path

from react_agent.tools.context import Context
from react_agent.tools.edits.edit import FileState, state_of, target
from react_agent.tools.files.file_list import file_list
from react_agent.tools.files.paths import Refused
from react_agent.tools.files.repo_files import RepoFiles, Unusable


class WorkFiles(RepoFiles):
    def __init__(self, context: Context) -> None:
        super().__init__(context.root, lambda: file_list(context.root))
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
