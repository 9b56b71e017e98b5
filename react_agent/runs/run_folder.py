"""Where a run lies, and how it is found again."""

from dataclasses import dataclass
from pathlib import Path

from react_agent.errors import MachineError, UsageError
from react_agent.loop.transcript import NAME
from react_agent.tools import disk
from react_agent.tools.disk import write_over
from react_agent.tools.git.door import HOST_GIT
from react_agent.tools.sandbox.sandbox import CALLS, ETC_COPY

CHANGES = "steps.diff"
LAST = "last"  # stands for the run that was added to last
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class RunFolder:
    path: Path
    name: str = NAME  # of its transcript

    @property
    def transcript(self) -> Path:
        return self.path / self.name

    @property
    def workspace(self) -> Path:
        return self.path / "workspace"

    @property
    def home(self) -> Path:
        """The home folder of the commands that the model runs."""
        return self.path / "home"

    @property
    def git(self) -> Path:
        """Our git directory of the workspace."""
        return self.path / HOST_GIT

    @property
    def calls(self) -> Path:
        """The filter of the commands' calls to the kernel."""
        return self.path / CALLS

    @property
    def etc(self) -> Path:
        """What the commands see as /etc, while the run goes on."""
        return self.path / ETC_COPY

    @property
    def memory(self) -> Path:
        """What the steps hold, by their words: made from the transcript."""
        return self.path / "memory.sqlite"

    @property
    def checkout(self) -> Path:
        """Where the repository's own tests run at the end."""
        return self.path / "checkout"

    @property
    def patch(self) -> Path:
        return self.path / "patch.diff"

    @property
    def changes(self) -> Path:
        """git's diff of each step that changed something."""
        return self.path / CHANGES

    @property
    def report(self) -> Path:
        return self.path / "report.md"


def create(runs: Path, name: str) -> RunFolder:
    folder = RunFolder(runs / name)
    try:
        disk.mkdir(folder.path, parents=True, mode=0o700)
    except OSError as error:
        raise MachineError(f"can't make {folder.path}: {error.strerror}") from error
    return folder


def find(runs: Path, named: str) -> RunFolder:
    """By its folder, its file, the beginning of its name if that is unique, or as the last one."""
    path = Path(named).absolute()
    if named and path.is_file():
        return RunFolder(path.parent, path.name)
    if named and (path / NAME).is_file():
        return RunFolder(path)
    named, _, below = named.partition("/sub/")
    if below:  # of a sub-agent
        folder = RunFolder(find(runs, named).path / "sub" / below)
        if folder.transcript.is_file():
            return folder
        raise UsageError(f"the run {named} has no sub/{below}")
    if named == LAST and (there := every(runs)):
        return max(there, key=lambda run: run.transcript.stat().st_mtime_ns)
    names = sorted(run.name for run in list(runs.iterdir())) if runs.is_dir() else []
    matches = [name for name in names if named and name.startswith(named)]
    if named in matches:
        matches = [named]
    if not matches:
        raise UsageError(f"no run {named!r}: it is a folder, a transcript, or the start of a name")
    if len(matches) > 1:
        shown = ", ".join(matches[:_SHOWN]) + (", ..." if len(matches) > _SHOWN else "")
        raise UsageError(f"{len(matches)} runs begin with {named!r}: {shown}")
    return RunFolder(runs / matches[0])


def every(runs: Path) -> list[RunFolder]:
    """The oldest first."""
    folders = sorted(runs.iterdir()) if runs.is_dir() else []
    return [RunFolder(folder) for folder in folders if (folder / NAME).is_file()]


def check_own(folder: RunFolder, run: str) -> None:
    """Refuse a folder that a run of this name did not make: a run writes and removes there."""
    if folder.path.name == run:
        return
    files = folder.report, folder.patch, folder.changes
    for place in (folder.workspace, folder.home, *files, folder.calls, folder.etc, folder.git):
        if place.exists():
            raise UsageError(
                f"{place} is in the way: put {folder.name} into a new folder, and resume that"
            )


def write_whole(path: Path, data: bytes) -> None:
    """Derived files are there whole or not at all."""
    try:
        write_over(path, data)
    except OSError as error:
        raise MachineError(f"can't write {path}: {error.strerror}") from error
