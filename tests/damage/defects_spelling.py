"""The same edit, written in another way than a unified diff."""

from collections.abc import Iterator
from random import Random

from draft import Draft, File, Hunk
from row import Damage, Defect, Kind, Told, yes


def _v4a(draft: Draft, rng: Random) -> Told:
    if any(line.mark == "" and line.is_old for hunk in draft.hunks for line in hunk.lines):
        return Told.UNFIT
    if not _leaves_newlines(draft):
        return Told.UNFIT
    _forget_numbers(draft)
    draft.write = _written_v4a
    return yes(_leaves_returns(draft))


def _forget_numbers(draft: Draft) -> None:
    for hunk in draft.hunks:
        hunk.header = hunk.header or "@@"


def _leaves_newlines(draft: Draft) -> bool:
    """It has no words for the newline at the end of a file: without them it is another edit."""
    return all(file.newline[0] == file.newline[1] for file in draft.files)


def _leaves_returns(draft: Draft) -> bool:
    """It says nothing of CR."""
    return not any(file.is_mixed for file in draft.files)


def _written_v4a(draft: Draft) -> str:
    lines = ["*** Begin Patch"]
    for file in draft.files:
        lines += _v4a_of(file)
    return "".join(f"{line}\n" for line in [*lines, "*** End Patch"])


def _v4a_of(file: File) -> Iterator[str]:
    if not file.new:
        yield f"*** Delete File: {file.old}"
        return
    if not file.old:
        yield f"*** Add File: {file.new}"
    else:
        yield f"*** Update File: {file.said_old.removeprefix('a/')}"
    if file.is_moved:
        yield f"*** Move to: {file.new}"
    for hunk in file.hunks:
        if file.old:
            yield hunk.header if hunk.header and "..." not in hunk.header else "@@"
        yield from (line.mark + line.text for line in hunk.lines if line.mark != "\\")


def _blocks(marks: tuple[str, str, str], fenced: bool) -> Damage:
    def damage(draft: Draft, rng: Random) -> Told:
        if not all(file.is_plain for file in draft.files) or not _leaves_newlines(draft):
            return Told.UNFIT
        if not all(any(line.text.strip() for line in hunk.old) for hunk in draft.hunks):
            return Told.UNFIT
        _forget_numbers(draft)
        draft.write = lambda draft: "".join(_file_blocks(draft, marks, fenced))
        return yes(_leaves_returns(draft))

    return damage


def _file_blocks(draft: Draft, marks: tuple[str, str, str], fenced: bool) -> Iterator[str]:
    for file in draft.files:
        for hunk in file.hunks:
            name = file.said_old.removeprefix("a/")
            block = "\n".join([marks[0], *_side(hunk, "-"), marks[1], *_side(hunk, "+"), marks[2]])
            yield f"{name}\n```python\n{block}\n```\n\n" if fenced else f"{name}\n{block}\n"


def _side(hunk: Hunk, mark: str) -> list[str]:
    return [line.text for line in hunk.lines if line.mark in ("", " ", mark)]


_SPELLING = "spelling"
SPELLINGS = (
    Defect("V4A", _v4a, kind=Kind.DEPENDS, group=_SPELLING),
    Defect(
        "search and replace",
        _blocks(("<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"), True),
        kind=Kind.DEPENDS,
        group=_SPELLING,
    ),
    Defect(
        "conflict markers",
        _blocks(("<<<<<<< HEAD", "=======", ">>>>>>> new"), False),
        kind=Kind.DEPENDS,
        group=_SPELLING,
    ),
)
