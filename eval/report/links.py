"""Where one can look at what is told: a transcript, at the line where a step begins."""

from pathlib import Path

from rich.text import Text

from react_agent.eval.record import Record
from react_agent.eval.report.table import shown
from react_agent.loop.transcript import NAME
from react_agent.parsers.transcript.entries import Close
from react_agent.parsers.transcript.labels import BOOKKEEPING
from react_agent.tools import disk

_ENDS = tuple(f"{BOOKKEEPING} {close}:".encode() for close in (Close.OBJECTIVE, Close.SEEN))
_MARK = BOOKKEEPING.encode()


def link(record: Record, below: Path | None, indent: str) -> list[Text]:
    """Its path below a folder that was named, and the line; no line where there is no file."""
    if record.folder is None or not (file := record.folder / NAME).is_file():
        return []
    path = file.relative_to(below) if below and file.is_relative_to(below) else file
    line = f":{_line(file, record.step)}" if record.step else ""
    address = file.absolute().as_uri()
    return [Text.assemble(indent, (shown(f"{path}{line}"), f"link {address}"))]


def _line(file: Path, step: int) -> int:
    """On which it begins: behind the end of the one before, or of the objective."""
    ended = 0
    with disk.opened(file) as lines:
        for number, line in enumerate(lines, start=1):
            if line.startswith(_ENDS):
                ended += 1
            elif ended == step and not line.startswith(_MARK):
                return number
    return 1
