"""A terminal for tests: what stays on its screen, whatever width it has meanwhile.

It knows what we send and nothing else: another sequence is an error.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from on_pty import HEIGHT, OnPty
from rich.cells import cell_len

_PIECE = re.compile(r"\x1b\[[?\d;]*[A-Za-z]|[^\x1b]")
_COLOURS = re.compile(r"\x1b\[[\d;]*m")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_UP = re.compile(r"\x1b\[(\d*)A")


@dataclass
class Row:
    cells: list[str] = field(default_factory=list)
    goes_on: bool = False  # in the next one: it was too wide

    @property
    def text(self) -> str:
        return "".join(self.cells).rstrip()


@dataclass
class Terminal:
    columns: int = 80
    height: int = HEIGHT
    fills_again: bool = True  # when its width changes; others leave rows as they are
    rows: list[Row] = field(default_factory=lambda: [Row()])
    row: int = 0
    column: int = 0
    wraps: bool = True
    has_cursor: bool = True
    redrawn: int = 0
    _rest: str = ""

    @property
    def lines(self) -> list[str]:
        return [row.text for row in self.rows]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def feed(self, sent: str) -> None:
        sent = self._rest + sent
        whole = len(sent) - len(re.search(r"(?:\x1b(?:\[[?\d;]*)?)?$", sent)[0])  # type: ignore[index]
        self._rest = sent[whole:]
        for piece in _PIECE.findall(sent[:whole]):
            self._take(piece)

    def resize(self, columns: int) -> None:
        if self.fills_again:
            self._fill_again(columns)
        else:
            self.rows = [Row(row.cells[:columns], row.goes_on) for row in self.rows]
        self.columns, self.column = columns, min(self.column, columns - 1)

    def _take(self, piece: str) -> None:
        match piece:
            case "\r":
                self.column = 0
            case "\n":
                self._down()
            case "\x1b[J":
                self.redrawn += 1
                del self.rows[self.row].cells[self.column :], self.rows[self.row + 1 :]
                self.rows[self.row].goes_on = False
            case "\x1b[?7l" | "\x1b[?7h":
                self.wraps = piece[-1] == "h"
            case "\x1b[?25l" | "\x1b[?25h":
                self.has_cursor = piece[-1] == "h"
            case _ if up := _UP.fullmatch(piece):
                top = max(0, len(self.rows) - self.height)
                self.row = max(top, self.row - int(up[1] or 1))
            case _ if _COLOURS.fullmatch(piece):
                pass
            case _:
                assert not _CONTROL.match(piece), f"a terminal was sent {piece!r}"
                self._put(piece)

    def _put(self, letter: str) -> None:
        width = cell_len(letter)
        if width and self.column + width > self.columns:
            if self.wraps:
                self.rows[self.row].goes_on = True
                self.column = 0
                self._down()
            else:
                self.column = self.columns - width
        cells = self.rows[self.row].cells
        if not width:
            cells[self.column - 1] += letter
            return
        cells += [" "] * (self.column - len(cells))
        cells[self.column : self.column + width] = [letter, *[""] * (width - 1)]
        self.column += width

    def _down(self) -> None:
        self.row += 1
        if self.row == len(self.rows):
            self.rows.append(Row())

    def _fill_again(self, columns: int) -> None:
        """The cursor stays at the letter that it is at."""
        filled: list[Row] = []
        at, line = 0, list[str]()
        for number, row in enumerate(self.rows):
            if number == self.row:
                at, here = len(filled), len(line) + self.column
            line += row.cells
            if row.goes_on:
                continue
            parts = [line[start : start + columns] for start in range(0, len(line), columns)]
            filled += [Row(part, True) for part in parts] or [Row()]
            filled[-1].goes_on, line = False, []
        self.rows = filled
        self.row, self.column = min(at + here // columns, len(filled) - 1), here % columns


def watch(  # noqa: PLR0913
    terminal: Terminal,
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    widths: Mapping[str, int] | None = None,
    looked: Callable[[str], None] = str,
    typed: Mapping[str, str] | None = None,
) -> int:
    """The exit code. Once the terminal shows a text of `widths`, it gets another width, and once
    it shows one of `typed`, a person types that.
    """
    waiting, to_type = dict(widths or {}), dict(typed or {})
    with OnPty(command, folder, environment, terminal.columns) as program:
        while sent := program.read():
            terminal.feed(sent)
            looked(terminal.text)
            for text in [text for text in waiting if text in terminal.text]:
                terminal.resize(waiting.pop(text))
                program.resize(terminal.columns)
            for text in [text for text in to_type if text in terminal.text]:
                program.type(to_type.pop(text))
        assert not (waiting or to_type), f"it never showed {[*waiting, *to_type]}: {terminal.text}"
        return program.end()
