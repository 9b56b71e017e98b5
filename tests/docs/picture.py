"""The picture of a run on a terminal, as SVG: `picture.py FILE`.

The run is the one that the demo plays; it is painted as `react-agent demo` paints it, some steps of
it left out. Its colours go with those of the reader, and nothing is loaded from anywhere.
"""

import io
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

from rich.console import Console
from rich.segment import Segment
from rich.text import Text

from react_agent.cli.terminal.paint import note, painted
from react_agent.cli.terminal.screen import console
from react_agent.cli.terminal.table import wrapped
from react_agent.parsers.transcript.entries import Objective, Said, Seen
from react_agent.parsers.transcript.reader import read_transcript
from react_agent.state.state import State, fold
from react_agent.tools import package_data

TITLE = "A run on a terminal: thoughts, actions, what came of them, and the branch at the end"
COLUMNS = 80
STEPS = (4, 5, 9, 10)  # the last one is the Conclusion
FOLD = 5  # rows
CELL, ROW, SIZE, EDGE = 8.4, 19, 14, 16  # pixels
LIGHT = {
    "paper": "#ffffff",
    "edge": "#d0d7de",
    "text": "#1f2328",
    "dim": "#59636e",
    "red": "#b3261e",
    "green": "#116329",
    "yellow": "#7d4e00",
    "magenta": "#8250df",
    "cyan": "#0a6c86",
}
DARK = {
    "paper": "#0d1117",
    "edge": "#3d444d",
    "text": "#f0f6fc",
    "dim": "#9198a1",
    "red": "#ff7b72",
    "green": "#56d364",
    "yellow": "#e3b341",
    "magenta": "#d2a8ff",
    "cyan": "#56d4dd",
}
STYLE = """\
text {{ font: {size}px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre }}
.bold {{ font-weight: bold }} .italic {{ font-style: italic }}
{light}
@media (prefers-color-scheme: dark) {{
{dark}
}}"""


def picture() -> str:
    rows = list(_rows())
    width, height = COLUMNS * CELL + 2 * EDGE, len(rows) * ROW + 2 * EDGE
    style = STYLE.format(size=SIZE, light=_colours(LIGHT), dark=_colours(DARK))
    texts = (_text(row, EDGE + number * ROW + SIZE) for number, row in enumerate(rows))
    lines = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" role="img" '
        'aria-labelledby="title">',
        f'<title id="title">{TITLE}</title>',
        f"<style>{style}</style>",
        f'<rect class="paper" x="0.5" y="0.5" width="{width - 1:g}" height="{height - 1}" rx="8"/>',
        *filter(None, texts),
        "</svg>\n",
    )
    return "\n".join(lines)


def _rows() -> Iterator[Text]:
    yield Text("$ react-agent demo", "bold")
    yield Text()
    screen = Console(force_terminal=True, width=COLUMNS)
    for line in _lines():
        yield from wrapped(line, screen)


def _lines() -> Iterator[Text]:
    entries = read_transcript(package_data.text("react_agent.demo", "transcript.txt")).entries
    state, before = State(), 0
    for entry in entries:
        number = len(state.steps) + 1
        state.take(entry)
        if isinstance(entry, Objective):
            yield from (*painted(entry, FOLD), Text())
        elif number in STEPS:
            if isinstance(entry, Said):
                yield from _heading(number, before)
                before = number
            yield from painted(entry, FOLD)
            yield from [Text()] if isinstance(entry, Seen) else []
    yield from _end(fold(entries))


def _heading(number: int, before: int) -> Iterator[Text]:
    if number > before + 1:
        yield from (Text("⋮", "dim"), Text())
    yield note(f"step {number}")


def _end(state: State) -> Iterator[Text]:
    for name, told in (("branch", "branch"), ("change", "diff"), ("tests", "tests")):
        yield Text.assemble((f"{name:<11}", "bold"), state.result[told])


def _text(row: Text, baseline: int) -> str:
    """As wide as its columns, whatever the font is."""
    if not row.plain.strip():
        return ""
    row.stylize_before(row.style)  # what has no span of its own
    spans = "".join(map(_span, row.render(console(io.StringIO()))))
    width = f'textLength="{row.cell_len * CELL:g}"'
    return f'<text x="{EDGE}" y="{baseline}" {width} class="text">{spans}</text>'


def _span(segment: Segment) -> str:
    text, style = escape(segment.text, quote=False), segment.style
    marks = [name for name in ("bold", "italic") if style and getattr(style, name)]
    if style and style.color:
        marks.append(style.color.name)
    elif style and style.dim:
        marks.append("dim")
    return f'<tspan class="{" ".join(marks)}">{text}</tspan>' if marks else text


def _colours(theme: dict[str, str]) -> str:
    paper, edge = theme["paper"], theme["edge"]
    letters = (f".{name} {{ fill: {theme[name]} }}" for name in list(theme)[2:])
    return "\n".join((f".paper {{ fill: {paper}; stroke: {edge} }}", *letters))


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(picture(), encoding="utf-8")
