"""Where a hunk that fits nowhere would fit best: which of its lines are not there, and what is."""

from collections.abc import Iterator, Sequence

from react_agent.parsers.patch.aligned import MOST_LINES, windows
from react_agent.parsers.patch.changes import Hunk
from react_agent.parsers.patch.laid import Laid, laid_along
from react_agent.parsers.patch.likeness import ratio
from react_agent.parsers.patch.match import ABSENT
from react_agent.parsers.patch.sought import Sought, folded

_AROUND = 3  # lines of the file shown before and behind
_MOST_SHOWN = 30
_MOST_QUOTED = 6
_WIDEST = 160  # letters of a line
_SLACK = 8  # lines that may be missing or made up
_LIKE = 0.7  # of a line: it is the same one, misquoted
_MOST_COMPARED = 5_000  # lines of a file, with one that is quoted
_LEAST = 0.2  # of its lines; with less of them no place is near


def nearest(hunk: Hunk, sought: Sought) -> Iterator[str]:
    keys = [folded(text) for text in hunk.old]
    laid = _best(keys, sought, hunk.start) if len(keys) <= MOST_LINES else None
    if laid is None or laid.score < _LEAST:
        yield "quotes lines that the file does not have: read the file again, and quote it"
        yield from _region(sought.source.lines, hunk.start or 1, len(keys))
        return
    if kept := _without_blank(hunk, laid, sought.source.lines):
        yield f"has `{_cut(kept)}`, which is a line of the file: if it stays, put a blank before it"
        return
    missing = [
        number for number, at in enumerate(laid.pairs) if laid.alike[number] < 1 and keys[number]
    ]
    found = [at for at in laid.pairs if at != ABSENT]
    if missing:
        yield "is not in the file as it quotes it:"
    elif laid.unquoted:
        lines = ", ".join(str(at + 1) for at in laid.unquoted[:_MOST_QUOTED])
        yield f"leaves out what stands between its lines (line {lines} of the file): quote that too"
    else:
        yield "is in the file with other blanks, which differ from line to line: quote it as it is"
    old = [number for number, line in enumerate(hunk.lines) if line.mark != "+"]
    for number in missing[:_MOST_QUOTED]:
        line = hunk.lines[old[number]]
        at = laid.pairs[number]
        real = (
            f"; line {at + 1} of the file is `{_cut(sought.source.lines[at].strip())}`"
            if at != ABSENT
            else ""
        )
        yield f"  `{line.mark or ' '}{_cut(line.text)}` is not there{real}"
    if len(missing) > _MOST_QUOTED:
        yield f"  and {len(missing) - _MOST_QUOTED} more of its lines"
    yield "the file says"
    yield from _region(sought.source.lines, found[0] + 1, found[-1] - found[0] + 1)


def _best(keys: Sequence[str], sought: Sought, start: int | None) -> Laid | None:
    places = [*windows(keys, sought.index(), len(sought.source.lines))]
    if not places and not start:
        places = _around_a_line_like_it(keys, sought)
    laid = [laid_along(keys, window, sought) for window in places]
    return max(laid, key=lambda one: one.score, default=None)


def _around_a_line_like_it(keys: Sequence[str], sought: Sought) -> list[range]:
    """Where no line is as it is quoted: the longest of them tells most."""
    at, key = max(enumerate(keys), key=lambda one: len(one[1]), default=(0, ""))
    file = [folded(line) for line in sought.source.lines[:_MOST_COMPARED]]
    alike = [ratio(line, key, _LIKE) if line else 0.0 for line in file]
    most = max(alike, default=0.0)
    if not key or not most:
        return []
    first = alike.index(most) - at
    return [range(max(first - _SLACK, 0), min(first + len(keys) + _SLACK, len(file)))]


def _without_blank(hunk: Hunk, laid: Laid, file: Sequence[str]) -> str:
    """A changed line that with its mark is one of the file there."""
    found = [at for at in laid.pairs if at != ABSENT]
    there = set(file[max(min(found) - 1, 0) : max(found) + 2])
    marked = (line.mark + line.text for line in hunk.lines if line.mark.strip())
    return next((text for text in marked if text in there), "")


def _region(lines: Sequence[str], first: int, count: int) -> Iterator[str]:
    start = max(min(first - 1, len(lines) - 1) - _AROUND, 0)
    end = min(start + count + 2 * _AROUND, start + _MOST_SHOWN, len(lines))
    for at in range(start, end):
        yield f"{at + 1:>4}| {_cut(lines[at])}".rstrip()


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else text[:_WIDEST] + "..."
