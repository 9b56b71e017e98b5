"""Find files and folders by name, exactly or not; what finds nothing says where it looked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from react_agent.parsers.name_rank import Ranked, matching, ranked
from react_agent.parsers.name_request import NameRequest, parse_name_request
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools.clip import clip, clip_line, counted
from react_agent.tools.context import Context
from react_agent.tools.errors import ReactAgentError, told
from react_agent.tools.files.combined import joined, room_for
from react_agent.tools.files.file_list import (
    file_list,
    folders_of,
    ignored_files,
    is_glob,
    one_line,
)
from react_agent.tools.files.paths import Place, can_be_passed, inside
from react_agent.tools.files.search_scope import listed
from react_agent.tools.files.suggestions import near_names, near_paths
from react_agent.tools.observation import Observation, Status, failed
from react_agent.tools.registry import Kind, Tool, named

_MOST_NAMES = 8  # asked for at once
_SHOWN = 120  # characters of a name
_ENOUGH = 8  # names; a less strict reading follows only on fewer
_EXACT = ("", "in another case")
_SURE = (*_EXACT, "with an extension")
_IGNORED = "(ignored files are not searched)"


@dataclass(frozen=True, slots=True)
class _Known:
    root: Path
    names: tuple[str, ...]  # files, and the folders before them
    folders: frozenset[str]
    said: str


def _find_file(text: str, context: Context) -> Observation:
    request = parse_name_request(text)
    if isinstance(request, Unreadable):
        return failed(request.reason)
    if not all(map(can_be_passed, (*request.names, *request.folders))):
        return failed("the name holds a character that no name can hold: write it anew")
    if len(request.names) > _MOST_NAMES:
        too_many = f"{len(request.names)} names are too many at once"
        return failed(f"{too_many}: ask for {_MOST_NAMES} or fewer")
    try:
        return _answered(request, context)
    except ReactAgentError as error:
        return failed(told(error))


def _answered(request: NameRequest, context: Context) -> Observation:
    files = file_list(context.root)
    folders = frozenset(folders_of(files))
    everything = _known(context.root, (*sorted(folders), *files), folders)
    known, note = _scope(request.folders, everything, context)
    count = len(request.names)
    limits = replace(
        context.limits,
        output_chars=room_for(count, (), context.limits.output_chars - len(note)) // count,
        result_lines=max(1, context.limits.result_lines // count),
    )
    shared = replace(context, limits=limits)
    found = joined([_one(_relative(name, context), known, shared) for name in request.names])
    return replace(found, text=note + found.text)


def _relative(name: str, context: Context) -> str:
    """As the list has it: without `./`, the root's own path or the prefix of a diff."""
    place = inside(context.root, name)
    return place.name if isinstance(place, Place) and place.name != "." else name.strip("/ ")


def _scope(folders: Sequence[str], everything: _Known, context: Context) -> tuple[_Known, str]:
    """What is below the folders; if they hold nothing, everything, and that it is so."""
    if not folders:
        return everything, ""
    names = everything.names
    below = dict.fromkeys(name for folder in folders for name in _below(folder, names, context))
    if below or not context.limits.widen:
        where = f" below {', '.join(folders)}"
        return _known(context.root, tuple(below), everything.folders, where), ""
    near = near_paths(folders[0].rstrip("/"), names)
    near_said = f"; near it: {listed(near)}" if near else ""
    note = f"[nothing is below {', '.join(folders)}{near_said}; looked everywhere instead]\n"
    return everything, note


def _below(folder: str, everything: Sequence[str], context: Context) -> list[str]:
    place = inside(context.root, folder)
    if not isinstance(place, Place):
        return []
    if place.name == ".":
        return list(everything)
    if is_glob(place.name):
        return matching(place.name, everything)
    return [name for name in everything if name.startswith(f"{place.name}/")]


def _known(root: Path, names: tuple[str, ...], folders: frozenset[str], where: str = "") -> _Known:
    count = len(folders.intersection(names))
    counts = f"{counted(len(names) - count, 'file')} and {counted(count, 'folder')}"
    return _Known(root, names, folders, f"{counts}{where}")


def _one(name: str, known: _Known, context: Context) -> Observation:
    rungs = _rungs(name, known.names, widen=context.limits.widen)
    shown = list(_shown(rungs))
    if not any(rung.names for rung in shown):
        return _nothing(name, known, context)
    lines, paths = list[str](), list[str]()
    room = context.limits.result_lines
    for rung in shown:
        part = rung.names[: max(0, room - len(paths))]
        left = len(rung.names) - len(part)
        more = f"; {left:,} of them are not shown: write more of it" if left else ""
        if rung.how or left:
            lines.append(f"[{counted(len(rung.names), 'name')} {rung.how or 'like it'}{more}]")
        lines += [_line(path, known) for path in part]
        paths += part
    total = sum(len(rung.names) for rung in shown)
    header = f"{_short(name)}: {total:,} of {known.said}"
    said = f"{_short(name)} in {known.said}"
    if shown[0].how not in _SURE:
        lines += _ignored(name, known.root)
    text = clip("\n".join((header, *lines)), context.limits)
    return Observation(text, paths=tuple(paths), scope=said)


def _rungs(name: str, names: Sequence[str], *, widen: bool) -> Iterator[Ranked]:
    """Without widening, what has this very name or matches this very glob."""
    if not is_glob(name):
        return (one for one in ranked(name, names) if widen or not one.how)
    if exact := matching(name, names):
        return iter([Ranked("", tuple(exact))])
    if not widen:
        return iter(())
    folded = set(matching(name.casefold(), [each.casefold() for each in names]))
    return iter(
        [Ranked("in another case", tuple(each for each in names if each.casefold() in folded))]
    )


def _shown(rungs: Iterator[Ranked]) -> Iterator[Ranked]:
    """The strictest that finds something, and less strict ones while there are few."""
    count = 0
    for rung in rungs:
        if not rung.names:
            continue
        yield rung
        count += len(rung.names)
        if rung.how in _EXACT or count >= _ENOUGH:
            return


def _line(path: str, known: _Known) -> str:
    return f"{one_line(path)}/" if path in known.folders else one_line(path)


def _nothing(name: str, known: _Known, context: Context) -> Observation:
    header = f"no name of {known.said} is like {_short(name)} {_IGNORED}"
    near = _near(name, known, context) if context.limits.widen else []
    said = f"{_short(name)} in {known.said}"
    text = clip("\n".join((header, *near)), context.limits)
    return Observation(text, Status.EMPTY, scope=said)


def _near(name: str, known: _Known, context: Context) -> list[str]:
    near = near_names(name, known.names)
    lines = [f"nearest to it: {listed(near)}"] if near else []
    if not near and not is_glob(name) and "grep" in context.offered:
        lines = [f"{named('grep')} searches what files hold"]
    return [*lines, *_ignored(name, known.root)]


def _ignored(name: str, root: Path) -> list[str]:
    found = ignored_files(root, name)
    return [f"ignored files with such a name: {listed(found)}"] if found else []


def _short(name: str) -> str:
    return clip_line(one_line(name), _SHOWN)


FIND_FILE = Tool(
    "find_file",
    "find files by name; input: a name, a part of it or a glob, several one a line; "
    "path: FOLDER on a further line",
    Kind.SEARCH,
    _find_file,
)
