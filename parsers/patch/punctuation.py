"""Typographic quotes, dashes and blanks where the file has plain ones, or the other way round."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from react_agent.parsers.patch import indentation
from react_agent.parsers.patch.changes import Line
from react_agent.parsers.patch.match import ABSENT, Match, in_a_row
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
            new = fit and as_in_file(fit.lines, pairs, sought.source.lines)
            if fit and new:
                yield Match(new, pairs, tuple(filter(None, (SAID, fit.said))))
                break


class _Seen(NamedTuple):
    """What old lines show of odd letters."""

    swapped: dict[str, str]  # by the plain one that the file has in their place
    kept: set[str]  # the file has them, too
    stray: set[str]  # the file has none of them, and nothing that can be told in their place
    unclear: set[str]  # for which a removed line has an odd one


def as_in_file(
    lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]
) -> tuple[Line, ...] | None:
    """New lines get the plain letter that the file has in place of an odd one of the hunk's.

    None where the file has an odd one: which of them the new lines are to have, nothing tells.
    """
    seen = _seen(lines, pairs, file)
    new = "\n".join(line.text.strip() for line in lines if line.mark == "+")
    odd = _odd(new)
    unseen = odd.difference(seen.swapped, seen.kept)
    if unseen and (seen.stray or (seen.swapped and not _has_plain_quotes(new, seen))):
        return None  # one that no old line shows may be meant
    if odd & seen.kept & seen.swapped.keys() or any(letter in new for letter in seen.unclear):
        return None
    table = str.maketrans(seen.swapped)
    return tuple(Line("+", one.text.translate(table)) if one.mark == "+" else one for one in lines)


def is_unlike(quoted: str, real: str) -> bool:
    """Other than by its letters, or the blanks at its ends."""
    if folded(quoted) == folded(real):
        return quoted.strip() != real.strip()
    return bool(_odd(quoted) - _odd(real))


def _seen(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> _Seen:
    seen = _Seen({}, set(), set(), set())
    for line, at in zip(lines, pairs, strict=True):
        if at == ABSENT:
            continue
        quoted, real = line.text.strip(), file[at].strip()
        if len(quoted) != len(real) or folded(quoted) != folded(real):
            seen.kept.update(_odd(quoted) & _odd(real))
            seen.stray.update(_odd(quoted) - _odd(real))
            continue
        for letter, other in zip(quoted, real, strict=True):
            if letter == other and is_odd(letter):
                seen.kept.add(letter)
            elif not letter.isascii() and other.isascii():
                seen.swapped[letter] = other
            elif letter != other and line.mark == "-" and letter.strip():
                seen.unclear.add(letter)
    return seen


def _odd(text: str) -> set[str]:
    return set() if text.isascii() else {letter for letter in text if is_odd(letter)}


def _has_plain_quotes(new: str, seen: _Seen) -> bool:
    """Where old lines have odd ones: so what is odd in the new ones was written so."""
    quotes = {"'", '"'}
    return not quotes.isdisjoint(seen.swapped.values()) and not quotes.isdisjoint(new)
