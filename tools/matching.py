"""Where the old text of a replacement stands, and what the file says with the new one.

The strictest way is tried first; the first one that finds a place decides, and two places that it
finds are one too many.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from react_agent.parsers.quoting import unquote_world
from react_agent.parsers.replacement import Replacement

_NUMBERED = re.compile(r"\s{0,7}(?P<at>\d{1,7})(?:\| ?|→|\t)(?P<text>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Replaced:
    text: str
    mended: str = ""  # how the old text was found, if not as it was written


@dataclass(frozen=True, slots=True)
class Ambiguous:
    lines: tuple[int, ...]  # of the file, counted from 1


@dataclass(frozen=True, slots=True)
class Missing:
    pass


@dataclass(frozen=True, slots=True)
class _Splice:
    start: int  # in characters
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class _Place:
    first: int  # line, counted from 0
    behind: int
    start: int  # in characters
    end: int


Find = Callable[[str, Replacement], list[_Splice]]


def replaced(content: str, wanted: Replacement) -> Replaced | Ambiguous | Missing:
    for meant, read_as in _readings(wanted):
        for matched, find in _WAYS:
            found = find(content, read_as)
            if len(found) > 1 and not wanted.all:
                return Ambiguous(tuple(_line_numbers(content, found)))
            if found:
                mended = "; ".join(filter(None, (meant, matched)))
                return Replaced(_spliced(content, found), mended)
    return Missing()


def _line_numbers(content: str, found: Sequence[_Splice]) -> Iterator[int]:
    number, at = 1, 0
    for splice in found:
        number += content.count("\n", at, splice.start)
        at = splice.start
        yield number


def lines_of(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _spliced(content: str, found: Sequence[_Splice]) -> str:
    parts, at = list[str](), 0
    for splice in found:
        if splice.start >= at:  # it may lap over the one before
            parts += (content[at : splice.start], splice.new)
            at = splice.end
    return "".join((*parts, content[at:]))


def _readings(wanted: Replacement) -> Iterator[tuple[str, Replacement]]:
    """What may have been copied along with the text."""
    yield "", wanted
    seen = [wanted]
    for said, changes in _COPIED:
        meant = wanted
        for change in changes:
            meant = change(meant)
        if meant not in seen and meant.old.strip():
            seen.append(meant)
            yield said, meant


def _without_numbers(wanted: Replacement) -> Replacement:
    lines = lines_of(wanted.old)
    found = [_NUMBERED.fullmatch(line) for line in lines if line.strip()]
    numbers = [int(one["at"]) for one in found if one]
    if len(numbers) < len(found) or numbers != sorted(set(numbers)):
        return wanted
    return _changed(
        wanted, lambda line: one["text"] if (one := _NUMBERED.fullmatch(line)) else line
    )


def _without_marks(wanted: Replacement) -> Replacement:
    return _changed(wanted, lambda line: unquote_world(f"\n{line}")[1:])


def _without_blank_ends(wanted: Replacement) -> Replacement:
    """As many blank lines of the new text go, where it has them."""
    old, new = lines_of(wanted.old), lines_of(wanted.new)
    for at in (0, -1):
        while len(old) > 1 and not old[at].strip():
            del old[at]
            if new and not new[at].strip():
                del new[at]
    return replace(wanted, old=_joined(old), new=_joined(new), whole_lines=True)


def _changed(wanted: Replacement, change: Callable[[str], str]) -> Replacement:
    old, new = ("\n".join(map(change, text.split("\n"))) for text in (wanted.old, wanted.new))
    return replace(wanted, old=old, new=new)


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _exactly(content: str, wanted: Replacement) -> list[_Splice]:
    if wanted.whole_lines:
        return _by_lines(content, wanted, lambda line: line)
    return _parts(content, wanted.old, wanted.new)


def _with_crlf(content: str, wanted: Replacement) -> list[_Splice]:
    if "\r\n" not in content or "\r" in wanted.old:
        return []
    if wanted.whole_lines:
        return _by_lines(content, wanted, lambda line: line.removesuffix("\r"))
    old, new = (text.replace("\n", "\r\n") for text in (wanted.old, wanted.new))
    return _parts(content, old, new)


def _within_lines(content: str, wanted: Replacement) -> list[_Splice]:
    """Whole words of it only: `x = 1` is no part of `max = 1`."""
    old, new = wanted.old.removesuffix("\n"), wanted.new.removesuffix("\n")
    if not wanted.whole_lines or old != old.strip("\n"):
        return []
    if "\r\n" in content:
        old, new = old.replace("\n", "\r\n"), new.replace("\n", "\r\n")
    begins = r"(?<!\w)" if re.match(r"\w", old) else ""
    ends = r"(?!\w)" if re.search(r"\w\Z", old) else ""
    found = re.finditer(begins + re.escape(old) + ends, content)
    return [_Splice(*place.span(), new) for place in found]


def _without_trailing(content: str, wanted: Replacement) -> list[_Splice]:
    return _by_lines(content, wanted, str.rstrip)


def _shifted(content: str, wanted: Replacement) -> list[_Splice]:
    """All lines indented more, or all less, by the same blanks; and so the new ones."""
    lines, old, found = content.split("\n"), lines_of(wanted.old), list[_Splice]()
    if not wanted.old.strip():
        return []
    starts = _starts(lines, old, str.strip)
    for at, place in zip(starts, _places(lines, starts, len(old)), strict=True):
        new = _new_shifted(lines[at : at + len(old)], old, lines_of(wanted.new))
        if new is not None:
            found.append(_splice(lines, place, new))
    return found


def _new_shifted(lines: Sequence[str], old: Sequence[str], new: Sequence[str]) -> list[str] | None:
    indents = zip(map(_indent, lines), map(_indent, old), strict=True)
    pairs = [pair for pair, line in zip(indents, old, strict=True) if line.strip()]
    is_deeper = len(pairs[0][0]) > len(pairs[0][1])
    longer, shorter = pairs[0] if is_deeper else pairs[0][::-1]
    shift = longer.removesuffix(shorter)
    for indent, quoted in pairs:
        if shift + (quoted if is_deeper else indent) != (indent if is_deeper else quoted):
            return None
    if is_deeper:
        return [shift + line if line.strip() else line for line in new]
    if any(line.strip() and not line.startswith(shift) for line in new):
        return None
    return [line.removeprefix(shift) for line in new]


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _by_lines(content: str, wanted: Replacement, key: Callable[[str], str]) -> list[_Splice]:
    lines, old, new = content.split("\n"), lines_of(wanted.old), lines_of(wanted.new)
    places = _places(lines, _starts(lines, old, key), len(old))
    return [_splice(lines, place, new) for place in places]


def _starts(lines: Sequence[str], old: Sequence[str], key: Callable[[str], str]) -> list[int]:
    keyed, wanted = [key(line) for line in lines], [key(line) for line in old]
    if lines[-1] == "":
        keyed.pop()  # behind the last newline there is no line
    starts = (at for at, line in enumerate(keyed) if wanted and line == wanted[0])
    return [at for at in starts if keyed[at : at + len(wanted)] == wanted]


def _places(lines: Sequence[str], starts: Sequence[int], count: int) -> list[_Place]:
    offsets = list(accumulate((len(line) + 1 for line in lines), initial=0)) if starts else []
    return [_Place(at, at + count, offsets[at], offsets[at + count]) for at in starts]


def _splice(lines: Sequence[str], place: _Place, new: Sequence[str]) -> _Splice:
    """Of whole lines, which keep the ends that they have."""
    taken = lines[place.first : place.behind]
    newline = "\r\n" if any(line.endswith("\r") for line in taken) else "\n"
    text = newline.join(line.removesuffix("\r") for line in new)
    if place.behind == len(lines):  # no newline stands behind the last one
        return _Splice(place.start, place.end - 1, text)
    return _Splice(place.start, place.end, text + newline if new else "")


def _parts(content: str, old: str, new: str) -> list[_Splice]:
    found, at = list[_Splice](), content.find(old)
    while at >= 0 and old:
        found.append(_Splice(at, at + len(old), new))
        at = content.find(old, at + 1)
    return found


_COPIED: tuple[tuple[str, tuple[Callable[[Replacement], Replacement], ...]], ...] = (
    ("line numbers were left out of the block", (_without_numbers,)),
    ("the marks that only this transcript has were left out of the block", (_without_marks,)),
    (
        "line numbers, and marks that only this transcript has, were left out of the block",
        (_without_numbers, _without_marks),
    ),
    ("blank lines at the ends of the old text were left out", (_without_blank_ends,)),
)
_WAYS: tuple[tuple[str, Find], ...] = (
    ("", _exactly),
    ("the lines end in CRLF, as before", _with_crlf),
    ("found with other blanks at the ends of lines", _without_trailing),
    ("found with another indentation, and the new lines were shifted as well", _shifted),
    ("found as a part of its line", _within_lines),
)
