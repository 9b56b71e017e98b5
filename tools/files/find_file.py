"""The `find_file` tool: find files and folders by name; an empty answer says where it looked."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from react_agent.parsers.repo.name_rank import Ranked, matching, ranked
from react_agent.parsers.values.arguments import Unreadable
from react_agent.parsers.values.files import parse_name_request
from react_agent.tools.clip import clip, clip_line, counted
from react_agent.tools.context import Context
from react_agent.tools.files.file_list import (
    below,
    folders_of,
    is_glob,
    known_files,
    listed,
    near_it,
    near_names,
    one_line,
)
from react_agent.tools.files.paths import Place, can_be_passed, inside
from react_agent.tools.observation import Observation, Status, failed, joined, room_for
from react_agent.tools.registry import Kind, Tool, named

_MOST_NAMES = 8  # asked for at once
_SHOWN = 120  # characters of a name
_ENOUGH = 8  # names; a less strict reading follows only on fewer
_EXACT = ("", "in another case")


@dataclass(frozen=True, slots=True)
class _Known:
    names: Sequence[str]  # files, and the folders before them
    folders: frozenset[str]
    where: str = ""

    @property
    def said(self) -> str:
        count = len(self.folders.intersection(self.names))
        files = counted(len(self.names) - count, "file")
        return f"{files} and {counted(count, 'folder')}{self.where}"


def _find_file(text: str, context: Context) -> Observation:
    request = parse_name_request(text)
    if isinstance(request, Unreadable):
        return failed(request.reason)
    if not all(map(can_be_passed, (*request.names, *request.folders))):
        return failed("the name contains a character that no file name can have: write it again")
    if (count := len(request.names)) > _MOST_NAMES:
        return failed(f"too many names at once ({count}): ask for {_MOST_NAMES} or fewer")
    files, limits = known_files(context), context.limits
    folders = frozenset(folders_of(files))
    known, note = _Known((*sorted(folders), *files), folders), ""
    if request.folders:
        where, within = ", ".join(request.folders), dict[str, None]()
        for folder in request.folders:
            within |= dict.fromkeys(_below(folder, known.names, context))
        if within or not limits.widen:
            known = _Known(tuple(within), folders, f" below {where}")
        else:
            near = near_it(request.folders[0].rstrip("/"), known.names)
            note = f"[no match below {where}{near}; searched the whole repository instead]\n"
    share = replace(
        limits,
        output_chars=room_for(count, limits.output_chars - len(note)) // count,
        result_lines=max(1, limits.result_lines // count),
    )
    found = joined([_one(name, known, replace(context, limits=share)) for name in request.names])
    return replace(found, text=note + found.text)


def _below(folder: str, names: Sequence[str], context: Context) -> Sequence[str]:
    place = inside(context.root, folder)
    if not isinstance(place, Place):
        return ()
    if is_glob(place.name):
        return matching(place.name, names)
    return [name for name in below(place.name, names) if name != place.name]


def _one(asked: str, known: _Known, context: Context) -> Observation:
    place = inside(context.root, asked)  # without `./`, the root's own path
    name = place.name if isinstance(place, Place) and place.name != "." else asked.strip("/ ")
    said, limits = clip_line(one_line(name), _SHOWN), context.limits
    lines, paths, total = list[str](), list[str](), 0
    exact = Ranked("", tuple(matching(name, known.names)))
    # the strictest first; without `widen`, only exact names or globs
    rungs = [exact] if is_glob(name) else ranked(name, known.names)
    for rung in (one for one in rungs if one.names and (limits.widen or not one.how)):
        part = rung.names[: max(0, limits.result_lines - len(paths))]
        left = len(rung.names) - len(part)
        more = f"; {left:,} of them are not shown: write more of the name" if left else ""
        if rung.how or left:
            lines.append(f"[{counted(len(rung.names), 'name')} {rung.how or 'like it'}{more}]")
        lines += [one_line(path) + "/" * (path in known.folders) for path in part]
        paths += part
        total += len(rung.names)
        if total and (rung.how in _EXACT or total >= _ENOUGH):
            break
    status, header = Status.OK, f"{said}: {total:,} of {known.said}"
    if not total:
        status = Status.EMPTY
        header = f"none of {known.said} has a name like {said} (ignored files are not searched)"
        lines = _near(name, known, context) if limits.widen else []
    text = clip("\n".join((header, *lines)), limits)
    return Observation(text, status, tuple(paths), f"{said} in {known.said}")


def _near(name: str, known: _Known, context: Context) -> list[str]:
    if near := near_names(name, known.names):
        return [f"nearest names: {listed(near)}"]
    is_text = not is_glob(name) and "grep" in context.offered
    return [f"{named('grep')} searches the contents of files"] if is_text else []


FIND_FILE = Tool(
    "find_file",
    "find files by name; input: a name, a part of it or a glob, several one a line; "
    "path: FOLDER on a further line",
    Kind.SEARCH,
    _find_file,
)
