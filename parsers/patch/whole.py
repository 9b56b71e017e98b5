"""Whole files: one that came whole, one that is deleted."""

from collections.abc import Iterator, Sequence

from react_agent.parsers.counted import counted
from react_agent.parsers.patch.changes import Hunk, Placement, Refusal, Splice
from react_agent.parsers.patch.source import Source

_BOM, _SHOWN_BOM = "\ufeff", "<U+FEFF>"
_LEAST_QUOTED = 0.8  # of the lines that a deletion quotes must be in the file
_LEAST_KEPT = 0.5  # of the lines of a file, in a whole text that is much shorter
_SMALL = 10  # lines; what is shorter may well be written anew


def whole_placement(lines: Sequence[str], source: Source) -> Placement:
    """Only what differs; the ends of lines stay as they are."""
    from react_agent.parsers.patch.line_diff import differing

    if lines and source.lines and source.lines[0][:1] == _BOM != lines[0][:1]:
        lines = [_BOM + lines[0].removeprefix(_SHOWN_BOM), *lines[1:]]
    splices = (
        Splice(a, b, _with_ends(lines[c:d], source, a, b))
        for a, b, c, d in differing(source.lines, lines)
    )
    return Placement(tuple(splices), source.final_newline)


def most_is_gone(lines: Sequence[str], source: Source, name: str) -> Refusal | None:
    """A part of a file was sent for all of it."""
    old = [line.strip() for line in source.lines if line.strip()]
    new = [line.strip() for line in lines if line.strip()]
    if len(old) < _SMALL or len(new) >= _LEAST_KEPT * len(old):
        return None
    here = set(new)
    kept = sum(line in here for line in old)
    if kept >= _LEAST_KEPT * len(old):
        return None
    return Refusal(
        f"what was sent as the whole text of {name} holds {kept} of its {len(old)} lines: write "
        "all of the file, or a diff of what changes"
    )


def _with_ends(lines: Sequence[str], source: Source, start: int, end: int) -> tuple[str, ...]:
    newline = source.newline_at(start, end)
    return tuple(f"{line}{newline}" for line in lines)


def deleted(hunks: Sequence[Hunk], source: Source, name: str) -> Placement | Refusal:
    """All of it goes, if what is quoted of it is there."""
    quoted = [line for hunk in hunks for line in hunk.lines]
    added = [line for line in quoted if line.mark == "+"]
    known = {line.strip() for line in source.lines}
    asked = [line.text.strip() for line in quoted if line.text.strip()]
    strange = [text for text in asked if text not in known]
    where = f" (line {hunks[0].at} of the patch)" if hunks else ""
    if added:
        return Refusal(
            f"{name}{where} is to be deleted, but a hunk adds {added[0].text.strip()[:60]!r}: "
            f"to change it, write +++ b/{name}"
        )
    if len(asked) - len(strange) < _LEAST_QUOTED * len(asked):
        return Refusal(
            f"{name}{where} is to be deleted, but {strange[0][:60]!r} is not in it: "
            f"quote the lines of {name}, or name another file"
        )
    splices = (Splice(0, len(source.raw), ()),) if source.raw else ()
    said = _quoted_badly(len(quoted), len(strange), len(source.raw))
    whole = (f"{name} deleted whole, though {said}",) if said else ()
    return Placement(splices, True, (*whole, *_quoted_otherwise(hunks, source)))


def _quoted_otherwise(hunks: Sequence[Hunk], source: Source) -> Iterator[str]:
    from react_agent.parsers.patch.ladder import STRICT, matches
    from react_agent.parsers.patch.sought import Sought

    sought, literally = Sought(source), Sought(source.literally)
    for number, hunk in enumerate(hunks):
        found = matches(hunk, literally, STRICT[:1]) or matches(hunk, sought, STRICT)
        if found and found[0].said:
            yield f"hunk {number + 1}: {'; '.join(found[0].said)}"


def _quoted_badly(quoted: int, strange: int, there: int) -> str:
    if strange:
        return f"{strange} of the {counted(quoted, 'line')} quoted {_are(strange)} not in it"
    if quoted >= there:
        return ""
    if not quoted:
        return "no line of it was quoted"
    return f"{quoted} of its {counted(there, 'line')} {'was' if quoted == 1 else 'were'} quoted"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
