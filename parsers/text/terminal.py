"""What a terminal would show in the end of what a program wrote to it."""

import re
from dataclasses import dataclass

_ESCAPE_SEQUENCE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, movements
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # titles, links
    r"|\x1b[PX^_][^\x1b]*(?:\x1b\\)?"  # strings for a device
    r"|\x1b[ -/]*[0-~]?"
)
_BINARY = re.compile(r"[\x00-\x06\x0e-\x1f\x7f\ufffd]")  # what no program writes for a person
_OVERSTRUCK = re.compile(r"[^\n\x08]\x08")


@dataclass(frozen=True, slots=True)
class Plain:
    text: str
    overwritten: int  # states of a progress line that were replaced by a later one


def plain(raw: str) -> Plain:
    text = _OVERSTRUCK.sub("", _ESCAPE_SEQUENCE.sub("", raw))
    lines = [_last_state(line) for line in text.split("\n")]
    return Plain("\n".join(line for line, _ in lines), sum(count for _, count in lines))


def _last_state(line: str) -> tuple[str, int]:
    states = [state for state in line.split("\r") if state]
    if _BINARY.search(line):
        return "".join(states), 0
    return (states[-1], len(states) - 1) if states else ("", 0)
