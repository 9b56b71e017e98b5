"""Read an answer made of labelled lines, such as `Best: 2` or `Steps 3-7: It looked.`

    answer  = text? (mark* label [numbers] mark* (":" | "-") text line*)*
    numbers = number [("-" | "to") number]

The reader accepts bold, lists, headings, a fence around the answer, and synonyms of the labels. It
skips reasoning in tags and the text before the first label.

A Conclusion gives up if its first sentence contains a clause from the table `CLAUSES`, at the
beginning or after a comma or a colon. The words after the clause are checked, too: a model that
drops one approach for another does not give up.

Condensed Thoughts have the label `Steps`. Such an entry ends at an empty line, a label or `%%`, and
nothing in it is trusted. It is dropped if it covers a step that the request did not include or that
an earlier entry covers. A sentence is dropped if it contains a name that does not occur in its
source: a file, a dotted, underscored or CamelCase symbol, a number of two or more digits, or
anything in backticks. A later reader would search for such a name in vain.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from react_agent.parsers.text.gist import bare, headline
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.text.names import is_name
from react_agent.parsers.transcript.labels import BOOKKEEPING, Label
from react_agent.parsers.transcript.quoting import in_any_dialect
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
        if not (one.number and one.lines[0][:1].isdigit())  # `Step 4: 3 tests failed`
        and (named := _NUMBER.match(f"{one.number or ''}{one.lines[0]}"))
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


_BULLET = LatePattern(r"(?m)^\s*(?:[-*•+]|\d{1,2}[.)])\s+")
_BOLD = LatePattern(r"\*\*(\S(?:[^*]*\S)?)\*\*")


class Condensed(NamedTuple):
    first: int
    last: int
    text: str  # one line


def read_condensed(answer: str, first: int, last: int) -> list[Condensed]:
    """Return the entries for the steps from `first` to `last`, in order."""
    found, reached = list[Condensed](), first - 1
    for one in read("\n".join(map(_unlabelled, answer.split("\n"))), ("step",)):
        lines = _BULLET.sub("", one.text.partition("\n\n")[0])
        text = _BOLD.sub(r"\1", " ".join(_unlabelled(lines).split()))
        if text and one.numbers and reached < one.number <= one.numbers[-1] <= last:
            found.append(Condensed(one.number, one.numbers[-1], text))
            reached = one.numbers[-1]
    return found


def write_condensed(entries: Iterable[Condensed]) -> str:
    return "\n\n".join(f"Steps {one.first}-{one.last}: {one.text}" for one in entries)


def _unlabelled(line: str) -> str:
    """Return the line without a thought's label. A line with another label ends the entry."""
    if line.lstrip().startswith(BOOKKEEPING):
        return ""
    labelled = in_any_dialect(line.strip())
    if labelled is None:
        return line
    return labelled.rest if labelled.label is Label.THOUGHT else ""


_SENTENCE = re.compile(
    r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<=[.!?;])\s+|(?<=[.!?][\"')`\]])\s+|(?<=[。！？；])"
)
_QUOTED = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_./~@-]*[A-Za-z0-9_])?")
_DIGITS = re.compile(r"\d+")


def without_invented(text: str, source: str) -> str:
    sentences, numbers = map(str.strip, _SENTENCE.split(text)), {*_DIGITS.findall(source)}
    return " ".join(
        sentence
        for sentence in sentences
        if sentence
        and all(_is_known(name, source) for name in _names(sentence))
        and all(number in numbers for number in _DIGITS.findall(sentence) if len(number) > 1)
    )


def _names(sentence: str) -> Iterator[str]:
    for quoted in _QUOTED.findall(sentence):
        yield from _WORD.findall(quoted)
    yield from filter(is_name, _WORD.findall(sentence))


def _is_known(name: str, source: str) -> bool:
    """Return whether the name, or each of its parts, occurs in the source as a whole word."""
    if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", source, re.ASCII):
        return True
    parts = name.split("-") if "-" in name else ()  # `dates.py-like`
    return bool(parts) and all(not is_name(one) or _is_known(one, source) for one in parts)
