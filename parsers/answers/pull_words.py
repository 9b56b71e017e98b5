"""What a model says of its change, for the people who are to take it: labelled lines.

    answer = (label ":" text line*)*          what stands before the first label is left aside
    label  = "Subject" | "Kind" | "Problem" | "Change" | "Uncertain"

Read generously: in bold, in lists, in a fence, in other words for the same. The first of a label
counts; what is missing is empty.
"""

from dataclasses import dataclass, fields

from react_agent.parsers.text.gist import bare
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.turn.reply import without_reasoning
from react_agent.parsers.turn.special import cleaned

_NAMES = {
    "subject": "subject",
    "title": "subject",
    "kind": "kind",
    "type": "kind",
    "problem": "problem",
    "cause": "problem",
    "what was wrong": "problem",
    "change": "change",
    "changes": "change",
    "what changed": "change",
    "what was changed": "change",
    "solution": "change",
    "uncertain": "uncertain",
    "uncertainty": "uncertain",
    "open": "uncertain",
}
_LABEL = LatePattern(
    rf"(?i)[\s>*_#`•-]*(?:\d[.)]\s*)?(?P<name>{'|'.join(_NAMES)})[*_`]*\s?[:：][*_`]*\s*(?P<rest>.*)"
)
_FENCE = LatePattern(r"\s*(?:```|~~~)[\w-]*\s*")
_NOTHING = LatePattern(r"(?i)\W*(?:nothing|none|no|n/a|-|nil)\b[^a-z]*(?:uncertain|open|known)?\W*")
_LONGEST = 2500  # characters of one


@dataclass(frozen=True, slots=True)
class PullWords:
    subject: str = ""  # one line
    kind: str = ""  # one word
    problem: str = ""
    change: str = ""
    uncertain: str = ""


def read_pull_words(answer: str) -> PullWords:
    found, here = dict[str, list[str]](), list[str]()
    for line in cleaned(without_reasoning(answer)).split("\n"):
        label = _LABEL.fullmatch(line)
        if label:
            name = _NAMES[label["name"].casefold()]
            here = [] if name in found else found.setdefault(name, [])
            line = label["rest"]
        elif _FENCE.fullmatch(line) and not any(one.strip() for one in here):
            continue
        here.append(line.rstrip())
    said = {name: _text(lines) for name, lines in found.items()}
    uncertain = said.get("uncertain", "")
    return PullWords(
        subject=bare(said.get("subject", "").partition("\n")[0]),
        kind=next(iter(said.get("kind", "").split()), "").strip("`*.,:").casefold(),
        problem=said.get("problem", ""),
        change=said.get("change", ""),
        uncertain="" if _NOTHING.fullmatch(uncertain) else uncertain,
    )


def write_pull_words(words: PullWords) -> str:
    """As it is asked for."""
    return "\n".join(
        f"{one.name.capitalize()}: {getattr(words, one.name)}" for one in fields(words)
    )


def _text(lines: list[str]) -> str:
    """A fence that the whole answer stood in is no part of the last one."""
    text = "\n".join(lines).strip()
    fences = [line for line in lines if _FENCE.fullmatch(line)]
    if len(fences) % 2 and _FENCE.fullmatch(text.rpartition("\n")[2]):
        text = text.rpartition("\n")[0].rstrip()
    return text if len(text) <= _LONGEST else text[:_LONGEST].rpartition(" ")[0] + " …"
