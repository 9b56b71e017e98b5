"""The `outline` tool: list the definitions in Python files, with their line numbers."""

from collections.abc import Sequence
from dataclasses import replace

from react_agent.parsers.repo.outline import Defined, lines_of, python_outline
from react_agent.parsers.values.arguments import Unreadable
from react_agent.parsers.values.targets import named_files
from react_agent.tools.clip import clip, clip_line, counted, fitting
from react_agent.tools.context import Context
from react_agent.tools.files.file_list import one_line
from react_agent.tools.files.paths import Refused, named_place, open_inside, refused
from react_agent.tools.files.read_file import not_shown
from react_agent.tools.observation import Observation, Status, failed, joined, room_for
from react_agent.tools.registry import Kind, Tool, named

_MOST_FILES = 12
_MOST_BYTES = 2_000_000
_NOTE_CHARS = 200  # kept for what is said of a file
_ABOUT_CHARS = 120
_ENDINGS = (".py", ".pyi")


def _outline(text: str, context: Context) -> Observation:
    plain = named_files(text)
    if isinstance(plain, Unreadable):
        return failed(plain.reason)
    asked = plain.lines if plain else text.split("\n")
    paths = [line for line in asked if line.strip()]
    if not paths:
        return failed("there is no path: write the path of a file, several one per line")
    if len(paths) > _MOST_FILES:
        return failed(f"too many files at once ({len(paths)}): ask for {_MOST_FILES} or fewer")
    room = room_for(len(paths), context.limits.output_chars) // len(paths)
    answer = joined([_show(path, context, room) for path in paths])
    return replace(answer, text=clip(answer.text, context.limits))


def _show(path: str, context: Context, room: int) -> Observation:
    place = named_place(context.root, path)
    if isinstance(place, Refused):
        return refused(place)
    opened = open_inside(place)
    if isinstance(opened, Refused):
        return not_shown(opened, place.name, context)
    name = one_line(place.name)
    with opened as file:
        content = file.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        return failed(f"{name} is larger than {_MOST_BYTES:,} bytes: too large for an outline")
    if b"\0" in content:
        return failed(f"{name} is binary: it has no outline")
    text = content.decode(errors="replace")
    if not name.casefold().endswith(_ENDINGS):
        hint = f"; {named('grep')} finds definitions in it" if "grep" in context.offered else ""
        return failed(f"{name}: only Python has an outline{hint}")
    outline = python_outline(text)
    found = len(outline.defined)
    lines = counted(text.count("\n") + (text[-1:] not in ("", "\n")), "line")
    count = counted(found, "definition") if found else "no definitions found"
    said = (outline.note, clip_line(outline.about, _ABOUT_CHARS))
    head = "\n".join((f"{name}: {lines}, {count}", *(f"[{one}]" for one in said if one)))
    shown = _fitting(outline.defined, max(0, room - len(head) - _NOTE_CHARS))
    status = Status.OK if found else Status.EMPTY
    return Observation("\n".join((head, *shown)), status, (place.name,))


def _fitting(defined: Sequence[Defined], room: int) -> list[str]:
    """Return as many levels of definitions as fit, or else the first top-level definitions."""
    for depth in sorted({one.depth for one in defined}, reverse=True):
        kept = [one for one in defined if one.depth <= depth]
        lines = lines_of(kept)
        if len("\n".join(lines)) <= room:
            left = len(defined) - len(kept)
            return [*lines, f"[{left:,} nested definitions are not shown]"] if left else lines
    lines = lines_of([one for one in defined if not one.depth])
    at = fitting(lines, room)
    left = len(defined) - at
    return [*lines[:at], f"[{left:,} more definitions are not shown]"] if left > 0 else lines


OUTLINE = Tool(
    "outline",
    "list the classes and functions of a file with their lines; input: PATH, several one per line",
    Kind.READ,
    _outline,
)
