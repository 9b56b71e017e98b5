"""An attempt in a report: why it is not resolved, and where its transcript shows that."""

from collections.abc import Iterator
from pathlib import Path

from rich.text import Text

from react_agent.eval.report.table import Line, sentence, shown
from react_agent.eval.task import Record
from react_agent.parsers.transcript.entries import Close
from react_agent.parsers.transcript.labels import BOOKKEEPING
from react_agent.state.transcript import NAME
from react_agent.tools import disk

_ENDS = tuple(f"{BOOKKEEPING} {close}:".encode() for close in (Close.OBJECTIVE, Close.SEEN))
_MARK = BOOKKEEPING.encode()


def explained(attempt: str, record: Record, columns: int) -> Iterator[Line]:
    """The step that shows it, and the reason."""
    step = f", step {record.step}" if record.step else ""
    reason = f": {record.reason}" if record.reason else ""
    yield from sentence(f"{attempt}{step}{reason}", columns, "  ", "    ")


def others_of(number: int, most: int | None) -> Iterator[Line]:
    if most is not None and number > most:
        yield Text(f"  ... and {number - most:,} more (--all)", "dim")


def link(record: Record, below: Path | None, indent: str) -> Iterator[Line]:
    """Its transcript, from a folder that was named, and the line; nothing if there is no file."""
    if record.folder is None or not (file := record.folder / NAME).is_file():
        return
    path = file.relative_to(below) if below and file.is_relative_to(below) else file
    line = f":{_line(file, record.step)}" if record.step else ""
    address = f"link {file.absolute().as_uri()}"
    yield Text.assemble(indent, (shown(f"{path}{line}"), address), no_wrap=True, overflow="ignore")


def _line(file: Path, step: int) -> int:
    """On which a step begins: behind the end of the one before, or of the objective."""
    ended = 0
    with disk.opened(file) as lines:
        for number, line in enumerate(lines, start=1):
            if line.startswith(_ENDS):
                ended += 1
            elif ended == step and not line.startswith(_MARK):
                return number
    return 1
