"""Lines on a terminal, page by page and as wide as it is; anywhere else as they are."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from rich.console import Console
from rich.text import Text

from react_agent.cli.wrapped import wrapped
from react_agent.tools import variables

_LESS = "less"
_AS_WE_PAGE = "-RFX"  # colours; and no page for what fits on one


def paged(lines: Sequence[Text], screen: Console, begin: int = 0) -> None:
    """From this line on; a pager that can go back to those before it is given them, too."""
    if not screen.is_terminal:  # in one go: line by line takes twice as long
        screen.print(Text("\n".join(line.plain for line in lines[begin:])), soft_wrap=True)
        return
    goes_back = _pager() == _LESS
    before = _rows(lines[:begin], screen) if goes_back else []
    with pages(screen, first=len(before) + 1):
        _print([*before, *_rows(lines[begin:], screen)], screen)


def pages(screen: Console, first: int = 1) -> AbstractContextManager[object]:
    """Beginning at this row, if the pager is `less`."""
    if not screen.is_terminal:
        return nullcontext()
    variables.suggest("LESS", _AS_WE_PAGE)
    if first > 1:
        variables.extend("LESS", f" +{first}g")
    return screen.pager(styles=True)


def _pager() -> str:
    """Without the folder it is in and its options; where none is named, it is that one."""
    named = variables.value("MANPAGER") or variables.value("PAGER") or _LESS
    return Path(named.split()[0]).name if named.split() else _LESS


def _rows(lines: Sequence[Text], screen: Console) -> list[Text]:
    return [row for line in lines for row in wrapped(line, screen.width)]


def _print(lines: Sequence[Text], screen: Console) -> None:
    for line in lines:
        screen.print(line, soft_wrap=True)
