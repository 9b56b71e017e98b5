"""Read an answer made of labelled lines, such as `Best: 2` or `Steps 3-7: It looked.`

    answer  = text? (mark* label [numbers] mark* (":" | "-") text line*)*
    numbers = number [("-" | "to") number]

The reader accepts bold, lists, headings, a fence around the answer, and synonyms of the labels. It
skips reasoning in tags and the text before the first label.

A Conclusion gives up if its first sentence contains a clause from the table `CLAUSES`, at the
beginning or after a comma or a colon. The words after the clause are checked, too: a model that
drops one approach for another does not give up.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from react_agent.parsers.text.gist import bare, headline
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.turn.reply import without_reasoning
from react_agent.parsers.turn.special import cleaned

_MARK = r"[\s>*_`#•+-]*+"
_COLON = r"[*_`)\]]*+(?:\s?[:：.=]|\s?[-‐-―]+(?=\s))[*_`]*+\s*+"
_FENCE = LatePattern(r"\s*(?:```|~~~)[\w-]*\s*")


class Answer(NamedTuple):
    label: str
    numbers: tuple[int, ...]
    lines: list[str]

    @property
    def number(self) -> int:
        """Return the first number, or 0 if there is none."""
        return self.numbers[0] if self.numbers else 0

    @property
    def text(self) -> str:
        """Return the text without the closing line of a fence around the whole answer."""
        text = "\n".join(self.lines).strip()
        is_odd = sum(bool(_FENCE.fullmatch(line)) for line in self.lines) % 2
        if is_odd and _FENCE.fullmatch(text.rpartition("\n")[2]):
            return text.rpartition("\n")[0].rstrip()
        return text


def read(text: str, labels: Collection[str]) -> list[Answer]:
    to = r"\s*(?:[-‐-―−]|to\b|through\b)\s*#?"
    numbers = rf"s?[\s*_`]*+#?(?P<numbers>\d{{1,4}}(?:{to}\d{{1,4}})?)"
    head = re.compile(
        rf"{_MARK}(?:\d[.)]\s*)?{_MARK}(?P<label>{'|'.join(labels)})"
        rf"(?:{numbers})?{_COLON}(?P<rest>.*)",
        re.IGNORECASE,
    )
    found = list[Answer]()
    for line in cleaned(without_reasoning(text)).split("\n"):
        if begun := head.fullmatch(line):
            numbered = tuple(map(int, re.findall(r"\d+", begun["numbers"] or "")))
            found.append(Answer(begun["label"].casefold(), numbered, [begun["rest"].rstrip()]))
        elif found:
            is_fence = _FENCE.fullmatch(line) and not found[-1].text
            found[-1].lines.extend([] if is_fence else [line.rstrip()])
    return found


class Criticism(NamedTuple):
    step: int
    reason: str = ""


_NUMBER = LatePattern(r"(?i)(?:step|[\W_])*(\d{1,6})\b")
_LONGEST_REASON = 200


def read_criticism(text: str) -> Criticism | None:
    """Return the step and the reason, or None if the answer does not name exactly one step."""
    found = read(text, ("step", "reason"))
    steps = [one for one in found if one.label == "step"]
    numbers = {
        int(named[1])
        for one in steps
        if (named := _NUMBER.match(f"{one.number or ''}{one.lines[0]}"))
    }
    if len(numbers) != 1:
        return None
    reason = next((one.text for one in found if one.label == "reason"), "")
    return Criticism(numbers.pop(), headline(reason, _LONGEST_REASON))


_AROUND = "*_` \t:："


def read_answers(conclusion: str, count: int) -> Mapping[int, str]:
    """Return the answers to a review's threads by thread number. An empty line ends an answer.

    If a thread has two answers, the first one is used: the second may be a summary.
    """
    said = dict[int, str]()
    for one in read(conclusion, ("thread",)):
        text = one.text.split("\n\n")[0].strip(_AROUND)
        if text and 0 < one.number <= count:
            said.setdefault(one.number, text)
    if said or count != 1 or not conclusion.strip():
        return said
    return {1: conclusion.strip()}


_PULL_LABELS = ("subject", "kind", "problem", "change", "uncertain")
_NOTHING = LatePattern(r"(?i)\W*(?:nothing|none|no|n/a|-|nil)\b[^a-z]*(?:uncertain|open|known)?\W*")
_LONGEST = 2500  # characters of an answer


@dataclass(frozen=True, slots=True)
class PullWords:
    """A model's description of its change for reviewers. A missing part is ""."""

    subject: str = ""  # one line
    kind: str = ""  # one word
    problem: str = ""
    change: str = ""
    uncertain: str = ""


def read_pull_words(answer: str) -> PullWords:
    """Read the description of a change. If a label occurs twice, the first one is used."""
    said = dict[str, str]()
    for one in read(answer, _PULL_LABELS):
        text = one.text
        if len(text) > _LONGEST:
            text = text[:_LONGEST].rpartition(" ")[0] + " …"
        said.setdefault(one.label, text)
    uncertain = said.get("uncertain", "")
    return PullWords(
        subject=bare(said.get("subject", "").partition("\n")[0]),
        kind=next(iter(said.get("kind", "").split()), "").strip("`*.,:").casefold(),
        problem=said.get("problem", ""),
        change=said.get("change", ""),
        uncertain="" if _NOTHING.fullmatch(uncertain) else uncertain,
    )


_MARKS = "*_`\"'#> \t\n"
_FIRST = LatePattern(r".*?(?:[.!?](?=\s|$)|\n\s*\n|$)", re.DOTALL)
_WHAT = r"(?:this|it|that|the (?:task|issue|objective|problem|request|change|work))"
_ENDS = (
    r"(?=\s*(?:$|[.:;,!()*—–-]|(?:because|as|since|due|here|now|after|without|trying|for lack)\b"
    rf"|on {_WHAT}\b))"
)
_CANNOT = r"(?:cannot|can not|can't|could not|couldn't)"
_UNABLE = rf"(?:{_CANNOT}|(?:(?:am|was|are|were) |'m |'re )(?:unable|not able) to)"
_DO = r"(?:complete|finish|resolve|solve|fix|do|implement|achieve)"
_DONE = r"(?:completed|finished|resolved|solved|fixed|done|implemented|achieved)"
CLAUSES = (
    r"(?:(?:i|we)(?:'\w+)?(?: (?!not\b|never\b)[a-z]+){0,3} )?(?:give|gave|given|giving) up"
    rf"{_ENDS}",
    rf"(?:i|we) ?{_UNABLE} {_DO} {_WHAT}{_ENDS}",
    rf"{_WHAT} {_CANNOT} be {_DONE}{_ENDS}",
    rf"(?:i|we)(?: |'m |'re | am | are )(?:abandon|abandoning) {_WHAT}{_ENDS}",
)
_CLAUSE = LatePattern(rf"(?:^|[,:;—–] *(?:so |and |but |then )?)(?:{'|'.join(CLAUSES)})")


def gives_up(conclusion: str) -> bool:
    text = conclusion.casefold().replace("’", "'").lstrip(_MARKS)
    first = _FIRST.match(text)
    return _CLAUSE.search(" ".join(first[0].split())) is not None if first else False


_CAUSE = LatePattern(
    r"(?i)\b(?:because|due to|caused? by|the (?:root )?cause|culprit|reason (?:is|for|why)"
    r"|(?:the|this|our|a) (?:bug|problem|issue|error|failure|mistake) (?:is|comes|lies|must|seems)"
    r"|that is why|(?:must|should|needs? to) be\b|instead of|forgets?\b"
    r"|never (?:checks?|handles?|calls?|looks?)"
    r"|(?:does|do|did)(?:n't| not) (?:handle|check|account|know|look|call|pass|set|strip|convert)"
    r"|(?:is|are) (?:wrong|missing|not (?:handled|checked|called|passed|set|converted))"
    r"|fails? (?:when|because|since|if)|only (?:handles?|checks?|knows?|looks?)"
    r"|so (?:it|that) (?:fails?|breaks?|raises?))"
)


def says_cause(thought: str) -> bool:
    return _CAUSE.search(thought[:5_000]) is not None
