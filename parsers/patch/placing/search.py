"""The ways in which the old lines of a hunk may differ from the file's, strictest first.

The first way that finds a place decides, and what finds two is one too lax or too short. Each reads
a hunk as it was written, then with what `corrections` takes out of it.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from react_agent.parsers.patch.changes import Fix, Hunk, Line, Nearest, Repair
from react_agent.parsers.patch.placing import indentation
from react_agent.parsers.patch.placing.alignment import MOST_LINES, aligned, alignments
from react_agent.parsers.patch.placing.indentation import Fit, readings
from react_agent.parsers.patch.source import (
    ABSENT,
    Index,
    Look,
    Match,
    as_it_is,
    folded,
    in_a_row,
    spliced,
)

Find = Callable[[tuple[Line, ...], Index, int | None], list[Match]]

_MOST_LEFT_OUT = 200  # lines that one `...` may stand for
_AROUND = 3  # lines of the file shown before and after
_MOST_SHOWN = 30
_MOST_QUOTED = 6
_LEAST = 0.2  # of its lines; with less of them no place is near


def matches(hunk: Hunk, index: Index, ways: Sequence[Find]) -> list[Match]:
    """All places, found in the strictest way that finds one."""
    expected = None if hunk.start is None else hunk.start - 1
    read = list(readings(hunk.lines))
    for find in ways:
        best = list[Match]()
        for fix, lines in read:
            found = list(_placeable(find(lines, index, expected), fix, index))
            if found and (not best or found[0].score > best[0].score):
                best = found
            if best and best[0].score == 1:
                return best
        if best:
            return best
    return []


def _placeable(found: Sequence[Match], fix: Fix | None, index: Index) -> Iterator[Match]:
    for one in found:
        is_undone = fix in (Fix.BACKSLASHES, Fix.ENTITIES)
        if is_undone and any(other.fix is Fix.MISQUOTED for other in one.repairs):
            continue  # the file may have what was undone
        if splices := spliced(one, index.source):
            repairs = (Repair(fix), *one.repairs) if fix else one.repairs
            yield one._replace(splices=splices, repairs=repairs)


def _block(look: Look, *rules: indentation.Rule) -> Find:
    """The old lines follow each other in the file; the first rule that holds anywhere decides."""

    def find(lines: tuple[Line, ...], index: Index, expected: int | None) -> list[Match]:
        old = [line.text for line in lines if line.mark != "+"]
        if look is not as_it_is and not any(text.strip() for text in old):
            return []
        rows = [in_a_row(lines, start) for start in index.starts(old, look, expected)]
        for rule in rules:
            fits = ((rule(lines, pairs, index.source.lines), pairs) for pairs in rows)
            if found := [Match(fit.lines, pairs, fit.repairs) for fit, pairs in fits if fit]:
                return found
        return []

    return find


def _exact(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> Fit:
    return Fit(tuple(lines))


def _but_for_their_ends(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> Fit:
    return Fit(tuple(lines), (Repair(Fix.TRAILING_SPACES),))


def _with_left_out(lines: tuple[Line, ...], index: Index, expected: int | None) -> list[Match]:
    """Each part in one place below the one before; `...` between them for lines that stay."""
    parts = [list[Line]()]
    for line in lines:
        if _is_elision(line):
            parts.append([])
        else:
            parts[-1].append(line)
    olds = [[line.text for line in part if line.mark != "+"] for part in parts]
    if len(parts) < 2 or not all(any(map(str.strip, old)) for old in olds):
        return []
    chains: list[tuple[int, ...]] = [()]
    for old in olds:
        starts = index.starts(old, str.rstrip)
        chains = [(*chain, at) for chain in chains for at in starts if not chain or chain[-1] < at]
        if len(chains) > _MOST_LEFT_OUT:
            return []
    found = (_chained(lines, parts, chain, index.source.lines) for chain in chains)
    return [match for match in found if match]


def _is_elision(line: Line) -> bool:
    if line.mark.strip() or ("..." not in line.text and "…" not in line.text):
        return False
    from react_agent.parsers.patch.reading.whole_file import is_elision

    return is_elision(line.text.strip())


def _chained(
    lines: tuple[Line, ...],
    parts: Sequence[Sequence[Line]],
    chain: Sequence[int],
    file: Sequence[str],
) -> Match | None:
    rows = [in_a_row(part, start) for part, start in zip(parts, chain, strict=True)]
    dots = (folded(line.text) for line in lines if _is_elision(line))
    for (above, below), dot in zip(pairwise(rows), dots, strict=True):
        end, start = max(above) + 1, next(at for at in below if at != ABSENT)
        if not 0 <= start - end <= _MOST_LEFT_OUT or dot in map(folded, file[end:start]):
            return None  # too far, or the dots are the file's own
    pairs = rows[0] + tuple(at for row in rows[1:] for at in (ABSENT, *row))
    if not indentation.same(lines, pairs, file):
        return None
    differs = any(
        line.text != file[at] for line, at in zip(lines, pairs, strict=True) if at != ABSENT
    )
    spaces = (Repair(Fix.TRAILING_SPACES),) if differs else ()
    return Match(lines, pairs, (Repair(Fix.ELIDED), *spaces))


def _aligned(lines: tuple[Line, ...], index: Index, expected: int | None) -> list[Match]:
    return aligned(lines, index)


STRICT: tuple[Find, ...] = (
    _block(as_it_is, _exact),
    _block(str.rstrip, _but_for_their_ends),
    _block(
        str.strip,
        indentation.lost_mark,
        indentation.shifted,
        indentation.shifted_changes,
        indentation.tabs,
    ),
)
LAX: tuple[Find, ...] = (_with_left_out, _aligned)


def nearest(hunk: Hunk, index: Index) -> Nearest:
    """Where one that fits nowhere would fit best: which of its lines are not there, and what is."""
    keys, file = [folded(text) for text in hunk.old], index.source.lines
    found = alignments(keys, index) if len(keys) <= MOST_LINES else []
    best = max(found, key=lambda one: one.score, default=None)
    if best is None or best.score < _LEAST:
        return Nearest(_region(file, hunk.start or 1, len(keys)))
    places = [at for at in best.pairs if at != ABSENT]
    there = set(file[max(min(places) - 1, 0) : max(places) + 2])
    marked = (line.mark + line.text for line in hunk.lines if line.mark.strip())
    old = [line for line in hunk.lines if line.mark != "+"]
    misquoted = [
        ((line.mark or " ") + line.text, None if at == ABSENT else (at + 1, file[at].strip()))
        for line, at, alike, key in zip(old, best.pairs, best.alike, keys, strict=True)
        if alike < 1 and key
    ]
    return Nearest(
        _region(file, places[0] + 1, places[-1] - places[0] + 1),
        tuple(misquoted[:_MOST_QUOTED]),
        max(len(misquoted) - _MOST_QUOTED, 0),
        tuple(at + 1 for at in best.unquoted[:_MOST_QUOTED]),
        next((text for text in marked if text in there), ""),
        is_found=True,
    )


def _region(file: Sequence[str], first: int, count: int) -> tuple[tuple[int, str], ...]:
    start = max(min(first - 1, len(file) - 1) - _AROUND, 0)
    end = min(start + count + 2 * _AROUND, start + _MOST_SHOWN, len(file))
    return tuple((at + 1, file[at]) for at in range(start, end))
