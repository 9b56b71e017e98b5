"""A call between the special tokens of a model, when its server did not read it.

call   = opener header [value] token*
header = (token | word)*       the name is the word behind `to=`, or the first that is no noise
"""

import re
from dataclasses import dataclass

from react_agent.parsers.turn.other_formats.cursor import TOKEN, VALUES, Cursor, json_value
from react_agent.parsers.turn.other_formats.shape import Known, Read, Refused, marked_call, named

OPENERS = (
    "[TOOL_CALLS]",  # Mistral
    "<|python_tag|>",  # Llama 3
    "<|tool_call|>",  # Phi, Granite
    "<|action_start|>",  # InternLM
    "<|START_ACTION|>",  # Command R
    "<｜tool▁calls▁begin｜>",  # DeepSeek
    "<｜tool▁call▁begin｜>",
    "<|tool_calls_section_begin|>",  # Kimi
    "<|tool_call_begin|>",
    "<|start|>assistant<|channel|>commentary to=",  # gpt-oss
    "<|start|>assistant<|channel|>analysis to=",
    "<|start|>assistant to=",
    "<|channel|>commentary to=",
    "<|channel|>analysis to=",
    "assistantcommentary to=functions.",  # where the server took its tokens away
    "commentary to=functions.",
)
_SIGNS = ("<|", "<｜", "[TOOL_CALLS]", " to=functions.")  # one is in each
_NOISE = ("function", "json", "code", "commentary", "analysis", "assistant")
_MOST_WORDS = 4
_LONGEST_HEADER = 300
_CHARACTER = re.compile(".", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Opened:
    at: int
    opener: str

    @property
    def form(self) -> str:
        is_harmony = " to=" in self.opener
        return "a call to a `commentary` channel" if is_harmony else f"a `{self.opener}` call"


def opener_in(line: str) -> Opened | None:
    """The first, and at its place the longest."""
    if not any(sign in line for sign in _SIGNS):
        return None
    found = ((line.find(opener), -len(opener), opener) for opener in OPENERS)
    at, _, opener = min((each for each in found if each[0] >= 0), default=(-1, 0, ""))
    return Opened(at, opener) if opener else None


def read_tokens(cursor: Cursor, opened: Opened, known: Known) -> Read:
    """The cursor stands at the opener, and then behind the call."""
    # The name begins within some openers.
    cursor.took(opened.opener.removesuffix("functions.").removesuffix("to="))
    words = _header(cursor)
    if words is None:
        return Refused("it can't be read")
    if not cursor.sees(*VALUES):
        return Refused("it has no arguments")
    given = json_value(cursor)
    name = _name(words)
    return named(name, given) if name else marked_call(given, known)


def _header(cursor: Cursor) -> list[str] | None:
    """Its words, up to where a value begins."""
    start = cursor.at
    text = list[str]()
    while not cursor.at_end:
        if cursor.at - start > _LONGEST_HEADER:
            return None
        if cursor.take(TOKEN):
            text.append(" ")
        elif cursor.sees(*VALUES):
            break
        else:
            text.append(cursor.take(_CHARACTER))
    words = "".join(text).split()
    return words if len(words) <= _MOST_WORDS else None


def _name(words: list[str]) -> str:
    addressed = [word.partition("to=")[2] for word in words if "to=" in word]
    plain = [word for word in words if word not in _NOISE]
    name, _, number = (addressed or plain or [""])[0].partition(":")
    return name if number.isdigit() or not number else f"{name}:{number}"
