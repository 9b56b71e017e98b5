"""Where the names of tests lead: a file or a folder of the repository, and names inside of it."""

import os
import posixpath
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from react_agent.parsers.file_request import readings
from react_agent.tools.context import Context
from react_agent.tools.files.file_list import file_list, is_glob
from react_agent.tools.files.paths import Place, Refused, inside
from react_agent.tools.files.suggestions import near_paths

_MOST_OF_A_GLOB = 50


@dataclass(frozen=True, slots=True)
class Target:
    path: str  # empty: only names
    names: tuple[str, ...] = ()
    is_folder: bool = False


@dataclass(frozen=True, slots=True)
class NoTarget:
    reason: str


def targets(texts: Sequence[str], context: Context) -> list[Target] | NoTarget:
    found = list[Target]()
    for text in texts:
        answer = _target(text, context)
        if isinstance(answer, NoTarget):
            return answer
        found += answer
    return found


def _target(text: str, context: Context) -> list[Target] | NoTarget:
    head, names = _parted(text)
    for request in readings(head):
        if found := _existing(request.path, names, context):
            return [found]
    if is_glob(head) and "/" in head + "/" and not names:
        matching = [name for name in file_list(context.root) if fnmatchcase(name, head)]
        if matching:
            return [Target(name) for name in matching[:_MOST_OF_A_GLOB]]
    if dotted := _dotted(head, names, context):
        return [dotted]
    place = inside(context.root, head)
    if isinstance(place, Refused):
        return NoTarget(place.reason)
    if "/" in head or head.endswith((".py", ".go", ".rs", ".js", ".ts", ".tsx", ".jsx", ".mjs")):
        return NoTarget(_missing(place.name, context))
    return [Target("", (head, *names))]


def _parted(text: str) -> tuple[str, tuple[str, ...]]:
    """At `::`, but not in parameters."""
    start, bracket, parameters = text.partition("[")
    head, *names = start.split("::")
    if names and bracket:
        names[-1] += bracket + parameters
        return head, tuple(names)
    return head + (bracket + parameters if not names else ""), tuple(filter(None, names))


def _existing(head: str, names: tuple[str, ...], context: Context) -> Target | None:
    for path in dict.fromkeys((head, posixpath.join(context.cwd, head))):
        place = inside(context.root, path)
        if isinstance(place, Place) and head.strip() and os.path.lexists(place.full):
            return Target(place.name, names, place.full.is_dir())
    return None


def _dotted(head: str, names: tuple[str, ...], context: Context) -> Target | None:
    """`tests.test_x.TestA.test_b`: the longest beginning that is a file, or a folder."""
    parts = head.split(".")
    if not all(part.isidentifier() for part in parts):
        return None
    for end in range(len(parts), 0, -1):
        path, rest = "/".join(parts[:end]), tuple(parts[end:])
        if (context.root / f"{path}.py").is_file():
            return Target(f"{path}.py", (*rest, *names))
        if not rest and end > 1 and (context.root / path).is_dir():
            return Target(path, names, is_folder=True)
    return None


def _missing(name: str, context: Context) -> str:
    near = near_paths(name, file_list(context.root))
    hint = f"; near it: {', '.join(near)}" if near else ""
    return f"{name} does not exist{hint}"
