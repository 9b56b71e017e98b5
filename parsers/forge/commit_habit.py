"""How a repository writes its commit messages, as far as its history shows it clearly.

    subject = ticket? (typed | bracketed | area)? text pull?
    ticket  = "PROJ-12: " | "[PROJ-12] " | "gh-12: " | "#12 " | "Fixed #12 -- " | ...
    typed   = TYPE ("(" scope ")")? "!"? ": "
    area    = ("net/http" | "mm, slab" | ...) ": "
    pull    = " (#12)"                  what a forge adds when it merges

Of a habit that names a ticket, only the form is known here.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from react_agent.parsers.text.late_pattern import LatePattern

FEWEST = 5  # messages
_CLEAR = 0.6  # of them
_ALWAYS, _SELDOM = 0.8, 0.2
_OFTEN = 0.35  # not every commit resolves an issue
KINDS = (  # the first is what is written where a history shows none
    *(("fix", "bugfix", "hotfix", "bug"), ("feat", "feature", "improvement")),
    *(("docs", "doc"), ("test", "tests"), ("build", "deps"), ("refactor",)),
    *(("perf",), ("ci",), ("style",), ("chore",), ("revert",)),
)
_TYPES = frozenset(word for kinds in KINDS for word in kinds)
_NO_HABIT = LatePattern(
    r"(?i)(?:Revert|Reland) \"|(?:fixup|squash|amend)! |Merge |WIP\b|v?\d+(?:\.\d+)+\S*$"
    r"|(?:Bump|Release|Version|Prepare release)\b|Initial commit$"
)
_SIGNED = LatePattern(r"(?m)^Signed-off-by: .+<.+>$")
_RESOLVES = LatePattern(
    r"(?im)^(?P<before>(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|refs?|issue|bug):? "
    r"(?:#|gh-|https://\S+/issues/))\d+(?P<after>\.?)$"
)
_TICKET = LatePattern(
    r"(?i)(?:(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?|see) )?"
    r"(?P<open>[\[(]?)(?P<key>#|(?:gh|bpo|issue)[- ]#?|[A-Z][A-Z0-9]+-)(?P<digits>\d+)[\])]?"
    r"(?::| --| -|,|(?<=[\])])|(?<=\d))\s+(?=\S)"
)
_TYPED = LatePattern(r"(?P<type>[A-Za-z]+)(?:\((?P<scope>[^()\n]{1,60})\))?!?:\s+(?=\S)")
_BRACKETED = LatePattern(r"\[(?P<area>[^\[\]\n]{1,40})\]:?\s+(?=\S)")
_AREA = LatePattern(r"(?P<area>[\w.*{}/+@-]{1,60}(?:, ?[\w.*{}/+@-]{1,40}){0,3}):\s+(?=\S)")
_PULL = LatePattern(r"\s*\((?:PR )?(?:#|!|GH-)\d+\)$")
_KEY = LatePattern(r"(?!(?:UTF|SHA|ISO|RFC|CVE)-)[A-Z][A-Z0-9]+-|(?i:gh|bpo|issue)-")


class Form(StrEnum):
    PLAIN = "plain"
    TYPED = "typed"  # `fix(parser): ...`
    AREA = "area"  # `net/http: ...`
    BRACKETED = "bracketed"  # `[core] ...`


class Case(StrEnum):
    UPPER = "upper"
    LOWER = "lower"


@dataclass(frozen=True, slots=True)
class Subject:
    text: str  # without what stands before and after it
    ticket: str = ""  # with `{}` where the digits were: "gh-{}: "
    type: str = ""
    area: str = ""  # or scope, of a subject with a type
    is_bracketed: bool = False

    @property
    def form(self) -> Form:
        if self.type:
            return Form.TYPED
        if not self.area:
            return Form.PLAIN
        return Form.BRACKETED if self.is_bracketed else Form.AREA


@dataclass(frozen=True, slots=True)
class Habit:
    form: Form = Form.PLAIN
    has_area: bool = False
    types: Mapping[str, int] = field(default_factory=dict)  # and how often each is used
    areas: frozenset[str] = frozenset()
    ticket: str = ""  # `PROJ-{}: `, `gh-{}: `
    case: Case | None = None
    signs_off: bool = False
    resolves: str = ""  # `Fixes: #{}`


def habit_of(messages: Sequence[str]) -> Habit:
    """Of commits that people made."""
    messages = [one.strip() for one in messages if one.strip() and not _NO_HABIT.match(one)]
    if len(messages) < FEWEST:
        return Habit()
    subjects = [read_subject(one.partition("\n")[0]) for one in messages]
    form, count = Counter(one.form for one in subjects).most_common(1)[0]
    form = form if count >= _CLEAR * len(subjects) else Form.PLAIN
    same = [one for one in subjects if one.form is form]
    resolving = filter(None, map(_RESOLVES.search, messages))
    return Habit(
        form=form,
        has_area=_share(bool(one.area) for one in same) > 0.5,
        types=Counter(one.type for one in same if one.type),
        areas=frozenset(one.area for one in same if one.area),
        ticket=_usual((one.ticket for one in subjects if one.ticket), _CLEAR * len(subjects)),
        case=_case([one.text for one in subjects]),
        signs_off=_share(_SIGNED.search(one) is not None for one in messages) >= _ALWAYS,
        resolves=_usual(
            (f"{line['before']}{{}}{line['after']}" for line in resolving), _OFTEN * len(messages)
        ),
    )


def read_subject(line: str) -> Subject:
    """Anything else is its text."""
    rest, ticket = _PULL.sub("", " ".join(line.split())), ""
    found = _TICKET.match(rest)
    if found and (not found["key"].endswith("-") or _KEY.fullmatch(found["key"])):
        whole, (start, end) = found[0], found.span("digits")
        rest, ticket = rest[found.end() :], f"{whole[:start]}{{}}{whole[end:]}"
    typed = _TYPED.match(rest)
    if typed and typed["type"].lower() in _TYPES:
        return Subject(rest[typed.end() :], ticket, typed["type"], typed["scope"] or "")
    bracketed = _BRACKETED.match(rest)
    area = bracketed or _AREA.match(rest)
    if area and (bracketed or not area["area"].isdigit()):
        return Subject(rest[area.end() :], ticket, area=area["area"], is_bracketed=bool(bracketed))
    return Subject(rest, ticket)


def _share(answers: Iterable[bool]) -> float:
    given = list(answers)
    return sum(given) / len(given) if given else 0.0


def _usual(written: Iterable[str], least: float) -> str:
    """What is written most often, if there are so many in all."""
    found = Counter(written)
    return found.most_common(1)[0][0] if found and found.total() >= least else ""


def _case(texts: Sequence[str]) -> Case | None:
    """By first words that are no names."""
    firsts = [text.split()[0] for text in texts if text.split()]
    words = [word for word in firsts if word.isalpha() and (word.islower() or word.istitle())]
    upper = _share(word.istitle() for word in words)
    if len(words) < FEWEST or _SELDOM < upper < _ALWAYS:
        return None
    return Case.UPPER if upper >= _ALWAYS else Case.LOWER
