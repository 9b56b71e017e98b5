"""What is to be changed in which file, in words.

request = ["path:"] path NEWLINE description | an object with both
"""

import re
from dataclasses import dataclass

from react_agent.parsers.errors import ParseError
from react_agent.parsers.labelled_path import labelled_path
from react_agent.parsers.unreadable import Unreadable
from react_agent.parsers.values.arguments import read_object

_PATHS = frozenset({"path", "file", "filepath", "filename", "targetfile"})
_WORDS = frozenset(
    {"description", "instruction", "instructions", "change", "changes", "edit", "task", "update"}
)
_LABEL = re.compile(r"(?:path|file)\s*:\s*", re.IGNORECASE)
_HOW = "write the path on the first line, and below it what to change there"


@dataclass(frozen=True, slots=True)
class EditRequest:
    path: str
    description: str


def read_edit_request(text: str) -> EditRequest | Unreadable:
    try:
        requests = read_object(text)
    except ParseError as error:
        return Unreadable(str(error))
    if len(requests) == 1:
        paths, words = (requests[0].take(keys, _text) for keys in (_PATHS, _WORDS))
        if len(paths) == 1 and words:
            return EditRequest(paths[0], "\n".join(words))
        return Unreadable(_HOW)
    first, _, rest = text.strip().partition("\n")
    if not rest.strip():  # `src/x.py: make it so`
        first, _, rest = _LABEL.sub("", first, count=1).partition(": ")
    path = labelled_path(first)
    if not path or not rest.strip():
        return Unreadable(_HOW)
    return EditRequest(path, rest.strip())


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
