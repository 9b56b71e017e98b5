"""From the name of a model to the model."""

from collections.abc import Callable
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.loop.sub_transcript import sub_name
from react_agent.loop.transcript import NAME, read
from react_agent.models.replay import Replay
from react_agent.parsers.transcript.entries import Said

REPLAY = "replay/"
KNOWN = (
    "anthropic/NAME, openai/NAME, completions/NAME, responses/NAME, replay/FILE, or a name of yours"
)


def open_replay(spec: str, tell: Callable[[str], None]) -> Replay:
    """`tell` takes what a person should hear of it, a line each."""
    if not spec.removeprefix(REPLAY):
        raise UsageError(f"no model {spec!r}; write replay/FILE")
    path = Path(spec.removeprefix(REPLAY))
    entries = read(path / NAME if path.is_dir() else path).entries
    if not any(isinstance(entry, Said) for entry in entries):
        raise UsageError(f"{path} holds no turn of a model to replay")
    return Replay(entries, tell)


def is_replay(spec: str) -> bool:
    return spec.startswith(REPLAY)


def within_step(spec: str, own: str, step: int) -> str:
    """The model of the run within a step: its own if it has one; a replay has what was recorded."""
    if not is_replay(spec):
        return own or spec
    recorded = Path(spec.removeprefix(REPLAY))
    folder = recorded if recorded.is_dir() else recorded.parent
    return f"{REPLAY}{folder / sub_name(step)}"
