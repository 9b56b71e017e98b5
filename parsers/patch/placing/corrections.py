"""What may have been copied into a hunk, or done to its text on the way: taken out again."""

from collections.abc import Callable, Iterator, Sequence
from itertools import dropwhile

from react_agent.parsers.patch.changes import Line
from react_agent.parsers.patch.outcomes import Fix, Repair
from react_agent.parsers.patch.placing.index import typographic
from react_agent.parsers.text.late_pattern import LatePattern

Lines = tuple[Line, ...]

_ESCAPED = LatePattern(r"\\([\\\"'`$])")
_ENTITY = LatePattern(r"&(?:[lg]t|amp|quot|apos|nbsp|#39|#x27|#34);")
_NUMBERED = LatePattern(r"\s{0,7}(?P<at>\d{1,7})\|(?: (?P<text>.*))?", flags=16)  # re.DOTALL


def _without_numbers(lines: Lines) -> Lines:
    """As `read_file` shows them, `  12| x`: all old lines have one, and they rise."""
    old = [_NUMBERED.fullmatch(one.text) for one in lines if one.mark != "+" and one.text.strip()]
    numbers = [int(one["at"]) for one in old if one]
    if not numbers or len(numbers) < len(old) or numbers != sorted(set(numbers)):
        return lines
    near = range(numbers[0] - len(lines), numbers[-1] + len(lines))
    return _changed(lines, lambda text: _after_number(text, near))


def _after_number(text: str, near: range) -> str:
    """Another number is the line's own."""
    found = _NUMBERED.fullmatch(text)
    return found["text"] or "" if found and int(found["at"]) in near else text


def _without_marks(lines: Lines) -> Lines:
    """As observations are quoted, `\\Action:` and `<U+000C>`."""
    if not any("\\" in line.text or "<U+" in line.text for line in lines):
        return lines
    from react_agent.parsers.transcript.quoting import unquote_world  # it takes its time

    return _changed(lines, lambda text: unquote_world(f"\n{text}")[1:])


def _without_backslashes(lines: Lines) -> Lines:
    return _changed(lines, lambda text: _ESCAPED.sub(r"\1", text) if "\\" in text else text)


def _without_entities(lines: Lines) -> Lines:
    if not any("&" in line.text and _ENTITY.search(line.text) for line in lines):
        return lines
    from html import unescape

    return _changed(
        lines, lambda text: _ENTITY.sub(lambda one: unescape(one[0]).replace("\xa0", " "), text)
    )


def without_blank_ends(lines: Lines) -> Lines:
    below = tuple(dropwhile(_is_blank_context, lines))
    return tuple(dropwhile(_is_blank_context, below[::-1]))[::-1]


def _with_new_blanks(lines: Lines) -> Lines:
    """An empty line between two new ones is new: its `+` was forgotten."""
    around = zip(("", *lines), lines, (*lines[1:], ""), strict=False)
    return tuple(
        Line("+", "") if _is_blank_context(line) and above[:1] == below[:1] == ("+",) else line
        for above, line, below in around
    )


def _is_blank_context(line: Line) -> bool:
    return line.mark in ("", " ") and not line.text.strip()


def _changed(lines: Lines, change: Callable[[str], str]) -> Lines:
    return tuple(Line(line.mark, change(line.text)) for line in lines)


CORRECTIONS: dict[Fix, Callable[[Lines], Lines]] = {
    Fix.LISTING: _without_numbers,
    Fix.TRANSCRIPT_MARKS: _without_marks,
    Fix.BACKSLASHES: _without_backslashes,
    Fix.ENTITIES: _without_entities,
    Fix.BLANK_ENDS: without_blank_ends,
    Fix.NEW_BLANKS: _with_new_blanks,
}


def readings(lines: Lines, is_strict: bool) -> Iterator[tuple[Fix | None, Lines]]:
    """As written first; then with each correction that makes a difference."""
    yield None, lines
    for fix, correct in CORRECTIONS.items():
        meant = lines if fix is Fix.NEW_BLANKS and not is_strict else correct(lines)
        if meant != lines and any(one.mark != "+" and one.text.strip() for one in meant):
            yield fix, meant


def is_uneven(repair: Repair, lines: Sequence[Line]) -> bool:
    """New lines that have what was undone in another hunk: nothing tells whether it is meant."""
    new = tuple(line for line in lines if line.mark == "+" and line.text.strip())
    if repair.fix in (Fix.BACKSLASHES, Fix.ENTITIES):
        return CORRECTIONS[repair.fix](new) != new
    if repair.fix is Fix.PUNCTUATION:
        return any(typographic(line.text) for line in new)
    is_space_less = repair[:2] == (Fix.SHIFTED, (-1, 0)) or repair.fix is Fix.DOUBLED_MARK
    return is_space_less and bool(new) and all(line.text[0] == " " for line in new)
