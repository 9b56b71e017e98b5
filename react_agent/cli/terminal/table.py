"""Print wrapped lines and tables on a terminal."""

import textwrap
from collections.abc import Collection, Iterator, Sequence

from rich.cells import cell_len, get_character_cell_size, set_cell_size
from rich.console import Console
from rich.text import Text

from react_agent.parsers.transcript.quoting import escape

_HANG = 2  # columns more than the indent of the line itself
_TAB = 8
_FULL = 3  # a word is broken if moving it would leave a row less than a third full


def wrapped(line: Text, columns: int, hang: int = _HANG) -> Iterator[Text]:
    """Yield the rows of a line, wrapped between words if possible. Later rows are indented."""
    line = line.copy()
    line.expand_tabs(_TAB)
    line.rstrip()
    plain = line.plain
    if len(plain) <= columns and cell_len(plain) <= columns:
        yield line
        return
    start = _past_blanks(plain, 0)
    before, indent = (" " * min(start + more, columns // 2) for more in (0, hang))
    while start < len(plain):
        end = _end(plain, start, columns - len(before))
        yield Text.assemble(before, line[start:end])
        start, before = _past_blanks(plain, end), indent


def _end(plain: str, start: int, room: int) -> int:
    """Return the end of a row: the last space if it is far enough right, else the last column."""
    end, used = start, 0
    while end < len(plain) and (used := used + get_character_cell_size(plain[end])) <= room:
        end += 1
    if end == len(plain):
        return end
    end = max(end, start + 1)
    blank = plain.rfind(" ", start, end + 1)
    return blank if blank - start > (end - start) // _FULL else end


def _past_blanks(plain: str, at: int) -> int:
    while at < len(plain) and plain[at] == " ":
        at += 1
    return at


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
    columns = screen.width if screen.is_terminal else None
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
        for line in _row(head, last, columns, cut):
            line.rstrip()
            screen.print(line)


def _row(head: Text, last: Text, columns: int | None, cut: bool) -> Iterator[Text]:
    indent = cell_len(head.plain)
    if columns is None:
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
    first, *others = [last] if whole else wrapped(last, room, 0)
    if first or head:
        yield head + first
    yield from (Text(" " * indent) + other for other in others)
