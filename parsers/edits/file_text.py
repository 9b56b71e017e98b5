"""Read a path and a text, as models write them for a new file.

input  = object | ["path:"] PATH NEWLINE ["content:"] text
object = {path, content | file_text | text | new_str}

A fence around the whole text is removed. A text without a fence gets a final newline, which a reply
loses. The text of an object stays as it is.
"""

import re
from dataclasses import dataclass

from react_agent.parsers.patch.reading.path_line import labelled_path, looks_like_path
from react_agent.parsers.text.fence import opening_fence, unfenced
from react_agent.parsers.values.arguments import PATH_NAME, Argument, Table, read_arguments
from react_agent.parsers.values.unreadable import Unreadable

_SHOWN = 60  # characters of a text that is not a path
TEXTS = frozenset(
    {"content", "contents", "filetext", "text", "newstr", "inserttext", "code", "filecontent"}
    | {"newtext", "newstring", "newlines", "lines", "body"}
)
_CONTENT = re.compile(r"(?:contents?|text|file[ _]text):\s*\|?", re.IGNORECASE)


def _one(value: object) -> tuple[str] | None:
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return ("".join(f"{line}\n" for line in value),)
    return (value,) if isinstance(value, str) else None


_PATH = Argument(PATH_NAME, _one)
_TEXT = Argument(TEXTS, _one)
_TABLE: Table = (_PATH, _TEXT)


@dataclass(frozen=True, slots=True)
class FileText:
    path: str
    text: str
    left_out: tuple[str, ...] = ()  # members of an object that are not used


def parse_file_text(text: str, hint: str) -> FileText | Unreadable:
    """Read a path and a text. `hint` tells the model how to write them."""
    requests = read_arguments(unfenced(text), _TABLE, hint)
    if isinstance(requests, Unreadable):
        return requests
    if len(requests) == 1 and len(paths := requests[0].all(_PATH)) == 1:
        texts = requests[0].all(_TEXT)
        if len(texts) != 1:
            return Unreadable(f"no text for {paths[0][:_SHOWN]}: {hint}")
        return FileText(paths[0].strip(), texts[0], requests[0].left_out)
    whole = unfenced(text) if opening_fence(text.lstrip("\n").split("\n")[0]) else text
    line, _, rest = whole.strip("\n").partition("\n")
    path = labelled_path(line)
    if not path or (any(blank in path for blank in " \t") and path == line.strip()):
        return Unreadable(
            f"{line.strip()[:_SHOWN]!r} is not a path: {hint}; quote a path that has spaces"
        )
    if not rest.strip("\n") and not looks_like_path(path):
        return Unreadable(f"no text below {line.strip()[:_SHOWN]!r}: {hint}")
    if ":" in line and _CONTENT.fullmatch(rest.lstrip("\n").partition("\n")[0]):
        rest = rest.lstrip("\n").partition("\n")[2]  # fields: `path: x` and `content:`
    return FileText(path, _text(rest))


def _text(rest: str) -> str:
    bare = rest.strip("\n")
    if opening_fence(bare.split("\n")[0]):
        bare = unfenced(bare)
    return f"{bare}\n" if bare else ""
