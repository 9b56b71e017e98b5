"""What a role said, without the marks of a script: its own name in front, another one's lines.

speech = (name mark)* text (line-start other mark text)?
mark   = ":" or "：", around or in bold; behind the name may stand "(role)"

Only what leads is taken away: a name within the text, quoted or not, stays. What another speaker is
made to say ends it, unless nothing would be left. Lines in a fence are nobody's.
"""

import re
from collections.abc import Collection, Iterator

from react_agent.parsers.text.fence import Fence, opening_fence

_ROLE = r"(?:\s*\([^()\n]{1,60}\))?"


def process(text: str, own: Collection[str], others: Collection[str] = ()) -> str:
    said = text.strip()
    prefix = _prefix(own)
    while (found := prefix.match(said)) and said[found.end() :].strip():
        said = said[found.end() :].strip()
    strangers = _prefix(name for name in others if name.casefold() not in _folded(own))
    return _cut(said, strangers)


def _folded(names: Collection[str]) -> set[str]:
    return {name.casefold() for name in names}


def _prefix(names: Collection[str] | Iterator[str]) -> re.Pattern[str]:
    known = sorted(filter(None, names), key=len, reverse=True)
    either = "|".join(map(re.escape, known)) or r"(?!)"
    return re.compile(
        rf"(?P<bold>\*\*|__)?\[?(?:{either})\]?{_ROLE}"
        r"(?(bold)(?:\s*[:：]\s*(?P=bold)|(?P=bold)\s*[:：])|\s*[:：])",
        re.IGNORECASE,
    )


def _cut(said: str, strangers: re.Pattern[str]) -> str:
    kept, fence = list[str](), None
    for line in said.split("\n"):
        if fence is None and kept and strangers.match(line.lstrip()):
            return "\n".join(kept).rstrip()
        fence = _fence_after(line, fence)
        kept.append(line)
    return said


def _fence_after(line: str, fence: Fence | None) -> Fence | None:
    if fence is None:
        return opening_fence(line)
    return None if fence.is_closed_by(line) else fence
