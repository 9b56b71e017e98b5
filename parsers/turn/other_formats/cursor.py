"""A place in a text that holds a call in a format of another program.

value = [fence line] JSON bracket* [fence line]      a bracket too many is a habit, not a meaning
token = "<|" name "|>" | "<｜" name "｜>" | "</s>" | "[/TOOL_CALLS]" | ...
noise = blanks, tokens and closing tags
"""

import re
from dataclasses import dataclass

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.turn.other_formats.shape import CUT_OFF, Refused
from react_agent.parsers.values.damaged_json import closing, read_json

VALUES = ("{", "[", "```")  # what a value begins with
BLANKS = re.compile(r"\s*+")
TOKEN = re.compile(
    r"<\|[^|<>\s]{1,40}\|>|<｜[^｜<>\n]{1,40}｜>|</?s>|<eos>|<(?:end|start)_of_turn>"
    r"|\[/?(?:TOOL_CALLS|INST|ARGS|CALL_ID|AVAILABLE_TOOLS)\]"
)
_NOISE = re.compile(rf"(?:\s++|{TOKEN.pattern}|</[\w:.|｜-]{{1,60}}>|<end_code>)*+")
_FENCE = r"```[\w-]{0,20}[ \t]*+\n?"
_BEFORE = re.compile(rf"(?:{_FENCE})?\s*+")
_BEHIND = re.compile(rf"[}}\]]*+(?:\s*+{_FENCE})?")
_PIECE = 1000
_INVALID = Refused("it is no valid JSON")


@dataclass(slots=True)
class Cursor:
    text: str
    at: int = 0

    @property
    def at_end(self) -> bool:
        return self.at >= len(self.text)

    def line(self) -> str:
        """What is left of it."""
        end = self.text.find("\n", self.at)
        return self.text[self.at : end if end >= 0 else len(self.text)]

    def sees(self, *literals: str) -> bool:
        return self.text.startswith(literals, self.at)

    def took(self, literal: str) -> bool:
        found = self.sees(literal)
        self.at += len(literal) if found else 0
        return found

    def take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found[0] if found else ""

    def until(self, literal: str) -> str | None:
        """What stands before it, and over it; none if it does not follow."""
        end = self.text.find(literal, self.at)
        if end < 0:
            return None
        taken, self.at = self.text[self.at : end], end + len(literal)
        return taken


def is_last(text: str, at: int) -> bool:
    """Whether nothing but noise follows."""
    cursor = Cursor(text, at)
    cursor.take(_NOISE)
    return cursor.at_end


def json_value(cursor: Cursor) -> object | Refused:
    cursor.take(_BEFORE)
    return json_in(take_json(cursor))


def json_in(raw: str | Refused) -> object | Refused:
    try:
        return raw if isinstance(raw, Refused) else read_json(raw).value
    except ParseError:
        return _INVALID


def take_json(cursor: Cursor) -> str | Refused:
    """Refused: it does not close, and the cursor stays."""
    start = cursor.at
    end = _closing(cursor) if cursor.sees("{", "[") else None
    if end is None:
        # What ends in a mark that closes a call was not cut: its brackets or quotes are wrong.
        is_whole = cursor.text[start:].rstrip().endswith((">", "```"))
        return _INVALID if is_whole else Refused(CUT_OFF, truncated=True)
    cursor.at = end + 1
    cursor.take(_BEHIND)
    return cursor.text[start : end + 1]


def _closing(cursor: Cursor) -> int | None:
    """In pieces that grow: a value costs its own length, not that of the text."""
    size = _PIECE
    while (end := closing(cursor.text[cursor.at : cursor.at + size])) is None:
        if cursor.at + size >= len(cursor.text):
            return None
        size *= 4
    return cursor.at + end
