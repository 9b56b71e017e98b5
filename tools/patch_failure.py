"""Why a diff does not fit, with what the file really says there."""

from collections.abc import Iterator, Mapping, Sequence

from react_agent.parsers.diff import Diff, Hunk
from react_agent.tools.context import Limits
from react_agent.tools.nearest_region import Misquoted, Nearest, nearest_region, places
from react_agent.tools.numbered import number, number_lines

_AROUND = 3  # lines of the file shown before and after
_MOST_SHOWN = 30
_MOST_PLACES = 10
_NOTHING = "nothing was changed"


def explained(diff: Diff, contents: Mapping[str, str], complaint: str, limits: Limits) -> str:
    for file in diff.files:
        lines = _lines(contents.get(file.old or "", ""))
        for count, hunk in enumerate(file.hunks, 1):
            which = f"hunk {count} of {file.name} (line {hunk.at} of the diff)"
            found = places(lines, hunk.old)
            if hunk.old and not found:
                return "\n".join(_misquoted(which, hunk, lines, limits.line_chars))
            if hunk.old and hunk.body[-1][:1] in ("+", "-") and not _at_end(lines, hunk.old):
                return _no_context(which)
            if found and hunk.old_start - 1 not in found:
                return _elsewhere(which, found)
    return f"git refuses the diff, {complaint}; {_NOTHING}"


def _lines(content: str) -> list[str]:
    lines = [line.removesuffix("\r") for line in content.split("\n")]
    return lines if lines[-1] else lines[:-1]


def _at_end(lines: Sequence[str], quoted: Sequence[str]) -> bool:
    return list(lines[-len(quoted) :]) == list(quoted)


def _elsewhere(which: str, found: Sequence[int]) -> str:
    starts = ", ".join(str(at + 1) for at in found[:_MOST_PLACES])
    return (
        f"{which} has a wrong line number: what it quotes begins at line {starts}; write the right "
        f"one, or quote more lines; {_NOTHING}"
    )


def _no_context(which: str) -> str:
    return (
        f"{which} ends in a change, and so fits only at the end of the file: quote the unchanged "
        f"lines below the change too; {_NOTHING}"
    )


def _misquoted(which: str, hunk: Hunk, lines: Sequence[str], most: int) -> Iterator[str]:
    nearest = nearest_region(lines, hunk.old, hunk.old_start - 1)
    if nearest is None:
        start = max(0, min(hunk.old_start - 1, len(lines) - len(hunk.old)))
        yield f"{which} quotes lines that the file does not have; {_NOTHING}"
        yield f"around line {start + 1} the file says"
    else:
        start = nearest.start
        yield f"{which} {_what(nearest)}; {_NOTHING}"
        yield from _quoted(nearest.misquoted, most)
        yield "the file says"
    first = max(start - _AROUND, 0)
    last = min(start + len(hunk.old) + _AROUND, first + _MOST_SHOWN)
    yield from number_lines(lines[first:last], first + 1, most)


def _what(nearest: Nearest) -> str:
    misquoted = _numbers([one.at for one in nearest.misquoted])
    missed = _numbers(nearest.missed)
    parts = (
        (misquoted, f"misquotes {misquoted} of the file"),
        (missed, f"leaves out {missed} of it" if misquoted else f"leaves out {missed} of the file"),
    )
    return " and ".join(part for holds, part in parts if holds)


def _numbers(ats: Sequence[int]) -> str:
    different = list(dict.fromkeys(str(at + 1) for at in ats))
    if len(different) < 2:
        return f"line {different[0]}" if different else ""
    more = f" and {len(different) - _MOST_PLACES} more" if len(different) > _MOST_PLACES else ""
    return f"lines {', '.join(different[:_MOST_PLACES])}{more}"


def _quoted(misquoted: Sequence[Misquoted], most: int) -> Iterator[str]:
    if not misquoted:
        return
    spaces = all(one.found is not None and _alike(one.found, one.quoted) for one in misquoted)
    yield f"the diff says, {'with other spaces' if spaces else 'where the file differs'}"
    for one in misquoted[:_MOST_PLACES]:
        yield number(one.at + 1, one.quoted, most)
    if len(misquoted) > _MOST_PLACES:
        yield f"[{len(misquoted) - _MOST_PLACES} more]"


def _alike(one: str, other: str) -> bool:
    return one.strip() == other.strip()
