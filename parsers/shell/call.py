"""A call of one of our tools that was written in the words of another program."""

from dataclasses import dataclass

_SHOWN = 200  # characters of what it was read as


@dataclass(frozen=True, slots=True)
class Call:
    tool: str
    input: str
    said: str = ""  # what it was read as, where that is not what was written


def read_as(tool: str, text: str) -> Call:
    shown = ", ".join(text.split("\n"))
    short = shown if len(shown) <= _SHOWN else f"{shown[: _SHOWN - 3]}..."
    return Call(tool, text, f"read as {tool} {short}".rstrip())
