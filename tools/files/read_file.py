"""Show a window of a file, numbered."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import BinaryIO

from react_agent.parsers.transcript.facts import write_list
from react_agent.parsers.values.files import FileRequest, named_files, readings
from react_agent.parsers.values.unreadable import Unreadable
from react_agent.tools.clip import counted
from react_agent.tools.context import Context
from react_agent.tools.files.combined import joined, refused, room_for, shares
from react_agent.tools.files.file_list import known_files
from react_agent.tools.files.file_view import Wanted, survey, view
from react_agent.tools.files.paths import Cause, Place, Refused, inside, open_inside
from react_agent.tools.files.suggestions import near_it
from react_agent.tools.observation import SHOWN, Observation, Status, failed
from react_agent.tools.registry import Kind, Tool, named

_MOST_FILES = 8
_NO_PATH = "there is no path: write PATH or PATH:START-END, one a line"


@dataclass(frozen=True, slots=True)
class _Found:
    place: Place
    request: FileRequest
    file: BinaryIO


def _read_file(text: str, context: Context) -> Observation:
    named = None if _exists(text, context) else named_files(text)
    if isinstance(named, Unreadable):
        return failed(named.reason)
    if named is None:
        return _answered(text.split("\n"), context, context.limits.output_chars)
    said = f"[{named.said}]\n"
    answer = _answered(named.lines, context, context.limits.output_chars - len(said))
    return replace(answer, text=said + answer.text)


def _answered(lines: Sequence[str], context: Context, room: int) -> Observation:
    asked = [line for line in lines if line.strip()]
    if not asked:
        return failed(_NO_PATH)
    if len(asked) > _MOST_FILES:
        return failed(f"{len(asked)} files are too many at once: ask for {_MOST_FILES} or fewer")
    return joined(_shown(asked, context, room_for(len(asked), room)))


def _exists(line: str, context: Context) -> bool:
    places = (inside(context.root, request.path) for request in readings(line))
    return any(isinstance(one, Place) and os.path.lexists(one.full) for one in places)


def _shown(asked: list[str], context: Context, room: int) -> list[Observation]:
    wholes = [_show(line, context, room) for line in asked]
    rooms = shares([len(whole.text) for whole in wholes], room)
    return [
        whole if len(whole.text) <= share else _show(line, context, share)
        for line, whole, share in zip(asked, wholes, rooms, strict=True)
    ]


def _show(line: str, context: Context, room: int) -> Observation:
    found = _find(line, context)
    if isinstance(found, Observation):
        return found
    name = found.place.name
    with found.file as file:
        seen = survey(file)
        if seen.binary:
            return failed(f"{name} is binary ({counted(seen.size, 'byte')}): it can't be shown")
        if not seen.lines:
            return Observation(f"{name} is empty", Status.EMPTY, (name,))
        shown = view(file, seen, Wanted(found.place, found.request, context.limits, room))
    noted = {SHOWN: write_list([f"{name}:{shown.lines}"])}
    return Observation(shown.text, paths=(name,), noted=noted)


def _find(line: str, context: Context) -> _Found | Observation:
    """The strictest reading that is a file; if none is, why the last one is not."""
    missing = partial(failed, "")
    for request in readings(line):
        place = inside(context.root, request.path)
        if isinstance(place, Refused):
            missing = partial(refused, place)
            continue
        opened = open_inside(place)
        if not isinstance(opened, Refused):
            return _Found(place, request, opened)
        missing = partial(_refusal, place, opened, context)
        if opened.cause is not Cause.MISSING:
            break
    return missing()


def _refusal(place: Place, why: Refused, context: Context) -> Observation:
    if why.cause is Cause.FOLDER:
        return failed(f"{why.reason}, not a file: {named('list_files')} shows what is in it")
    if why.cause is Cause.MISSING:
        nothing = f"; no file has a name like it; {named('list_files')} shows which there are"
        near = context.limits.widen and (near_it(place.name, known_files(context)) or nothing)
        return failed(f"{why.reason}{near or ''}")
    return refused(why)


READ_FILE = Tool(
    "read_file",
    "show a file with line numbers; input: PATH or PATH:START-END, several one a line",
    Kind.READ,
    _read_file,
)
