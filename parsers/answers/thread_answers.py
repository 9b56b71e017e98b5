"""What a Conclusion says to each thread of a review: `Thread 2: not done, because ...`.

answers = (answer | text)*
answer  = mark* "Thread" "#"? N mark* (":" | "-" | "." | ")") text line*      up to an empty line

Without the word, numbered lines count where there is one for each thread and no more: a list of
what was changed is none of answers.
"""

import re
from collections.abc import Iterator, Mapping

_MARK = r"[\s>*_`#•+-]*+"
_NAMED = re.compile(
    rf"{_MARK}threads?[\s*_`]*+#?(?P<number>\d{{1,4}})[\s*_`)\]]*+(?:[:：.=]|[-‐-―]+(?=\s))"
    r"(?P<rest>.*)",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"{_MARK}[(\[]?(?P<number>\d{{1,4}})[*_`]*+(?:[.:：)\]]+|[-‐-―]+(?=\s))(?P<rest>.*)"
)
_AROUND = "*_` \t:："


def read_answers(conclusion: str, count: int) -> Mapping[int, str]:
    """By the number of the thread; those that are not answered are missing."""
    named = _by_number(conclusion, _NAMED)
    if found := {number: said for number, said in named.items() if 0 < number <= count}:
        return found
    bare = _by_number(conclusion, _BARE)
    if set(bare) == set(range(1, count + 1)):
        return bare
    return {1: conclusion.strip()} if count == 1 and conclusion.strip() else {}


def write_answers(answers: Mapping[int, str]) -> str:
    return "\n".join(f"Thread {number}: {text}" for number, text in answers.items())


def _by_number(text: str, head: re.Pattern[str]) -> dict[int, str]:
    """Of two answers to one thread, the first: what follows may be a summary."""
    found = dict[int, str]()
    for number, said in _answers(text, head):
        if said:
            found.setdefault(number, said)
    return found


def _answers(text: str, head: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    number, lines = 0, list[str]()
    for line in (*text.split("\n"), ""):
        begun = head.match(line)
        if number and (begun or not line.strip()) and (lines or begun):
            yield number, "\n".join(lines)
            number = 0
        if begun:
            number = int(begun["number"])
            lines = [rest] if (rest := begun["rest"].strip(_AROUND)) else []
        elif number and line.strip():
            lines.append(line.strip())
    if number:
        yield number, "\n".join(lines)
