"""Texts of a run as a page shows them: the long ones folded, diffs in colour."""

import re
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from react_agent.page.markup import Markup, join, tag, written
from react_agent.parsers.text.counted import counted, sized
from react_agent.parsers.text.gist import headline

_SHORT = 12  # lines of an input that is not folded
_LINE = 160  # characters of what is no long text
_FIRST = 140  # of the line that stands for a folded one
_ENDED = "exit code"
_IS_DIFF = re.compile(r"^(?:diff --git |--- |\*\*\* Begin Patch|@@ |<{7})", re.MULTILINE)
_BLOCK = re.compile(r"<{7}|={7}|>{7}")
_IN_BLOCK = {"<" * 7: "taken", "=" * 7: "added", ">" * 7: ""}
_LOOKS = {"+": "added", "-": "taken", "@": "place"}
_HEADS = ("+++ ", "--- ", "diff --git ", "index ", "*** ")


def is_long(text: str) -> bool:
    return "\n" in text or len(text) > _LINE


def fold(title: str, size: str, *inner: str, class_: str | None = None) -> Markup:
    head = tag("summary", tag("span", title), tag("small", size) if size else "")
    return tag("details", head, *inner, class_=class_)


def gist(text: str) -> Markup:
    """Its first line, in place of it all; of a program also its last."""
    first = headline(text, _FIRST) or "nothing"
    if first.startswith(_ENDED) and (last := headline(text.rstrip().rpartition("\n")[2], _FIRST)):
        first = f"{first} … {last}"
    return written(first)


def size(text: str) -> str:
    """`41 lines, 3.2 kB`."""
    lines = counted(text.count("\n") + 1, "line")
    return f"{lines}, {sized(len(text.encode(errors='surrogatepass')))}"


def plain(text: str, class_: str | None = None) -> Markup:
    """A browser drops a line feed that stands first."""
    return tag("pre", join(Markup("\n"), written(text)), class_=class_)


def code(text: str, class_: str = "") -> Markup:
    """An input: folded where it is long, but for a diff, which is what one wants to see."""
    if not is_long(text):
        return tag("code", written(text), class_=class_ or None)
    if _IS_DIFF.search(text):
        return diff(text, class_)
    shown = plain(text, class_)
    return shown if text.count("\n") < _SHORT else fold(gist(text), size(text), shown)


def diff(text: str, class_: str = "") -> Markup:
    """Lines that look alike are one element; what it shows is the text, to the letter."""
    parts = (
        tag("span", written("".join(line for line, _ in lines)), class_=look or None)
        for look, lines in groupby(_looks(text), key=itemgetter(1))
    )
    return tag("pre", Markup("\n"), *parts, class_=f"diff {class_}".rstrip())


def _looks(text: str) -> Iterator[tuple[str, str]]:
    """Each line, and how it looks; in a block all that it finds goes, and comes in its place."""
    block = ""
    for line in _lines(text):
        if mark := _BLOCK.match(line):
            block = _IN_BLOCK[mark[0]]
            yield line, "place"
        else:
            yield line, block or _look(line)


def _lines(text: str) -> Iterator[str]:
    *lines, last = text.split("\n")
    yield from (f"{line}\n" for line in lines)
    if last:
        yield last


def _look(line: str) -> str:
    return "place" if line.startswith(_HEADS) else _LOOKS.get(line[:1], "")
