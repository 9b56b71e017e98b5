"""Where a run lies, and how it is found again."""

from dataclasses import dataclass
from pathlib import Path

from react_agent.errors import MachineError, UsageError
from react_agent.transcript import NAME


@dataclass(frozen=True, slots=True)
class RunFolder:
    path: Path

    @property
    def transcript(self) -> Path:
        return self.path / NAME

    @property
    def workspace(self) -> Path:
        return self.path / "workspace"

    @property
    def home(self) -> Path:
        """The home folder of the commands that the model runs."""
        return self.path / "home"

    @property
    def patch(self) -> Path:
        return self.path / "patch.diff"

    @property
    def report(self) -> Path:
        return self.path / "report.md"


def create(runs: Path, name: str) -> RunFolder:
    folder = RunFolder(runs / name)
    try:
        folder.path.mkdir(parents=True, mode=0o700)
    except OSError as error:
        raise MachineError(f"can't make {folder.path}: {error.strerror}") from error
    return folder


def find(runs: Path, named: str) -> RunFolder:
    """By its folder, its file, or the beginning of its name if that is unique."""
    path = Path(named)
    if path.is_file():
        return RunFolder(path.absolute().parent)
    if (path / NAME).is_file():
        return RunFolder(path.absolute())
    names = sorted(run.name for run in runs.iterdir()) if runs.is_dir() else []
    matches = [name for name in names if name.startswith(named)]
    if named in matches:
        matches = [named]
    if len(matches) == 1 and named:
        return RunFolder(runs / matches[0])
    if matches and named:
        raise UsageError(f"{len(matches)} runs begin with {named!r}: {', '.join(matches[:3])} ...")
    raise UsageError(f"no run {named!r}: it is a folder, a transcript, or the start of a name")


def write_whole(path: Path, data: bytes) -> None:
    """Derived files are there whole or not at all."""
    half = path.with_suffix(path.suffix + ".new")
    try:
        half.write_bytes(data)
        half.replace(path)
    except OSError as error:
        half.unlink(missing_ok=True)
        raise MachineError(f"can't write {path}: {error.strerror}") from error
