"""Read what a role said, and what it chose.

speech = (name mark)* text (line-start other mark text)?
mark   = ":" or "：", around or in bold; behind the name may stand "(role)"

Only a leading name is removed: a name within the text, quoted or not, stays. The text ends where
the role speaks for another one, unless nothing would be left. Lines in a fence belong to no
speaker.

choice = "<end>" digit "</end>" | "Next:" digit, the last one
       | digit, alone in the last line, or the only one there is; or a name instead of it

Bold, quotes, a full stop and reasoning in tags are ignored. Anything else is no answer.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from react_agent.parsers.text.fence import Fence, opening_fence
from react_agent.parsers.turn.reply import without_reasoning

_ROLE = r"(?:\s*\([^()\n]{1,60}\))?"


def process(text: str, own: Collection[str], others: Collection[str] = ()) -> str:
    said = text.strip()
    prefix = _prefix(own)
    while (found := prefix.match(said)) and said[found.end() :].strip():
        said = said[found.end() :].strip()
    ours = {name.casefold() for name in own}
    return _cut(said, _prefix(name for name in others if name.casefold() not in ours))


def _prefix(names: Collection[str] | Iterator[str]) -> re.Pattern[str]:
    known = sorted(filter(None, names), key=len, reverse=True)
    either = "|".join(map(re.escape, known)) or r"(?!)"
    return re.compile(
        rf"(?P<bold>\*\*|__)?\[?(?:{either})\]?{_ROLE}"
        r"(?(bold)(?:\s*[:：]\s*(?P=bold)|(?P=bold)\s*[:：])|\s*[:：])",
        re.IGNORECASE,
    )


def _cut(said: str, strangers: re.Pattern[str]) -> str:
    kept = list[str]()
    fence: Fence | None = None
    for line in said.split("\n"):
        if fence is None and kept and strangers.match(line.lstrip()):
            return "\n".join(kept).rstrip()
        if fence is None:
            fence = opening_fence(line)
        elif fence.is_closed_by(line):
            fence = None
        kept.append(line)
    return said


_NEXT = re.compile(
    r"^[\s>*_#-]*(?:next(?:\s+(?:state|role|speaker))?|answer|edge|role)[*_]*\s*[:：=]+(.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_DIGITS = re.compile(r"(?<![\w.])\d+(?![\w]|\.\d)")
_BARE = re.compile(r"[*_`\s]*\d[*_`.\s]*")
_STRAY = "*_`'\"().,:;!<>[]{} \t\n"


def read_number(answer: str, count: int) -> int | None:
    """Return the chosen number, from 0 to `count` - 1, or None."""
    for part in _parts(answer):
        numbers = {int(found) for found in _DIGITS.findall(part) if len(found) == 1}
        others = [found for found in _DIGITS.findall(part) if len(found) > 1]
        if len(numbers) == 1 and not others:
            [number] = numbers
            return number if number < count else None
    return None


def read_name(answer: str, names: Sequence[str]) -> str | None:
    """Return the chosen name, or None."""
    for part in _parts(answer):
        bare = part.strip(_STRAY).casefold()
        named = [name for name in names if name.casefold() == bare]
        if not named:
            words = ((name, rf"(?<![\w-]){re.escape(name)}(?![\w-])") for name in names)
            named = [name for name, word in words if re.search(word, part, re.IGNORECASE)]
        if len(named) == 1:
            return named[0]
    return None


def _parts(answer: str) -> list[str]:
    """Return the part that is marked as the answer, or else the whole answer."""
    said = without_reasoning(answer)
    if (marked := _marked(said)) is not None:
        return [marked]
    if labelled := _NEXT.findall(said):
        return [labelled[-1]]
    last = said.rstrip().rpartition("\n")[2]
    return [last] if _BARE.fullmatch(last) else [said]


_MARK = re.compile(r"<(/?)end>", re.IGNORECASE)


def _marked(said: str) -> str | None:
    """Return the text of the last `<end>...</end>`, or None."""
    pieces = _MARK.split(said)  # texts, and between them `/` or nothing
    for at in range(len(pieces) - 2, 2, -2):
        if pieces[at] and not pieces[at - 2]:
            return pieces[at - 1].strip()
    return None
