"""Lines of text for a screen of so many columns. What they show is foreign, and escaped here."""

import re
import textwrap
from collections.abc import Iterator, Sequence

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from react_agent.parsers.transcript.quoting import escape

_LEAST_CHANCE = 0.001
NONE = "-"  # there is nothing to say


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def between(interval: tuple[float, float]) -> str:
    low, high = interval
    return f"{100 * low:.1f} to {100 * high:.1f} %"


def points(difference: float) -> str:
    """Percentage points."""
    return f"{100 * difference:+.1f}".replace("-0.0", "+0.0")


def points_between(interval: tuple[float, float]) -> str:
    low, high = interval
    return f"{points(low)} to {points(high)}"


def chance(p: float) -> str:
    return f"{p:.3f}" if p >= _LEAST_CHANCE else f"< {_LEAST_CHANCE}"


def equation(p: float) -> str:
    return f"p = {chance(p)}".replace("= <", "<")


def times(ratio: float | None) -> str:
    return NONE if ratio is None else f"x {ratio:.2f}"


def dollars(cost: float | None) -> str:
    if cost is None:
        return NONE
    return f"${cost:,.2f}" if cost >= 1 or cost == 0 else f"${cost:.4f}"


def share_of(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else NONE


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


GAP = "  "
_LEAST = 12  # columns of a first column that has to give way
_MOST = 24  # columns of a head, or of a first column beside all others
_ELLIPSIS = "..."
_NARROWEST = 20
_TIE = "\xa0"
_TOGETHER = re.compile(r"(?<=\d) (?=%)| [=<] ")  # of which no line is to begin with the second half


def table(head: Sequence[str], rows: Sequence[Sequence[str]], columns: int) -> Iterator[Text]:
    """The first column to the left; columns for which there is no room follow further down."""
    lines = [[shown(cell) for cell in line] for line in (head, *rows)]
    lines[0][1:] = [clipped(name, _MOST) for name in lines[0][1:]]
    widths = [max(map(cell_len, cells)) for cells in zip(*lines, strict=True)]
    first = _first(widths, columns)
    for number, block in enumerate(_blocks(widths, columns - first)):
        if number:
            yield Text()
        for at, line in enumerate(lines):
            cells = (f"{GAP}{_right(line[one], widths[one])}" for one in block)
            row = set_cell_size(clipped(line[0], first), first) + "".join(cells)
            yield Text(row.rstrip(), "" if at else "bold")


def filled(text: str, columns: int, first: str = "", others: str = "") -> Iterator[Text]:
    """A sentence, over as many lines as it takes, behind these blanks."""
    lines = textwrap.wrap(
        _TOGETHER.sub(_tied, shown(text)),
        max(columns, _NARROWEST),
        initial_indent=first,
        subsequent_indent=others,
        break_on_hyphens=False,
        break_long_words=False,
    )
    yield from (Text(line.replace(_TIE, " ")) for line in lines)


def heading(text: str, columns: int) -> Iterator[Text]:
    yield Text()
    for line in filled(text, columns):
        line.stylize("bold")
        yield line


def shown(text: str) -> str:
    """On one line, with nothing in it that a terminal obeys."""
    return escape(text.replace("\n", " ").replace("\t", " "))


def _tied(found: re.Match[str]) -> str:
    return found[0].replace(" ", _TIE)


def clipped(text: str, columns: int) -> str:
    """Names differ at their ends as often as at their beginnings: the middle goes."""
    if cell_len(text) <= columns:
        return text
    room = columns - len(_ELLIPSIS)
    head = set_cell_size(text, (room + 1) // 2).rstrip()
    tail = text[len(text) - room // 2 :]
    while cell_len(tail) > room // 2:
        tail = tail[1:]
    return f"{head}{_ELLIPSIS}{tail}"


def _first(widths: Sequence[int], columns: int) -> int:
    """Of a long name some is left out before columns are; and more, so that the widest fits."""
    others = [len(GAP) + width for width in widths[1:]]
    first = min(widths[0], max(columns - sum(others), _MOST))
    return min(first, max(columns - max(others, default=0), _LEAST))


def _blocks(widths: Sequence[int], room: int) -> Iterator[list[int]]:
    block: list[int] = []
    used = 0
    for number, width in enumerate(widths[1:], start=1):
        if block and used + len(GAP) + width > room:
            yield block
            block, used = [], 0
        block.append(number)
        used += len(GAP) + width
    yield block


def _right(text: str, width: int) -> str:
    return " " * (width - cell_len(text)) + text
