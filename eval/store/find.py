"""Where experiments lie, and how one is found again."""

from pathlib import Path

from react_agent.errors import UsageError
from react_agent.eval.store.database import NAME
from react_agent.parsers.quoting import escape
from react_agent.tools import on_disk

_SHOWN = 3


def find_experiment(named: str, root: Path) -> Path:
    """By its folder, or by the start of its name below the root if that is unique."""
    if named and on_disk.is_file(Path(named) / NAME):
        return Path(named).absolute()
    names = sorted(path.name for path in on_disk.iterdir(root)) if on_disk.is_dir(root) else []
    found = [
        one
        for one in names
        if named and one.startswith(named) and on_disk.is_file(root / one / NAME)
    ]
    if named in found:
        found = [named]
    if not found:
        shown = escape(repr(named))
        if on_disk.is_dir(Path(named)):
            raise UsageError(f"{shown} is a folder without an experiment: it has no {NAME}")
        raise UsageError(f"no experiment {shown}: it is a folder, or the start of a name in {root}")
    if len(found) > 1:
        shown = ", ".join(found[:_SHOWN]) + (", ..." if len(found) > _SHOWN else "")
        raise UsageError(f"{len(found)} experiments begin with {named!r}: {shown}")
    return root / found[0]
