"""Read a path and a text, as models write them for a new file or for an insertion.

input  = object | ["path:"] PATH NEWLINE [["insert"] "after line" N NEWLINE] ["content:"] text
object = {path, content | file_text | text | new_str, insert_line}

A fence around the whole text is removed. A text without a fence gets a final newline, which a reply
loses. The text of an object stays as it is.
"""

import re
from dataclasses import dataclass

from react_agent.parsers.patch.reading.path_line import labelled_path, looks_like_path
from react_agent.parsers.text.fence import opening_fence, unfenced
from react_agent.parsers.values.arguments import PATH_NAME, Argument, Table, numbers, read_arguments
from react_agent.parsers.values.unreadable import Unreadable

_SHOWN = 60  # characters of a text that is not a path
TEXTS = frozenset(
    {"content", "contents", "filetext", "text", "newstr", "inserttext", "code", "filecontent"}
    | {"newtext", "newstring", "newlines", "lines", "body"}
)
PLACES = frozenset({"insertline", "line", "afterline", "linenumber", "after", "insertafter"})
_CONTENT = re.compile(r"(?:contents?|text|file[ _]text):\s*\|?", re.IGNORECASE)
_AFTER = re.compile(
    r"\W{0,3}(?:insert )?(?:(?:after|at|below)? ?(?:line|insert[ _]line|after[ _]line)s?\s*[:=#]?"
    r"|after|below)\s*(?P<at>\d{1,9})\W{0,3}",
    re.IGNORECASE,
)
_AT_TOP = re.compile(
    r"\W{0,3}(?:insert )?at the (?:very )?(?:top|start|beginning).{0,20}", re.IGNORECASE
)


def _one(value: object) -> tuple[str] | None:
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return ("".join(f"{line}\n" for line in value),)
    return (value,) if isinstance(value, str) else None


_PATH = Argument(PATH_NAME, _one)
_TEXT = Argument(TEXTS, _one)
_PLACE = Argument(PLACES, numbers)
_TABLE: Table = (_PATH, _TEXT, _PLACE)


@dataclass(frozen=True, slots=True)
class FileText:
    path: str
    text: str
    after: int | None = None  # the line to insert after; 0: at the top
    left_out: tuple[str, ...] = ()  # members of an object that are not used


def parse_file_text(text: str, hint: str, *, inserted: bool = False) -> FileText | Unreadable:
    """Read a path and a text. `hint` tells the model how to write them."""
    requests = read_arguments(unfenced(text), _TABLE, hint)
    if isinstance(requests, Unreadable):
        return requests
    if len(requests) == 1 and len(paths := requests[0].all(_PATH)) == 1:
        texts, places = requests[0].all(_TEXT), requests[0].all(_PLACE)
        if len(texts) != 1:
            return Unreadable(f"no text for {paths[0][:_SHOWN]}: {hint}")
        return FileText(paths[0].strip(), texts[0], next(iter(places), None), requests[0].left_out)
    whole = unfenced(text) if opening_fence(text.lstrip("\n").split("\n")[0]) else text
    line, _, rest = whole.strip("\n").partition("\n")
    path = labelled_path(line)
    after, rest = _place(rest) if inserted else (None, rest)
    if not path or (any(blank in path for blank in " \t") and path == line.strip()):
        return Unreadable(
            f"{line.strip()[:_SHOWN]!r} is not a path: {hint}; quote a path that has spaces"
        )
    if not rest.strip("\n") and not looks_like_path(path):
        return Unreadable(f"no text below {line.strip()[:_SHOWN]!r}: {hint}")
    if ":" in line and _CONTENT.fullmatch(rest.lstrip("\n").partition("\n")[0]):
        rest = rest.lstrip("\n").partition("\n")[2]  # fields: `path: x` and `content:`
    return FileText(path, _text(rest), after)


def _place(rest: str) -> tuple[int | None, str]:
    line, _, text = rest.lstrip("\n").partition("\n")
    if found := _AFTER.fullmatch(line.strip()):
        return int(found["at"]), text
    return (0, text) if _AT_TOP.fullmatch(line.strip()) else (None, rest)


def _text(rest: str) -> str:
    bare = rest.strip("\n")
    if opening_fence(bare.split("\n")[0]):
        bare = unfenced(bare)
    return f"{bare}\n" if bare else ""
