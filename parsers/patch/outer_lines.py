"""What the last and the first lines of a hunk say against the place that it was found in."""

from collections.abc import Sequence
from itertools import takewhile

from react_agent.parsers.patch.changes import Hunk, Line, Splice
from react_agent.parsers.patch.choosing import is_counted
from react_agent.parsers.patch.match import ABSENT, Match
from react_agent.parsers.patch.source import Source

_CHANGED = ("+", "-")
_CONTEXT = 3  # unchanged lines that a diff quotes around a change
_BLANKS = 9  # lines of the file, at most, that one blank line may be


def ends_early(hunk: Hunk, found: Match, file: Sequence[str]) -> bool:
    """It ends in a change, as only hunks at the end of a file do, and may stand there, too."""
    marks = [line.mark for line in hunk.lines]
    if hunk.start is None or not is_counted(hunk):
        return False
    if marks[0] in _CHANGED or marks[-1] not in _CHANGED:
        return False
    below = file[max(found.last + 1, found.change[1]) :]
    last = _run(marks[::-1])
    gone = hunk.old[len(hunk.old) - last.count("-") :]
    return bool(below) and (
        not any(text.strip() for text in below)
        or _is_its_end(hunk.old, file)
        or (len(below) <= _CONTEXT and (_is_uneven(last) or _is_its_end(gone, file)))
    )


def _is_uneven(marks: Sequence[str]) -> bool:
    return "+" in marks and marks.count("+") != marks.count("-")


def _is_its_end(lines: Sequence[str], file: Sequence[str]) -> bool:
    return _alike(lines, file[len(file) - len(lines) :])


def ends_above(hunk: Hunk, found: Match, source: Source) -> bool:
    """It says that the file ends behind it, with no newline, and so it does, but further down."""
    file = source.lines
    is_right = all(hunk.no_newline) and not source.final_newline
    return is_right and found.last + 1 < len(file) and found.lines[-1].text == file[-1]


def begins_late(hunk: Hunk, found: Match) -> bool:
    """It says that it begins with new lines at the top of the file, and was found below."""
    is_at_top = hunk.start in (0, 1) and hunk.lines[0].mark == "+" and is_counted(hunk)
    return is_at_top and found.change[0] > 0


def hangs_on_blanks(hunk: Hunk, found: Match, file: Sequence[str]) -> bool:
    """Only a blank line that the file does not have there bounds its new lines on one side."""
    if not is_counted(hunk) or not found.splices:
        return False
    start, end = found.change
    above = file[max(start - _BLANKS, 0) : start][::-1]
    return _hangs(hunk.lines, above) or _hangs(hunk.lines[::-1], file[end : end + _BLANKS])


def _hangs(lines: Sequence[Line], beside: Sequence[str]) -> bool:
    """Both from the one end of the hunk on: its lines inwards, those of the file outwards."""
    blanks = list(takewhile(_is_blank_context, lines))
    run = _run([line.mark for line in lines[len(blanks) :]])
    there = list(takewhile(lambda text: not text.strip(), beside))
    if blanks and run and not any(line.text.strip() for line in lines[: len(blanks) + len(run)]):
        return not there  # of blank lines, one more may have been meant
    if not blanks or not beside or run.count("+") <= run.count("-"):
        return False
    return not there or (blanks[-1].text != there[0] and blanks[-1].text in there)


def _is_blank_context(line: Line) -> bool:
    return line.mark not in _CHANGED and not line.text.strip()


def _run(marks: Sequence[str]) -> list[str]:
    """Those of the changed lines that come first."""
    return list(takewhile(lambda mark: mark in _CHANGED, marks))


def would_double(hunk: Hunk, found: Match, file: Sequence[str]) -> bool:
    """Its new lines stand there already, and it quotes nothing on the other side of them."""
    if hunk.start is None or hunk.is_block or not found.splices:
        return False
    lines = list(zip((line.mark for line in found.lines), found.pairs, strict=True))
    first, last = found.splices[0], found.splices[-1]
    above = file[max(first.start - len(first.lines), 0) : first.start]
    below = file[last.end : last.end + len(last.lines)]
    return (_is_open(lines[::-1]) and _repeats(last, below)) or (
        _is_open(lines) and _repeats(first, above)
    )


def _repeats(splice: Splice, there: Sequence[str]) -> bool:
    return splice.start == splice.end and bool(splice.lines) and _alike(splice.lines, there)


def _is_open(lines: Sequence[tuple[str, int]]) -> bool:
    """From that end on new lines come before any that the file has."""
    marks = [mark for mark, at in lines if mark == "+" or at != ABSENT]
    return marks[0] == "+"


def _alike(new: Sequence[str], there: Sequence[str]) -> bool:
    return [text.rstrip() for text in new] == [text.rstrip() for text in there]
