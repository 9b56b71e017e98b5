"""Replies typed on a terminal, or given line by line from elsewhere."""

from collections.abc import Callable, Sequence

from react_agent.parsers.turn.stop import StopScanner

_BEGINS, _ENDS = "<<<<<<<", ">>>>>>>"
ReadLine = Callable[[], str]  # with its end; nothing when there are no more


def read_reply(read_line: ReadLine) -> str | None:
    """Lines up to an empty one, or to the end of input; None: that comes before any line.

    An empty line in a fence, a here-document or a SEARCH block is a part of it.
    """
    scanner, lines = StopScanner(), list[str]()
    while line := read_line():
        if not line.strip() and not (lines and (scanner.is_open or _in_block(lines))):
            if lines:
                break
            continue
        lines.append(line)
        scanner.feed(line)
    return "".join(lines).rstrip("\n") if lines else None


def _in_block(lines: Sequence[str]) -> bool:
    """Of old and new lines, as `replace` takes them."""
    marks = [line for line in lines if line.startswith((_BEGINS, _ENDS))]
    return bool(marks) and marks[-1].startswith(_BEGINS)
