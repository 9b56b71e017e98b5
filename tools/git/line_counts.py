"""How many lines of which files differ between two trees: `src/a.py:+3-1`, `logo.png:*`."""

import io
import os
from collections.abc import Iterator
from itertools import islice

from react_agent.parsers.patch.line_diff import differing
from react_agent.tools.git.objects import SUBMODULE, Difference, Entry, ObjectError, Objects

MANY = 500  # files that are named
_LOOKED_AT = 2000  # files; what differs beyond them is counted
_LARGEST = 8_000_000  # bytes of a file that is counted; a larger one is told like a binary one
_BINARY = "*"
_START = 8000  # bytes, in which a binary file has a NUL


def line_counts(objects: Objects, before: str, after: str) -> list[str] | None:
    """Of all files, the first ones; None where it can't be told, as of a tree that is gone."""
    return _counts(objects, before, after, ends_count=True)


def start_counts(objects: Objects, base: str, after: str) -> list[str] | None:
    """The same, from a commit whose lines may have got other ends when it was checked out."""
    return _counts(objects, base, after, ends_count=False)


def _counts(objects: Objects, before: str, after: str, *, ends_count: bool) -> list[str] | None:
    if before == after:
        return []
    try:
        found = objects.differences(objects.tree_of(before), objects.tree_of(after))
        first = islice(found, _LOOKED_AT)
        counted = [one for each in first if (one := _counted(objects, each, ends_count))]
        more = len(counted) - MANY if len(counted) > MANY else 0
        more += sum(1 for _ in found)
    except ObjectError:
        return None
    return counted[:MANY] + ([f":{more}"] if more else [])


def _counted(objects: Objects, one: Difference, ends_count: bool) -> str:
    """Empty if only ends of lines are others, and they don't count."""
    path = os.fsdecode(one.path)
    was, now = (_data(objects, entry) for entry in (one.before, one.after))
    if was is None or now is None:
        return f"{path}:{_BINARY}"
    is_compared = bool(one.before and one.after) and not ends_count
    if is_compared and was != now:
        was, now = was.replace(b"\r\n", b"\n"), now.replace(b"\r\n", b"\n")
        if was == now:
            return ""
    old, new = (list(_lines(data)) for data in (was, now))
    gaps = differing(old, new)
    return f"{path}:+{sum(d - c for *_, c, d in gaps)}-{sum(b - a for a, b, *_ in gaps)}"


def _data(objects: Objects, entry: Entry | None) -> bytes | None:
    """None of a binary file."""
    if entry is None:
        return b""
    if entry.mode == SUBMODULE:
        return f"Subproject commit {entry.id}\n".encode()
    if objects.size(entry.id, "blob") > _LARGEST:
        return None
    data = objects.read(entry.id, "blob")
    return None if b"\0" in data[:_START] else data


def _lines(data: bytes) -> Iterator[str]:
    """With their ends: a last line without one is another than the same with it."""
    return iter(io.StringIO(data.decode("latin-1"), newline="\n"))
