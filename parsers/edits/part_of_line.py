"""A text that stands in a file, be it within a line, replaced by another one."""

import re
from collections.abc import Iterator
from typing import NamedTuple


class Wanted(NamedTuple):
    old: str
    new: str
    whole_words: bool  # `x = 1` is no part of `max = 1`, `42` none of `1.42`
    everywhere: bool


def part_replaced(content: str, wanted: Wanted) -> str | tuple[int, ...]:
    """The new content; else the lines at which it stands, counted from 1: none, or too many."""
    found = list(_found(content, wanted))
    if not found and "\r\n" in content and "\r" not in wanted.old:
        old, new = (text.replace("\n", "\r\n") for text in (wanted.old, wanted.new))
        wanted = wanted._replace(old=old, new=new)
        found = list(_found(content, wanted))
    if not found or (len(found) > 1 and not wanted.everywhere):
        return tuple(content.count("\n", 0, at) + 1 for at in found[:_MOST])
    return _spliced(content, found, wanted)


_BEGINS = ((r"\d", r"(?<!\w)(?<!(?<!\.)\.)"), (r"\w", r"(?<!\w)"))  # behind `..` a number is whole
_ENDS = ((r"\d\Z", r"(?!\w|\.\d)"), (r"\w\Z", r"(?!\w)"))
_MOST = 100  # places: to count the lines above each is slow


def _found(content: str, wanted: Wanted) -> Iterator[int]:
    """Places may lap over each other: then it is not clear which one is meant."""
    old = re.escape(wanted.old)
    if wanted.whole_words:
        begins = next((look for first, look in _BEGINS if re.match(first, wanted.old)), "")
        ends = next((look for last, look in _ENDS if re.search(last, wanted.old)), "")
        old = begins + old + ends
    return (place.start() for place in re.finditer(f"(?={old})", content)) if old else iter(())


def _spliced(content: str, found: list[int], wanted: Wanted) -> str:
    parts, at = list[str](), 0
    for start in found:
        if start >= at:
            parts += (content[at:start], wanted.new)
            at = start + len(wanted.old)
    return "".join((*parts, content[at:]))
