"""A middle that was left out, with `...` in its place: what stands there stays.

Here the file tells whether such a line is one of its own; where only the text can tell, as in a
whole file, elision.py is stricter.
"""

from collections.abc import Sequence

from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.patch import indentation
from react_agent.parsers.patch.changes import Line
from react_agent.parsers.patch.match import ABSENT, Match, in_a_row
from react_agent.parsers.patch.sought import Sought, folded

_DOTS = LatePattern(r"\s*(?:#|//|--|/\*|<!--|;)?\s*\[?(?:\.{3,}|…)\]?.*")
_WORDS = LatePattern(
    r"(?i)existing|rest|unchanged|same|omitted|other|remain|more|code|lines|\.\.\.$"
)
_SAID = "what its `...` leaves out was found and stays"
_MOST = 200  # lines that one of them may stand for


def elided(lines: tuple[Line, ...], sought: Sought) -> list[Match]:
    """Each part in one place below the one before, and all parts in one way only."""
    if not any(_is_gap(line) for line in lines):
        return []
    parts = _parts(lines)
    if len(parts) < 2 or not all(_quotes(part) for part in parts):
        return []
    chains: list[tuple[int, ...]] = [(start,) for start in _starts(parts[0], sought)]
    for part in parts[1:]:
        starts = _starts(part, sought)
        chains = [(*chain, next_) for chain in chains for next_ in starts if chain[-1] < next_]
        if len(chains) > _MOST:
            return []
    found = (_joined(lines, parts, chain, sought) for chain in chains)
    return [match for match in found if match]


def is_elision(text: str) -> bool:
    bare = text.strip()
    if bare in ("...", "…", "[...]"):
        return True
    return bool(_DOTS.fullmatch(bare) and _WORDS.search(bare))


def _is_gap(line: Line) -> bool:
    return line.mark in ("", " ") and is_elision(line.text)


def _parts(lines: Sequence[Line]) -> list[tuple[Line, ...]]:
    parts = [list[Line]()]
    for line in lines:
        if _is_gap(line):
            parts.append([])
        else:
            parts[-1].append(line)
    return [tuple(part) for part in parts]


def _quotes(part: Sequence[Line]) -> bool:
    return any(line.mark != "+" and line.text.strip() for line in part)


def _starts(part: Sequence[Line], sought: Sought) -> list[int]:
    return sought.starts([line.text for line in part if line.mark != "+"], str.rstrip)


def _joined(
    lines: Sequence[Line], parts: Sequence[tuple[Line, ...]], chain: Sequence[int], sought: Sought
) -> Match | None:
    pairs, end, file = list[int](), None, sought.source.lines
    dots = iter([folded(line.text) for line in lines if _is_gap(line)])
    for part, start in zip(parts, chain, strict=True):
        if end is not None and not 0 <= start - end <= _MOST:
            return None
        if end is not None and next(dots) in map(folded, file[end:start]):
            return None  # they are the file's own
        pairs += ([ABSENT] if end is not None else []) + list(in_a_row(part, start))
        end = max(pairs) + 1
    fit = indentation.same(lines, pairs, file)
    return Match(tuple(lines), tuple(pairs), (_SAID,)) if fit else None
