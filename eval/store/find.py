"""Where experiments lie, and how one is found again."""

from pathlib import Path

from react_agent.errors import UsageError
from react_agent.eval.store.database import NAME
from react_agent.parsers.transcript.quoting import escape

_SHOWN = 3


def find_experiment(named: str, root: Path) -> Path:
    """By its folder, or by the start of its name below the root if that is unique."""
    if named and (Path(named) / NAME).is_file():
        return Path(named).absolute()
    names = sorted(path.name for path in list(root.iterdir())) if root.is_dir() else []
    found = [
        one for one in names if named and one.startswith(named) and (root / one / NAME).is_file()
    ]
    if named in found:
        found = [named]
    if not found:
        shown = escape(repr(named))
        if Path(named).is_dir():
            raise UsageError(f"{shown} is a folder without an experiment: it has no {NAME}")
        raise UsageError(f"no experiment {shown}: it is a folder, or the start of a name in {root}")
    if len(found) > 1:
        shown = ", ".join(found[:_SHOWN]) + (", ..." if len(found) > _SHOWN else "")
        raise UsageError(f"{len(found)} experiments begin with {named!r}: {shown}")
    return root / found[0]
