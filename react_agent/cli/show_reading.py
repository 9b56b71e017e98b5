"""The transcript that is shown."""

from pathlib import Path

from react_agent.errors import TranscriptError
from react_agent.loop.transcript import read
from react_agent.parsers.transcript.entries import Reading


def whole_run(path: Path) -> Reading:
    reading = read(path)
    if not reading.entries:
        raise TranscriptError(f"{path} holds no whole entry: there is nothing to show")
    return reading
