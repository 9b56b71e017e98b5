"""Find files and folders by name, exactly or not; what finds nothing says where it looked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from react_agent.parsers.repo.name_rank import Ranked, matching, ranked
from react_agent.parsers.values.files import parse_name_request
from react_agent.parsers.values.unreadable import Unreadable
from react_agent.tools.clip import clip, clip_line, counted
from react_agent.tools.context import Context
from react_agent.tools.files.file_list import (
    below,
    folders_of,
    ignored_files,
    is_glob,
    known_files,
    one_line,
)
from react_agent.tools.files.paths import Place, can_be_passed, inside
from react_agent.tools.files.suggestions import listed, near_it, near_names
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
        return failed("the name holds a character that no name can hold: write it anew")
    if (count := len(request.names)) > _MOST_NAMES:
        return failed(f"{count} names are too many at once: ask for {_MOST_NAMES} or fewer")
    files, limits = known_files(context), context.limits
    folders = frozenset(folders_of(files))
    known, note = _scope(request.folders, _Known((*sorted(folders), *files), folders), context)
    share = replace(
        limits,
        output_chars=room_for(count, limits.output_chars - len(note)) // count,
        result_lines=max(1, limits.result_lines // count),
    )
    shared = replace(context, limits=share)
    found = joined([_one(_relative(name, context), known, shared) for name in request.names])
    return replace(found, text=note + found.text)


def _relative(name: str, context: Context) -> str:
    """As the list has it: without `./`, the root's own path or the prefix of a diff."""
    place = inside(context.root, name)
    return place.name if isinstance(place, Place) and place.name != "." else name.strip("/ ")


def _scope(folders: Sequence[str], every: _Known, context: Context) -> tuple[_Known, str]:
    """What is below the folders; if they hold nothing, everything, and that it is so."""
    if not folders:
        return every, ""
    found = dict.fromkeys(
        name for folder in folders for name in _below(folder, every.names, context)
    )
    where = ", ".join(folders)
    if found or not context.limits.widen:
        return _Known(tuple(found), every.folders, f" below {where}"), ""
    near = near_it(folders[0].rstrip("/"), every.names)
    return every, f"[nothing is below {where}{near}; looked everywhere instead]\n"


def _below(folder: str, names: Sequence[str], context: Context) -> Sequence[str]:
    place = inside(context.root, folder)
    if not isinstance(place, Place):
        return ()
    if is_glob(place.name):
        return matching(place.name, names)
    return [name for name in below(place.name, names) if name != place.name]


def _one(name: str, known: _Known, context: Context) -> Observation:
    shown = list(_shown(_rungs(name, known.names, widen=context.limits.widen)))
    total = sum(len(rung.names) for rung in shown)
    said, scope = _short(name), f"{_short(name)} in {known.said}"
    if not shown:
        header = f"no name of {known.said} is like {said} (ignored files are not searched)"
        lines = _near(name, known, context) if context.limits.widen else []
        return Observation(_clipped(header, lines, context), Status.EMPTY, scope=scope)
    lines, paths, room = list[str](), list[str](), context.limits.result_lines
    for rung in shown:
        part = rung.names[: max(0, room - len(paths))]
        left = len(rung.names) - len(part)
        more = f"; {left:,} of them are not shown: write more of it" if left else ""
        if rung.how or left:
            lines.append(f"[{counted(len(rung.names), 'name')} {rung.how or 'like it'}{more}]")
        lines += [one_line(path) + "/" * (path in known.folders) for path in part]
        paths += part
    text = _clipped(f"{said}: {total:,} of {known.said}", lines, context)
    return Observation(text, paths=tuple(paths), scope=scope)


def _clipped(header: str, lines: Sequence[str], context: Context) -> str:
    return clip("\n".join((header, *lines)), context.limits)


def _rungs(name: str, names: Sequence[str], *, widen: bool) -> Iterator[Ranked]:
    """Without widening, what has this very name or matches this very glob."""
    if not is_glob(name):
        yield from (one for one in ranked(name, names) if widen or not one.how)
    elif exact := matching(name, names):
        yield Ranked("", tuple(exact))
    elif widen:
        folded = set(matching(name.casefold(), [each.casefold() for each in names]))
        yield Ranked("in another case", tuple(one for one in names if one.casefold() in folded))


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


def _near(name: str, known: _Known, context: Context) -> list[str]:
    near = near_names(name, known.names)
    lines = [f"nearest to it: {listed(near)}"] if near else []
    if not near and not is_glob(name) and "grep" in context.offered:
        lines = [f"{named('grep')} searches what files hold"]
    ignored = ignored_files(context.root, name)
    return [*lines, *([f"ignored files with such a name: {listed(ignored)}"] if ignored else [])]


def _short(name: str) -> str:
    return clip_line(one_line(name), _SHOWN)


FIND_FILE = Tool(
    "find_file",
    "find files by name; input: a name, a part of it or a glob, several one a line; "
    "path: FOLDER on a further line",
    Kind.SEARCH,
    _find_file,
)
