"""Typographic quotes, dashes and blanks where the file has plain ones, or the other way round."""

from collections.abc import Iterator, Sequence

from react_agent.parsers.patch import indentation
from react_agent.parsers.patch.changes import Line
from react_agent.parsers.patch.match import Match, in_a_row
from react_agent.parsers.patch.sought import Sought, folded, is_odd

SAID = "found with other punctuation or blanks inside of lines"
_RULES = (indentation.same, indentation.shifted, indentation.tabs)


def punctuated(lines: tuple[Line, ...], sought: Sought) -> list[Match]:
    return list(_found(lines, sought))


def _found(lines: tuple[Line, ...], sought: Sought) -> Iterator[Match]:
    old = [line.text for line in lines if line.mark != "+"]
    if not any(line.strip() for line in old):
        return
    for start in sought.starts(old, folded):
        pairs = in_a_row(lines, start)
        for rule in _RULES:
            fit = rule(lines, pairs, sought.source.lines)
            new = fit and _as_in_file(fit.lines, pairs, sought.source.lines)
            if fit and new:
                yield Match(new, pairs, tuple(filter(None, (SAID, fit.said))))
                break


def _as_in_file(
    lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]
) -> tuple[Line, ...] | None:
    """New lines get the plain letter that the file has in place of an odd one of the hunk's.

    None where the file has an odd one: which of them the new lines are to have, nothing tells.
    """
    swapped, unclear = dict[int, str](), set[str]()
    for line, at in zip(lines, pairs, strict=True):
        if line.mark == "+":
            continue
        for quoted, real in _different(line.text, file[at]):
            if not quoted.isascii() and real.isascii():
                swapped[ord(quoted)] = real
            elif line.mark == "-":
                unclear.add(quoted)
    new = [line.text for line in lines if line.mark == "+"]
    odd = {letter for text in new for letter in text if is_odd(letter)}
    if swapped and not odd <= {chr(code) for code in swapped}:
        return None  # one that no old line shows may be meant
    if any(letter in text.strip() for text in new for letter in unclear if letter.strip()):
        return None
    return tuple(
        Line("+", line.text.translate(swapped)) if line.mark == "+" else line for line in lines
    )


def _different(quoted: str, real: str) -> Iterator[tuple[str, str]]:
    """Letters in the same place, where both have as many."""
    quoted, real = quoted.strip(), real.strip()
    if len(quoted) == len(real):
        yield from (pair for pair in zip(quoted, real, strict=True) if pair[0] != pair[1])
