r"""What the input of a tool may be, where a tool takes more than plain text.

value  = JSON, where the text insists on it (json_tokens.py) | the text
fields = (key ":" [blank text] NEWLINE (line NEWLINE)*)+      key = name of at most three words

A line belongs to the field above it if it has no key that is known. Where none is known, every
line needs one, else the text has no fields. Keys are folded: `Start-Line` is start_line.
"""

import re
from collections.abc import Collection

from react_agent.parsers.damaged_json import read_json
from react_agent.parsers.json_tokens import insists_on_json

Value = str | dict[str, object] | list[object]
Fields = tuple[tuple[str, str], ...]

_FIELD = re.compile(r"(?P<key>[^\W\d][\w-]*+(?: [\w-]++){0,2}+)[ \t]*+:(?:[ \t]++(?P<text>.*))?")
_QUOTES = "\"'`"
_BETWEEN_WORDS = {ord(mark): None for mark in "_- "}


def read_value(text: str) -> Value:
    """Raises ParseError for what can be nothing but JSON and can't be read."""
    if not insists_on_json(text):
        return text
    value = read_json(text.strip()).value
    return value if isinstance(value, (dict, list)) else text


def read_fields(text: str, known: Collection[str] = ()) -> Fields:
    found = list[tuple[str, list[str]]]()
    for line in text.strip("\n").split("\n"):
        field = _field(line)
        if field and (field[0] in known or not known):
            found.append((field[0], [field[1]]))
        elif found and (known or not line.strip()):
            found[-1][1].append(line)
        else:
            return ()
    return tuple((key, "\n".join(lines).strip("\n")) for key, lines in found)


def _field(line: str) -> tuple[str, str] | None:
    found = _FIELD.fullmatch(line.rstrip())
    if not found:
        return None
    return found["key"].casefold().replace("-", "_").replace(" ", "_"), found["text"] or ""


def folded_key(key: str) -> str:
    """`Action Input`, `action_input` and `actionInput` are one key."""
    return key.casefold().translate(_BETWEEN_WORDS)


def unquoted(text: str) -> str:
    """Without the one pair of quotes around a line, if none stands within."""
    inner = text[1:-1]
    is_pair = len(text) > 1 and text[0] in _QUOTES and text[-1] == text[0]
    return inner if is_pair and not any(mark in inner for mark in f"{_QUOTES}\n") else text
