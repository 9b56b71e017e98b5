"""Blank lines of the context that were left out, or are too many."""

from collections.abc import Iterator, Sequence

from react_agent.parsers.patch import indentation
from react_agent.parsers.patch.changes import Line
from react_agent.parsers.patch.match import ABSENT, Match
from react_agent.parsers.patch.sought import Sought

_SAID = "found with other blank lines between its lines"
_RULES = (indentation.same, indentation.shifted)
_MOST = 2  # blank lines of the file between two quoted ones


def loose_blanks(lines: tuple[Line, ...], sought: Sought) -> list[Match]:
    old = [line.text for line in lines if line.mark != "+" and line.text.strip()]
    if len(old) < 2:
        return []
    return list(_found(lines, sought, old))


def _found(lines: tuple[Line, ...], sought: Sought, old: list[str]) -> Iterator[Match]:
    text = sought.text(str.strip, blanks=False)
    for start in text.starts(tuple(line.strip() for line in old)):
        pairs = _paired(lines, text.numbers[start : start + len(old)], sought.source.lines)
        if pairs is None:
            continue
        for rule in _RULES:
            fit = rule(lines, pairs, sought.source.lines)
            if fit:
                yield Match(fit.lines, pairs, tuple(filter(None, (_SAID, fit.said))))
                break


def _paired(
    lines: tuple[Line, ...], numbers: Sequence[int], file: Sequence[str]
) -> tuple[int, ...] | None:
    """Blank lines of the hunk go with the next one of the file, if there is one at all."""
    rest, pairs, at = iter(numbers), list[int](), numbers[0]
    for line in lines:
        if line.mark == "+":
            pairs.append(ABSENT)
        elif line.text.strip():
            found = next(rest)
            if found - at > _MOST:
                return None
            pairs.append(found)
            at = found + 1
        elif at < len(file) and not file[at].strip() and pairs:
            pairs.append(at)
            at += 1
        else:
            pairs.append(ABSENT)
    return tuple(pairs)
