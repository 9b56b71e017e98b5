"""Print wrapped lines and tables on a terminal."""

import textwrap
from collections.abc import Collection, Iterator, Sequence

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from react_agent.parsers.transcript.quoting import escape

_HANG = 2  # columns more than the indent of the line itself
_TAB = 8


def wrapped(line: Text, screen: Console, hang: int = _HANG, columns: int = 0) -> Iterator[Text]:
    """Yield the rows of a line as wide as a terminal. Later rows are indented.

    If the output is not a terminal, yield the line itself.
    """
    columns = columns or screen.width
    if not screen.is_terminal:
        yield line
        return
    line = line.copy()
    line.expand_tabs(_TAB)
    line.rstrip()
    if line.cell_len <= columns:
        yield line
        return
    spaces = len(line.plain) - len(line.plain.lstrip(" "))
    first, later = (" " * min(spaces + more, columns // 2) for more in (0, hang))
    for at, row in enumerate(line[spaces:].wrap(screen, columns - len(later))):
        row.rstrip()
        yield Text.assemble(later if at else first, row)


_LEAST = 20  # columns that the last cell needs; with fewer it goes below the row
_BELOW = 4  # its indent there


def print_table(
    rows: Sequence[Sequence[str | Text]],
    screen: Console,
    *,
    styles: Sequence[str] = (),
    right: Collection[int] = (),
    cut: bool = False,
    gap: str = "  ",
) -> None:
    """Print a table. On a terminal, the last cell is wrapped or cut to fit the width.

    `styles` are the styles of the columns, `right` the columns that are aligned to the right.
    """
    cells = [
        [
            cell if isinstance(cell, Text) else Text(escape(cell), styles[at] if styles else "")
            for at, cell in enumerate(row)
        ]
        for row in rows
    ]
    count = max((len(row) for row in cells), default=1) - 1
    widths = [max(cell_len(row[at].plain) for row in cells) for at in range(count)]
    for *before, last in cells:
        head = Text()
        for at, (cell, width) in enumerate(zip(before, widths, strict=True)):
            pad = " " * (width - cell_len(cell.plain))
            head = Text.assemble(head, *((pad, cell) if at in right else (cell, pad)), gap)
        for line in _row(head, last, screen, cut):
            line.rstrip()
            screen.print(line)


def _row(head: Text, last: Text, screen: Console, cut: bool) -> Iterator[Text]:
    indent, columns = cell_len(head.plain), screen.width
    if not screen.is_terminal:
        yield head + last
        return
    if columns - indent < _LEAST:
        words = textwrap.wrap(head.plain, columns, break_long_words=False, break_on_hyphens=False)
        yield from map(Text, words)  # a name is copied in one piece
        head, indent = Text(" " * _BELOW), _BELOW
    room = columns - indent
    if cut and cell_len(last.plain) > room:
        last = Text(f"{set_cell_size(last.plain, room - 1).rstrip()}…", last.style)
    whole = " " not in last.plain  # a path is not wrapped either
    first, *others = [last] if whole else wrapped(last, screen, 0, room)
    if first or head:
        yield head + first
    yield from (Text(" " * indent) + other for other in others)
