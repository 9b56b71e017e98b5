"""From the name of a model to the model: `replay/FILE`."""

from collections.abc import Callable
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.models.contract import Model
from react_agent.models.replay import Replay
from react_agent.parsers.entries import Said
from react_agent.transcript import NAME, read

KNOWN = "replay/FILE"


def open_model(spec: str, tell: Callable[[str], None]) -> Model:
    """`tell` takes what a person should hear of it, a line each."""
    kind, _, name = spec.partition("/")
    if kind != "replay" or not name:
        raise UsageError(f"no model {spec!r}; what there is: {KNOWN}")
    path = Path(name)
    entries = read(path / NAME if path.is_dir() else path).entries
    if not any(isinstance(entry, Said) for entry in entries):
        raise UsageError(f"{path} holds no turn of a model to replay")
    return Replay(entries, tell)
