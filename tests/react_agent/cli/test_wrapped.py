"""Lines as wide as a terminal."""

from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from react_agent.cli.terminal.table import wrapped
from react_agent.parsers.transcript.labels import strict

ROWS = {
    "fits": ("short", 40, ["short"]),
    "empty": ("", 40, [""]),
    "words": ("Thought: a word too many", 18, ["Thought: a word", "  too many"]),
    "below its indent": ("    x = 1  # more", 12, ["    x = 1", "      # more"]),
    "a word that is too long": ("abcdefghijk", 8, ["abcdef", "  ghijk"]),
    "half a row is left, whatever it is indented by": ("\tif x:", 8, ["    if", "    x:"]),
    "wide letters": ("日本語です", 6, ["日本", "  語で", "  す"]),
    "blanks at the end": ("abcdef   ", 6, ["abcdef"]),
    "nothing but blanks": ("       ", 6, [""]),
}


def rows_of(line: str, columns: int) -> list[str]:
    screen = Console(force_terminal=True, width=columns, _environ={"TERM": "xterm"})
    return [row.plain for row in wrapped(Text(line), screen)]


@table_of(("line", "columns", "rows"), ROWS)
def test_rows(line: str, columns: int, rows: list[str]) -> None:
    assert rows_of(line, columns) == rows


@given(st.text(st.sampled_from("ab.Thought: %日é"), max_size=60), st.integers(4, 60))
def test_nothing_is_lost_and_nothing_is_too_wide(line: str, columns: int) -> None:
    rows = rows_of(line, columns)
    assert all(cell_len(row) <= columns for row in rows)
    assert "".join(rows).replace(" ", "") == line.replace(" ", "")
    assert all(row.startswith("  ") and strict(row) is None for row in rows[1:])


def test_colours_go_on() -> None:
    line = Text("red black", "dim")
    line.stylize("red", 0, 3)
    console = Console(force_terminal=True, width=7, _environ={"TERM": "xterm"})
    with console.capture() as sent:
        console.print(*wrapped(line, console), sep="\n")
    assert sent.get() == "\x1b[2;31mred\x1b[0m\n  \x1b[2mblack\x1b[0m\n"
