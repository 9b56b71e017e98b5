"""The files of an attempt, which are written and synced before the database refers to them."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from react_agent.errors import UsageError
from react_agent.eval.store.database import NAME
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools import disk
from react_agent.tools.errors import machine_error

_SHOWN = 3


def find_experiment(named: str, root: Path) -> Path:
    """Find an experiment by its folder, or by a unique prefix of its name below `root`."""
    if named and (Path(named) / NAME).is_file():
        return Path(named).absolute()
    names = (place.parent.name for place in root.glob(f"*/{NAME}"))
    found = sorted(one for one in names if named and one.startswith(named))
    if named in found:
        found = [named]
    if not found:
        shown = escape(repr(named))
        known = f"name its folder, or the start of its name in {root}"
        raise UsageError(f"no experiment {shown}: {known}")
    if len(found) > 1:
        shown = ", ".join(found[:_SHOWN]) + (", ..." if len(found) > _SHOWN else "")
        raise UsageError(f"{len(found)} experiments begin with {named!r}: {shown}")
    return root / found[0]


PATCH, LOG = "patch.diff", "test_output.txt"


def write_folder(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write the folder, replacing any existing one. Raises MachineError."""
    half = folder.with_name(f"{folder.name}.new")
    with machine_error(f"can't write {folder}"):
        disk.remove_all(half)
        make_folder(folder.parent)
        disk.mkdir(half)
        for name, data in contents.items():
            if is_safe(name):
                disk.mkdir((half / name).parent, parents=True, exist_ok=True)
                disk.write_bytes(half / name, data)
        disk.sync_below(half)
        disk.remove_all(folder)
        disk.rename(half, folder)
        disk.sync(folder.parent)


def make_folder(folder: Path) -> None:
    """Create the folder and its parents, and sync each of them to disk."""
    if not folder.is_dir():
        make_folder(folder.parent)
        disk.mkdir(folder, exist_ok=True)
        disk.sync(folder.parent)


def is_safe(name: str) -> bool:
    """Return whether a path sent by a worker, perhaps on another machine, is inside the folder."""
    parts = PurePosixPath(name).parts
    return bool(parts) and "\0" not in name and not {"/", ".."} & {*parts} and name[-1] != "/"
