"""The ways in which the old lines of a hunk may differ from the file's, strictest first.

A rung is a row: what it is called, and how it finds places. The first one that finds a place
decides, and what finds two is one too lax or too short. On each rung a hunk is read as it was
written, then with what `corrections` takes out of it.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from react_agent.parsers.patch.changes import Fix, Hunk, Line, Nearest, Repair
from react_agent.parsers.patch.placing import indentation
from react_agent.parsers.patch.placing.alignment import (
    MOST_LINES,
    Alignment,
    align,
    aligned,
    alignments,
    ratio,
    window_at,
)
from react_agent.parsers.patch.placing.indentation import readings
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
from react_agent.parsers.text.late_pattern import LatePattern

Find = Callable[[tuple[Line, ...], Index, int | None], list[Match]]

_DOTS = LatePattern(r"(?:#|//|--|/\*|<!--|;)?\s*\[?(?:\.{3,}|…)\]?.*")
_WORDS = LatePattern(
    r"(?i)existing|rest|unchanged|same|omitted|other|remain|more|code|lines|\.\.\.$"
)
_MOST_LEFT_OUT = 200  # lines that one `...` may stand for
_AROUND = 3  # lines of the file shown before and after
_MOST_SHOWN = 30
_MOST_QUOTED = 6
_LIKE = 0.7  # of a line: it is the same one, misquoted
_MOST_COMPARED = 5_000  # lines of a file, with one that is quoted
_LEAST = 0.2  # of its lines; with less of them no place is near


class Rung(NamedTuple):
    name: str
    find: Find


def matches(hunk: Hunk, index: Index, rungs: Sequence[Rung]) -> list[Match]:
    """All places on the strictest rung that has one."""
    expected = None if hunk.start is None else hunk.start - 1
    read = list(readings(hunk.lines))
    for rung in rungs:
        best = list[Match]()
        for fix, lines in read:
            found = list(_placeable(rung.find(lines, index, expected), fix, index))
            if found and (not best or found[0].score > best[0].score):
                best = found
            if best and best[0].score == 1:
                return best
        if best:
            return best
    return []


def _placeable(found: Sequence[Match], fix: Fix | None, index: Index) -> Iterator[Match]:
    for one in found:
        splices = spliced(one, index.source)
        is_undone = fix in (Fix.BACKSLASHES, Fix.ENTITIES)
        if is_undone and any(other.fix is Fix.MISQUOTED for other in one.repairs):
            continue  # the file may have what was undone
        if splices:
            repairs = (Repair(fix), *one.repairs) if fix else one.repairs
            yield one._replace(splices=splices, repairs=repairs)


def _block(look: Look, rule: indentation.Rule, *repairs: Repair) -> Find:
    """The old lines follow each other in the file."""

    def find(lines: tuple[Line, ...], index: Index, expected: int | None) -> list[Match]:
        found, old = list[Match](), [line.text for line in lines if line.mark != "+"]
        if look is as_it_is or any(text.strip() for text in old):
            for start in index.starts(old, look, expected):
                pairs = in_a_row(lines, start)
                if fit := rule(lines, pairs, index.source.lines):
                    found.append(Match(fit.lines, pairs, (*repairs, *fit.repairs)))
        return found

    return find


def _with_left_out(lines: tuple[Line, ...], index: Index, expected: int | None) -> list[Match]:
    """Each part in one place below the one before; `...` between them for lines that stay."""
    parts = [list[Line]()]
    for line in lines:
        if is_elision(line):
            parts.append([])
        else:
            parts[-1].append(line)
    if len(parts) < 2 or not all(any(_quotes(line) for line in part) for part in parts):
        return []
    chains: list[tuple[int, ...]] = [()]
    for part in parts:
        starts = index.starts([line.text for line in part if line.mark != "+"], str.rstrip)
        chains = [(*chain, at) for chain in chains for at in starts if not chain or chain[-1] < at]
        if len(chains) > _MOST_LEFT_OUT:
            return []
    found = (_chained(lines, parts, chain, index.source.lines) for chain in chains)
    return [match for match in found if match]


def is_elision(line: Line) -> bool:
    bare = line.text.strip()
    is_told = bare in ("...", "…", "[...]") or (_DOTS.fullmatch(bare) and _WORDS.search(bare))
    return line.mark in ("", " ") and bool(is_told)


def _quotes(line: Line) -> bool:
    return line.mark != "+" and bool(line.text.strip())


def _chained(
    lines: Sequence[Line],
    parts: Sequence[Sequence[Line]],
    chain: Sequence[int],
    file: Sequence[str],
) -> Match | None:
    pairs, end = list[int](), None
    dots = (folded(line.text) for line in lines if is_elision(line))
    for part, start in zip(parts, chain, strict=True):
        if end is not None:
            is_near = 0 <= start - end <= _MOST_LEFT_OUT
            if not is_near or next(dots) in map(folded, file[end:start]):
                return None  # too far, or the dots are the file's own
            pairs.append(ABSENT)
        pairs += in_a_row(part, start)
        end = max(pairs) + 1
    if not indentation.same(lines, pairs, file):
        return None
    both = [(line.text, file[at]) for line, at in zip(lines, pairs, strict=True) if at != ABSENT]
    differs = any(text != real for text, real in both)
    spaces = (Repair(Fix.TRAILING_SPACES),) if differs else ()
    return Match(tuple(lines), tuple(pairs), (Repair(Fix.ELIDED), *spaces))


def _aligned(lines: tuple[Line, ...], index: Index, expected: int | None) -> list[Match]:
    return aligned(lines, index)


def _any(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> indentation.Fit:
    return indentation.Fit(tuple(lines))


STRICT: tuple[Rung, ...] = (
    Rung("as it is", _block(as_it_is, _any)),
    Rung("spaces at the ends of lines", _block(str.rstrip, _any, Repair(Fix.TRAILING_SPACES))),
    Rung("context without its mark", _block(str.strip, indentation.lost_mark)),
    Rung("indented differently", _block(str.strip, indentation.shifted)),
    Rung("only changed lines indented differently", _block(str.strip, indentation.shifted_changes)),
    Rung("tabs for spaces", _block(str.strip, indentation.tabs)),
)
LAX: tuple[Rung, ...] = (
    Rung("a middle left out", _with_left_out),
    Rung("misquoted", _aligned),
)


def nearest(hunk: Hunk, index: Index) -> Nearest:
    """Where one that fits nowhere would fit best: which of its lines are not there, and what is."""
    keys, file = [folded(text) for text in hunk.old], index.source.lines
    best = _best(keys, index, hunk.start) if len(keys) <= MOST_LINES else None
    if best is None or best.score < _LEAST:
        return Nearest(_region(file, hunk.start or 1, len(keys)))
    found = [at for at in best.pairs if at != ABSENT]
    there = set(file[max(min(found) - 1, 0) : max(found) + 2])
    marked = (line.mark + line.text for line in hunk.lines if line.mark.strip())
    old = [line for line in hunk.lines if line.mark != "+"]
    misquoted = [
        ((line.mark or " ") + line.text, None if at == ABSENT else (at + 1, file[at].strip()))
        for line, at, alike, key in zip(old, best.pairs, best.alike, keys, strict=True)
        if alike < 1 and key
    ]
    return Nearest(
        _region(file, found[0] + 1, found[-1] - found[0] + 1),
        tuple(misquoted[:_MOST_QUOTED]),
        max(len(misquoted) - _MOST_QUOTED, 0),
        tuple(at + 1 for at in best.unquoted[:_MOST_QUOTED]),
        next((text for text in marked if text in there), ""),
        is_found=True,
    )


def _best(keys: Sequence[str], index: Index, start: int | None) -> Alignment | None:
    found = alignments(keys, index)
    if not found and not start:
        found = _at_a_line_like_it(keys, index)
    return max(found, key=lambda one: one.score, default=None)


def _at_a_line_like_it(keys: Sequence[str], index: Index) -> list[Alignment]:
    """Where no line is as it is quoted: the longest of them tells most."""
    at, key = max(enumerate(keys), key=lambda one: len(one[1]), default=(0, ""))
    file = [folded(line) for line in index.source.lines[:_MOST_COMPARED]]
    alike = [ratio(line, key, _LIKE) if line else 0.0 for line in file]
    most = max(alike, default=0.0)
    if not key or not most:
        return []
    return [align(keys, window_at(alike.index(most) - at, len(keys), len(file)), index)]


def _region(file: Sequence[str], first: int, count: int) -> tuple[tuple[int, str], ...]:
    start = max(min(first - 1, len(file) - 1) - _AROUND, 0)
    end = min(start + count + 2 * _AROUND, start + _MOST_SHOWN, len(file))
    return tuple((at + 1, file[at]) for at in range(start, end))
