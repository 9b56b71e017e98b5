"""Whether a damaged hunk still says where it belongs: only one place has what it quotes."""

import re
from collections.abc import Sequence

from draft import Draft, File, Folded, Hunk, Line, fold

_LEAST = 3  # characters that tell something
_MARKUP = re.compile(
    r"(--|\+\+|@@|diff |```|~~~|\*\*\*|<<<|>>>|===|\\|\.\.\.|index |rename |new file|deleted )"
)


def place_is_told(draft: Draft) -> bool:
    return all(_is_told(file, hunk) for file in draft.files for hunk in file.hunks)


def _is_told(file: File, hunk: Hunk) -> bool:
    if not file.source or not file.new:
        return hunk.is_literal  # created or deleted: all of it is there
    if not any(line.is_old for line in hunk.lines):
        return hunk.knows_start and hunk.counts_off == (0, 0)  # `-12,0` and `-12,1` are not alike
    if hunk.is_literal and hunk.knows_start and not _looks_like_markup(hunk):
        return True
    if any(line.text and not line.text.strip() for line in hunk.added):
        return False  # blanks that stand for themselves, or those of an indentation
    if file.is_mixed or any("\r" in line.text for line in hunk.lines):
        return False  # how a new line ends, its neighbours do not tell
    return not _looks_like_markup(hunk) and _is_only_place(file, hunk)


def _looks_like_markup(hunk: Hunk) -> bool:
    """One that is read otherwise where counts or marks are not to be believed."""
    lines = [line for line in hunk.lines if line.is_old or line.mark == "+"]
    return any(_MARKUP.match(mark + line.true) for line in lines for mark in ("", "-", "+"))


def _is_only_place(file: File, hunk: Hunk) -> bool:
    """Of each part between dots."""
    parts: list[list[Line]] = [[]]
    for line in hunk.lines:
        if line.true.strip() == "..." and line.mark in ("", " ") and not line.is_old:
            parts.append([])
        elif line.is_old:
            parts[-1].append(line)
    return all(_is_found_once(file, part) for part in parts if part)


def _is_found_once(file: File, old: Sequence[Line]) -> bool:
    sure = [line for line in old if line.is_true and len(fold(line.true)) >= _LEAST]
    if not sure or 2 * len(sure) < len([line for line in old if line.true.strip()]):
        return False
    return (
        len(_places(file.folded, old, [line.at or 0 for line in old])) <= 1
        and len(_places(file.folded, old, range(len(old)))) <= 1
        and len(_places_without_blank_lines(file, old)) <= 1
    )


def _places(source: Folded, old: Sequence[Line], offsets: Sequence[int]) -> list[int]:
    """Where all that is quoted rightly stands that far apart."""
    wanted = [
        (offset, fold(line.true)) for offset, line in zip(offsets, old, strict=True) if line.is_true
    ]
    first, rarest = min(wanted, key=lambda one: len(source.places.get(one[1], ())))
    lines = source.lines
    return [
        at - first
        for at in source.places.get(rarest, ())
        if all(
            0 <= at - first + offset < len(lines) and lines[at - first + offset] == text
            for offset, text in wanted
        )
    ]


def _places_without_blank_lines(file: File, old: Sequence[Line]) -> list[int]:
    lines = [line for line in old if line.true.strip() or not line.is_true]
    return _places(Folded([line for line in file.folded.lines if line]), lines, range(len(lines)))
