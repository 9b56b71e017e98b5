"""Read the speech of a role, or the choice that it made.

speech = (name mark)* text (line-start other mark text)?
mark   = ":" or "：", inside or outside bold; "(role)" may follow the name

Only a leading name is removed. A name within the text is kept, quoted or not. The text ends where
the role begins to speak for another role, unless nothing would be left. A name in a fence is not
treated as a speaker.

choice = "<end>" digit "</end>" | "Next:" digit, the last one
       | digit, alone on the last line, or the only one there is; or a name instead of it

Bold, quotes, a full stop and reasoning in tags are ignored. Any other text is not an answer.
"""

import re
from collections.abc import Collection, Iterator, Mapping

from react_agent.parsers.text.fence import Fence, follow
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
    fences, lines = list[Fence](), said.split("\n")
    for at, line in enumerate(lines):
        if at and not fences and strangers.match(line.lstrip()):
            return "\n".join(lines[:at]).rstrip()
        follow(line, fences)
    return said


_NEXT = re.compile(
    r"^[\s>*_#-]*(?:next(?:\s+(?:state|role|speaker))?|answer|edge|role)[*_]*\s*[:：=]+(.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_DIGITS = re.compile(r"(?<![\w.])\d+(?![\w]|\.\d)")
_BARE = re.compile(r"[*_`\s]*\d[*_`.\s]*")
_MARKED = re.compile(r"<end>((?:(?!<end>).)*?)</end>", re.IGNORECASE | re.DOTALL)
_STRAY = "*_`'\"().,:;!<>[]{} \t\n"


def read_number(answer: str, count: int) -> int | None:
    """Return the chosen number, from 0 to `count` - 1, or None."""
    numbers = {*_DIGITS.findall(_choice(answer))}
    number = numbers.pop() if len(numbers) == 1 else ""
    return int(number) if len(number) == 1 and int(number) < count else None


def read_name(answer: str, key_of: Mapping[str, str]) -> str | None:
    choice = _choice(answer)
    bare = choice.strip(_STRAY).casefold()
    keys = {key for name, key in key_of.items() if name.casefold() == bare}
    words = ((key, rf"(?<![\w-]){re.escape(name)}(?![\w-])") for name, key in key_of.items())
    keys = keys or {key for key, word in words if re.search(word, choice, re.IGNORECASE)}
    return keys.pop() if len(keys) == 1 else None


def _choice(answer: str) -> str:
    """Return the part that is marked as the answer, or else the whole answer."""
    said = without_reasoning(answer)
    if marked := _MARKED.findall(said):
        return str(marked[-1]).strip()
    if labelled := _NEXT.findall(said):
        return str(labelled[-1])
    last = said.rstrip().rpartition("\n")[2]
    return last if _BARE.fullmatch(last) else said
