"""The headings of a Markdown text, outside fenced code."""

from collections.abc import Iterator, Sequence

from react_agent.parsers.repo.outline import Defined, Outline

_FENCES = ("```", "~~~")
_DEEPEST = 6


def markdown_outline(text: str) -> Outline:
    lines = text.removesuffix("\n").split("\n")
    headings = list(_headings(lines))
    ends = [_end(headings, at, len(lines)) for at in range(len(headings))]
    return Outline(
        tuple(
            Defined(f"{'#' * level} {title}", number, end, level - 1)
            for (number, level, title), end in zip(headings, ends, strict=True)
        )
    )


def _headings(lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    fence = ""
    for number, line in enumerate(lines, 1):
        bare = line.strip()
        mark = bare[:3] if bare.startswith(_FENCES) else ""
        if mark and (not fence or fence == mark):
            fence = "" if fence else mark
        marks, _, title = bare.partition(" ")
        if not fence and marks and len(marks) <= _DEEPEST and not marks.strip("#") and title:
            yield number, len(marks), title.strip().rstrip("#").rstrip()


def _end(headings: Sequence[tuple[int, int, str]], at: int, last: int) -> int:
    level = headings[at][1]
    following = (number - 1 for number, other, _ in headings[at + 1 :] if other <= level)
    return next(following, last)
