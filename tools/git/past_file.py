"""A file or a folder as it was in a commit."""

import io
import os

from react_agent.parsers.file_request import FileRequest, readings
from react_agent.tools.clip import counted
from react_agent.tools.files.file_list import one_line
from react_agent.tools.files.file_view import Wanted, view
from react_agent.tools.files.file_window import survey
from react_agent.tools.files.near import near_paths
from react_agent.tools.files.paths import Place, Refused, inside
from react_agent.tools.files.refusal import refused
from react_agent.tools.git.history import Asked, text_of
from react_agent.tools.observation import Observation, Status, failed

_MOST_BYTES = 64 * 1024 * 1024
_LINK, _SUBMODULE = "120000", "160000"


def past_file(asked: Asked, path: str) -> Observation:
    """The strictest reading that was there."""
    missing = path
    for request in readings(path or "."):
        place = inside(asked.context.root, request.path or ".")
        if isinstance(place, Refused):
            return refused(place)
        missing = place.name
        mode, kind, blob = _looked_up(asked, missing)
        if kind == "tree":
            return _folder(asked, missing)
        if kind == "blob" and mode != _LINK:
            return _blob(asked, blob, missing, request)
        if kind:
            return _no_file(asked, mode, blob, missing)
    return _missing(asked, missing)


def _looked_up(asked: Asked, name: str) -> tuple[str, str, str]:
    """Mode, type and id; each empty where there is no such thing."""
    if name == ".":
        return "", "tree", ""
    out = asked.history.git.run("ls-tree", "-z", asked.entry.id, "--", name)
    first = out.split(b"\t")[0].decode().split(" ")
    return (first[0], first[1], first[2]) if len(first) == 3 else ("", "", "")


def _blob(asked: Asked, blob: str, name: str, request: FileRequest) -> Observation:
    git, short = asked.history.git, asked.entry.short
    size = int(git.run("cat-file", "-s", blob))
    if size > _MOST_BYTES:
        return failed(f"{short}:{name} has {counted(size, 'byte')}: that is too much to be shown")
    file = io.BytesIO(git.run("cat-file", "blob", blob))
    seen = survey(file)
    if seen.binary:
        return failed(f"{short}:{name} is binary ({counted(size, 'byte')}): it can't be shown")
    if not seen.lines:
        return Observation(f"{short}:{name} is empty", Status.EMPTY, (name,))
    place = Place(asked.context.root, f"{short}:{name}")
    wanted = Wanted(place, request, asked.context.limits, asked.room)
    return Observation(view(file, seen, wanted).text, paths=(name,))


def _no_file(asked: Asked, mode: str, blob: str, name: str) -> Observation:
    short = asked.entry.short
    if mode == _SUBMODULE:
        return failed(f"{short}:{name} is a submodule at {blob}: its history is not here")
    target = text_of(os.fsdecode(asked.history.git.run("cat-file", "blob", blob)))
    return Observation(f"{short}:{name} is a symbolic link to {target}", paths=(name,))


def _folder(asked: Asked, name: str) -> Observation:
    inner = "" if name == "." else name
    out = asked.history.git.run("ls-tree", "-z", f"{asked.entry.id}:{inner}")
    rows = [os.fsdecode(row) for row in out.split(b"\0") if row]
    names = [text_of(row.split("\t", 1)[1]) + "/" * (" tree " in row[:12]) for row in rows]
    most = asked.context.limits.result_lines
    more = [f"[{len(names) - most:,} more: name one of its folders]"] if len(names) > most else []
    header = f"{asked.entry.short}:{inner} holds {counted(len(names), 'entry')}"
    shown = (one_line(one) for one in names[:most])
    return Observation("\n".join((header, *shown, *more)), paths=(name,))


def _missing(asked: Asked, name: str) -> Observation:
    out = asked.history.git.run("ls-tree", "-r", "-z", "--name-only", asked.entry.id)
    near = near_paths(name, [os.fsdecode(one) for one in out.split(b"\0") if one])
    said_near = f"; near it: {', '.join(map(text_of, near))}" if near else ""
    return failed(f"there was no {name} in {asked.entry.short}{said_near}")
