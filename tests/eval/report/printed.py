"""What a report is on a screen."""

import io
from collections.abc import Iterable

from rich.text import Text

from react_agent.cli.terminal.screen import console
from react_agent.eval.report.summary import Line


def printed(lines: Iterable[Line], columns: int = 80) -> str:
    out = io.StringIO()
    screen = console(out)
    screen.width = columns
    for line in lines:
        screen.print(line, soft_wrap=isinstance(line, Text))
    return out.getvalue()
