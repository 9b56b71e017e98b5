"""The answer of a critic, read generously: `Step: 4`, `**Step:** 4.`, `it is step 4, because ...`.

answer = (text | "Step" ":" NUMBER | "Reason" ":" one line)*
"""

import re
from dataclasses import dataclass

from react_agent.parsers.text.gist import headline

# An underscore only beside the labels: elsewhere it is a part of a name.
_MARKS = re.compile(
    r"[*`#>]+|(?<!\w)_+(?=(?:step|reason)(?:\b|_))|(?:(?<=step)|(?<=reason)|(?<=:))_+",
    re.IGNORECASE,
)
_STEP = re.compile(r"\bstep\s*+(?:number|no\.?|n)?\s*+[:=#-]?\s*+#?\s*+(\d{1,6})\b", re.IGNORECASE)
_LABELLED = re.compile(
    r"^\s*(?:[-\d.)]+\s*)?step\s*[:=]\s*#?\s*(?:step\s*)?(\d{1,6})\b", re.IGNORECASE
)
_REASON = re.compile(r"^\s*(?:[-\d.)]+\s*)?(?:the )?reason\s*[:=-]\s*(.*)", re.IGNORECASE)
_REST = re.compile(r"^[\s.,:;)–—-]*(?:because|since|as)?\s*", re.IGNORECASE)
_LONGEST = 200  # characters of a reason


@dataclass(frozen=True, slots=True)
class Criticism:
    step: int
    reason: str = ""


def read_criticism(text: str) -> Criticism | None:
    """None where no step is named, or several are and none behind the label."""
    lines = [_MARKS.sub("", line) for line in text.strip().split("\n")]
    numbers = {found[1] for line in lines if (found := _LABELLED.match(line))}
    if not numbers:
        numbers = {number for line in lines for number in _STEP.findall(line)}
    if len(numbers) != 1:
        return None
    number = numbers.pop()
    return Criticism(int(number), headline(_reason(lines, number), _LONGEST))


def _reason(lines: list[str], number: str) -> str:
    for at, line in enumerate(lines):
        if found := _REASON.match(line):
            said = (found[1], *lines[at + 1 :])
            return next((each.strip() for each in said if each.strip()), "")
    around = next((line for line in lines if number in line), "")
    rest = _REST.sub("", around.partition(number)[2])
    behind = [line.strip() for line in lines if line.strip() and line is not around]
    return rest.strip() or (behind[0] if behind else "")
