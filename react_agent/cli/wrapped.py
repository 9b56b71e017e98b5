"""Lines as wide as a terminal: what does not fit goes on below, a little to the right."""

from collections.abc import Iterator

from rich.cells import cell_len, get_character_cell_size
from rich.text import Text

_HANG = 2  # columns, beyond what the line itself is indented by
_TAB = 8
_FULL = 3  # a word is broken rather than moved where a row would be less than one part in so many


def wrapped(line: Text, columns: int) -> Iterator[Text]:
    """Between words where that can be; no row but the first begins at the edge."""
    line = line.copy()
    line.expand_tabs(_TAB)
    line.rstrip()
    plain = line.plain
    if len(plain) <= columns and cell_len(plain) <= columns:
        yield line
        return
    start = _past_blanks(plain, 0)
    before, indent = (" " * min(start + more, columns // 2) for more in (0, _HANG))
    while start < len(plain):
        end = _end(plain, start, columns - len(before))
        yield Text.assemble(before, line[start:end])
        start, before = _past_blanks(plain, end), indent


def _end(plain: str, start: int, room: int) -> int:
    """Of what fits, up to a blank that is not too far to the left."""
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
