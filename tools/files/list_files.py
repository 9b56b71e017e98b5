"""List what a folder holds: as deep as there is room for."""

import os
import posixpath
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from react_agent.parsers.counted import sized
from react_agent.parsers.named_files import named_folders
from react_agent.parsers.unreadable import Unreadable
from react_agent.parsers.words import lists, split_options
from react_agent.tools.clip import clip, counted
from react_agent.tools.context import Context
from react_agent.tools.errors import ReactAgentError, told
from react_agent.tools.files.combined import joined, refused
from react_agent.tools.files.file_list import (
    by_glob,
    file_list,
    ignored_entries,
    is_glob,
    literally,
    one_line,
    with_folders,
)
from react_agent.tools.files.paths import Place, Refused, inside, settled, unwrapped
from react_agent.tools.files.suggestions import near_paths
from react_agent.tools.observation import Observation, Status, failed, read_as
from react_agent.tools.registry import Kind, Tool, named

_MOST_FOLDERS = 8
_ROOT = ("/", "nothing", "(nothing)", "none", "root", "empty", "{}")  # as models write it
_MOST_NAMED = 5  # of the ignored entries; the others are counted


@dataclass(slots=True)
class _Folder:
    folders: dict[str, "_Folder"] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)

    def lines(self, depth: int) -> int:
        """How many a listing of so many levels takes."""
        below = sum(folder.lines(depth - 1) for folder in self.folders.values()) if depth > 1 else 0
        return len(self.files) + len(self.folders) + below

    def count(self) -> int:
        return len(self.files) + sum(folder.count() for folder in self.folders.values())


def _list_files(text: str, context: Context) -> Observation:
    named = None if _exists(text, context) else named_folders(text)
    if isinstance(named, Unreadable):
        return failed(named.reason)
    if named is None:
        return _listed(*_asked(text, context), context)
    return read_as(named.said, _listed((), named.lines, context))


def _listed(options: Sequence[str], asked: Sequence[str], context: Context) -> Observation:
    if len(asked) > _MOST_FOLDERS:
        return failed(f"{len(asked)} are too many at once: ask for {_MOST_FOLDERS} or fewer")
    lines = max(context.limits.result_lines // len(asked), 1)
    limits = replace(context.limits, result_lines=lines)
    each = replace(context, limits=limits)
    return joined([_one(one, each) for one in asked], options)


def _asked(text: str, context: Context) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The options, and what is asked for: one folder, or several places that all exist."""
    bare = unwrapped(text)
    if _exists(bare, context):
        return (), (bare,)
    options, rest = split_options(bare)
    if rest.casefold() in _ROOT and not _exists(rest, context):
        return options, (".",)
    for parts in lists(rest):
        if len(parts) > 1 and all(_exists(part, context) for part in parts):
            return options, parts
    return options, (rest,)


def _exists(asked: str, context: Context) -> bool:
    place = inside(context.root, asked)
    return isinstance(place, Place) and os.path.lexists(place.full)


def _one(asked: str, context: Context) -> Observation:
    if "\n" in asked:
        return failed("one folder at a time: write one PATH, or leave it empty for the root")
    place = inside(context.root, asked)
    if isinstance(place, Refused):
        return refused(place)
    try:
        return _answered(place, context)
    except ReactAgentError as error:
        return failed(told(error))


def _answered(place: Place, context: Context) -> Observation:
    real = settled(place)
    if isinstance(real, Refused):
        return refused(real)
    if real.full.is_dir():
        return _folder(real, context)
    if real.full.exists():
        return _file(real, context)
    if is_glob(place.name):
        return _matching(place.name, context)
    near = _near(place.name, context) or "; an empty input lists the root"
    return failed(f"{place.name} does not exist{near}")


def _folder(place: Place, context: Context) -> Observation:
    names = file_list(context.root, literally(place.name))
    prefix = "" if place.name == "." else f"{place.name}/"
    tree = _tree([name.removeprefix(prefix) for name in names if name != place.name])
    total = tree.count()
    ignored = _ignored(context.root, place.name)
    if names == [place.name]:
        said = f"{place.name} is a repository of its own (a submodule): its files are not here"
        return Observation(said, Status.EMPTY)
    if not total:
        return Observation(f"{place.name} holds no files{ignored}", Status.EMPTY)
    shown = _as_deep_as_fits(tree, place.full, context.limits.result_lines)
    header = f"{place.name} holds {counted(total, 'file')}{ignored}"
    return Observation(clip("\n".join((header, *shown)), context.limits))


def _tree(names: list[str]) -> _Folder:
    root = _Folder()
    for name in names:
        *folders, last = name.split("/")
        at = root
        for folder in folders:
            at = at.folders.setdefault(folder, _Folder())
        at.files.append(last)
    return root


def _as_deep_as_fits(tree: _Folder, at: Path, most: int) -> list[str]:
    """The deepest listing that fits; if none does, the beginning of the shallowest."""
    depth, whole = 1, _depth(tree)
    while depth < whole and tree.lines(depth + 1) <= most:
        depth += 1
    lines = list(islice(_lines(tree, at, depth), most))
    left = tree.lines(depth) - len(lines)
    if left:
        return [
            *lines,
            f"[{counted(left, 'more entry')} here: write a glob such as *.py for a part of it]",
        ]
    if depth < whole:
        return [*lines, "[a folder with a count is not opened here: write its path for more]"]
    return lines


def _depth(tree: _Folder) -> int:
    return 1 + max((_depth(folder) for folder in tree.folders.values()), default=0)


def _lines(tree: _Folder, at: Path, depth: int, indent: str = "") -> Iterator[str]:
    for name, folder in sorted(tree.folders.items()):
        if depth == 1:
            yield f"{indent}{one_line(name)}/ {counted(folder.count(), 'file')}"
        else:
            yield f"{indent}{one_line(name)}/"
            yield from _lines(folder, at / name, depth - 1, indent + "  ")
    for name in sorted(tree.files):
        yield f"{indent}{one_line(name)}{_kind(at / name)}"


def _kind(path: Path) -> str:
    found = os.lstat(path)
    if stat.S_ISLNK(found.st_mode):
        return f" -> {path.readlink()}"
    if stat.S_ISDIR(found.st_mode):
        return "/ (a repository of its own, not searched)"
    return f" {sized(found.st_size)}"


def _ignored(root: Path, name: str) -> str:
    entries = [one for one in ignored_entries(root, literally(name)) if one != f"{name}/"]
    if not entries:
        return ""
    more = f" and {len(entries) - _MOST_NAMED} more" if len(entries) > _MOST_NAMED else ""
    named_ones = ", ".join(entries[:_MOST_NAMED])
    return f"; not counted: {counted(len(entries), 'ignored entry')} ({named_ones}{more})"


def _file(place: Place, context: Context) -> Observation:
    name = place.name
    parent = inside(context.root, posixpath.dirname(name) or ".")
    size = sized(place.full.stat().st_size)
    header = f"{name} is a file ({size}): {named('read_file')} shows it"
    if isinstance(parent, Refused):
        return Observation(header, paths=(name,))
    return Observation(f"{header}\n{_folder(parent, context).text}", paths=(name,))


def _matching(glob: str, context: Context) -> Observation:
    names = file_list(context.root, by_glob(glob))
    if not names:
        return failed(f"no file matches {glob}{_near(glob, context)}")
    most = context.limits.result_lines
    left = len(names) - most
    header = f"{counted(len(names), 'file')} {'match' if len(names) > 1 else 'matches'} {glob}"
    lines = [f"{one_line(name)}{_kind(context.root / name)}" for name in names[:most]]
    note = [f"[{left:,} more: write a narrower glob]"] if left > 0 else []
    return Observation(clip("\n".join((header, *lines, *note)), context.limits))


def _near(name: str, context: Context) -> str:
    if not context.limits.widen:
        return ""
    near = near_paths(name, with_folders(file_list(context.root)))
    return f"; near it: {', '.join(near)}" if near else ""


LIST_FILES = Tool(
    "list_files",
    "list the files of a folder and below; input: PATH or a glob; leave it empty for the root",
    Kind.READ,
    _list_files,
    needs_input=False,
)
