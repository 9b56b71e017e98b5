"""The `list_files` tool: list the contents of a folder, as deeply as the output limit allows."""

import os
import posixpath
import stat
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from react_agent.parsers.repo.globs import matching
from react_agent.parsers.text.counted import first_few, sized
from react_agent.parsers.values.arguments import Unreadable
from react_agent.parsers.values.targets import named_folders
from react_agent.tools.clip import clip, counted
from react_agent.tools.context import Context
from react_agent.tools.files.file_list import (
    Listing,
    below,
    ignored_entries,
    is_glob,
    listing,
    near_it,
    one_line,
    with_folders,
)
from react_agent.tools.files.paths import Place, Refused, existing, named_place, refused, settled
from react_agent.tools.observation import Observation, Status, failed, joined, read_as
from react_agent.tools.registry import Kind, Tool, named

_MOST_FOLDERS = 8
_MOST_NAMED = 5  # of the ignored entries; the others are counted


def _list_files(text: str, context: Context) -> Observation:
    several = None if existing(context.root, text) else named_folders(text)
    if isinstance(several, Unreadable):
        return failed(several.reason)
    if several is None:
        return _one(text, context)
    if (count := len(several.lines)) > _MOST_FOLDERS:
        return failed(f"too many folders at once ({count}): ask for {_MOST_FOLDERS} or fewer")
    limits = replace(context.limits, result_lines=max(context.limits.result_lines // count, 1))
    each = replace(context, limits=limits)
    return read_as(several.said, joined([_one(one, each) for one in several.lines]))


def _one(asked: str, context: Context) -> Observation:
    if "\n" in asked.strip():
        return failed("one folder at a time: write one PATH, or leave it empty for the root")
    place = named_place(context.root, "." if asked.strip() == "/" else asked)
    real = settled(place) if isinstance(place, Place) else place
    if isinstance(real, Refused):
        return refused(real)
    assert isinstance(place, Place)
    every, name, limits = listing(context), place.name, context.limits
    if real.full.is_dir():
        return _folder(real, every, context)
    if real.full.exists():
        parent = Place(real.root, posixpath.dirname(real.name) or ".")
        header = f"{real.name} is a file ({sized(real.full.stat().st_size)})"
        beside = _folder(parent, every, context).text
        text = f"{header}: {named('read_file')} shows it\n{beside}"
        return Observation(text, paths=(real.name,))
    near = near_it(name, with_folders(every.files)) if limits.widen else ""
    if not is_glob(name):
        return failed(f"{name} does not exist{near or '; an empty input lists the root'}")
    if not (found := matching(name, every.files)):
        return failed(f"no file matches {name}{near}")
    header = f"{counted(len(found), 'file')} {'match' if len(found) > 1 else 'matches'} {name}"
    shown = found[: limits.result_lines]
    lines = [f"{one_line(path)}{_kind(context.root / path)}" for path in shown]
    left = len(found) - len(lines)
    note = [f"[{left:,} more: write a narrower glob]"] if left else []
    return Observation(clip("\n".join((header, *lines, *note)), limits))


def _folder(place: Place, every: Listing, context: Context) -> Observation:
    name, names = place.name, below(place.name, every.files)
    if names == [name] or (not names and name != "." and (place.full / ".git").exists()):
        said = f"{name} is a repository of its own (a submodule): its files are not here"
        return Observation(said, Status.EMPTY)
    entries = ignored_entries(context.root, name)
    ignored = [one for one in entries if not f"{name}/".startswith(one)]
    if entries and not (ignored or names):
        return Observation(f"git ignores {name}: its files are not listed", Status.EMPTY)
    some = first_few(ignored, _MOST_NAMED)
    note = f"; not counted: {counted(len(ignored), 'ignored entry')} ({some})" if ignored else ""
    if not names:
        return Observation(f"{name} holds no files{note}", Status.EMPTY)
    inner = [one.removeprefix("" if name == "." else f"{name}/") for one in names]
    shown = _as_deep_as_fits(inner, place.full, context.limits.result_lines)
    header = f"{name} holds {counted(len(names), 'file')}{note}"
    return Observation(clip("\n".join((header, *shown)), context.limits))


def _as_deep_as_fits(names: Sequence[str], at: Path, most: int) -> list[str]:
    """Return the deepest listing that fits, or else the beginning of the shallowest one."""
    own = Counter(name.rpartition("/")[0] for name in names)
    files = Counter[str]()  # below each folder, however deep
    for direct, count in own.items():
        folder = direct
        while folder:
            files[folder] += count
            folder = folder.rpartition("/")[0]
    levels = Counter(one.count("/") for one in (*files, *names))
    depth = 1
    while depth < len(levels) and sum(levels[level] for level in range(depth + 1)) <= most:
        depth += 1
    shown = [(_order(folder, 0), folder) for folder in files if folder.count("/") < depth]
    shown += [(_order(name, 1), name) for name in names if name.count("/") < depth]
    lines = list[str]()
    for _, name in sorted(shown)[:most]:
        level, last = name.count("/"), one_line(name.rpartition("/")[2])
        held = f" {counted(files[name], 'file')}" if level == depth - 1 else ""
        lines.append("  " * level + last + (f"/{held}" if name in files else _kind(at / name)))
    if left := len(shown) - len(lines):
        lines.append(
            f"[{counted(left, 'more entry')} here: write a glob such as *.py for a part of it]"
        )
    elif depth < len(levels):
        lines.append("[folders with a count are not expanded: write a folder's path to see more]")
    return lines


def _order(name: str, is_file: int) -> list[tuple[int, str]]:
    """Return a sort key that places folders before files."""
    *folders, last = name.split("/")
    return [*((0, folder) for folder in folders), (is_file, last)]


def _kind(path: Path) -> str:
    found = os.lstat(path)
    if stat.S_ISLNK(found.st_mode):
        return f" -> {one_line(str(path.readlink()))}"
    if stat.S_ISDIR(found.st_mode):
        return "/ (a repository of its own, not searched)"
    return f" {sized(found.st_size)}"


LIST_FILES = Tool(
    "list_files",
    "list the files of a folder and below; input: PATH or a glob; leave it empty for the root",
    Kind.READ,
    _list_files,
    needs_input=False,
)
