"""What a model answers that is asked to choose: a number, or a name.

number = "<end>" digit "</end>" | "Next:" digit, the last one
       | digit, alone in the last line, or the only one there is
name   = the same with a name

Bold, quotes, a full stop and reasoning in tags are left aside. What is none of it is no answer.
"""

import re
from collections.abc import Sequence

from react_agent.parsers.turn.reply import without_reasoning

_MARK = re.compile(r"<(?P<closes>/?)end>", re.IGNORECASE)
_NEXT = re.compile(
    r"^[\s>*_#-]*(?:next(?:\s+(?:state|role|speaker))?|answer|edge|role)[*_]*\s*[:：=]+(.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_DIGITS = re.compile(r"(?<![\w.])\d+(?![\w]|\.\d)")
_BARE = re.compile(r"[*_`\s]*\d[*_`.\s]*")
_STRAY = "*_`'\"().,:;!<>[]{} \t\n"


def read_number(answer: str, count: int) -> int | None:
    """One of 0 up to `count`, or none."""
    for part in _parts(answer):
        numbers = {int(found) for found in _DIGITS.findall(part) if len(found) == 1}
        others = [found for found in _DIGITS.findall(part) if len(found) > 1]
        if len(numbers) == 1 and not others:
            [number] = numbers
            return number if number < count else None
    return None


def read_name(answer: str, names: Sequence[str]) -> str | None:
    """One of the names, or none."""
    for part in _parts(answer):
        bare = part.strip(_STRAY).casefold()
        named = [name for name in names if name.casefold() == bare]
        if not named:
            named = [name for name in names if _stands_in(name, part)]
        if len(named) == 1:
            return named[0]
    return None


def _parts(answer: str) -> list[str]:
    """What is marked as the answer first; else the whole of it."""
    said = without_reasoning(answer)
    if (marked := _marked(said)) is not None:
        return [marked]
    if labelled := _NEXT.findall(said):
        return [labelled[-1]]
    last = said.rstrip().rpartition("\n")[2]
    return [last] if _BARE.fullmatch(last) else [said]


def _marked(said: str) -> str | None:
    """What stands in the last `<end>...</end>`."""
    begin, found = None, None
    for mark in _MARK.finditer(said):
        if not mark["closes"]:
            begin = mark.end() if begin is None else begin
        elif begin is not None:
            begin, found = None, said[begin : mark.start()].strip()
    return found


def _stands_in(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text, re.IGNORECASE) is not None
