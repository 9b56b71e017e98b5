"""How a repository writes its commit messages, as far as its history shows it clearly.

    subject = sign? ticket? (typed | bracketed | area)? text pull?
    ticket  = "PROJ-12: " | "[PROJ-12] " | "gh-12: " | "#12 " | "Fixed #12 -- " | ...
    typed   = TYPE ("(" scope ")")? "!"? ": "
    area    = ("net/http" | "mm, slab" | ...) ": "
    pull    = " (#12)"                  what a forge adds when it merges

Signs (emoji) are read over. Of a habit that names a ticket, only the form is known here.
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
_OF_A_FIX = 0.15  # of a repository with types: in one with areas, `docs:` and `test:` are such
_FIXES = frozenset({"fix", "feat", "feature", "bugfix"})
_TYPES = _FIXES | {
    *("hotfix", "bug", "docs", "doc", "style", "refactor", "perf", "test", "tests", "build"),
    *("ci", "chore", "revert", "deps"),
}
_NO_HABIT = LatePattern(
    r"(?i)(?:Revert|Reland) \"|(?:fixup|squash|amend)! |Merge |WIP\b|v?\d+(?:\.\d+)+\S*$"
    r"|(?:Bump|Release|Version|Prepare release)\b|Initial commit$"
)
_SIGNED = LatePattern(r"(?m)^Signed-off-by: .+<.+>$")
_RESOLVES = LatePattern(
    r"(?im)^(?P<before>(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|refs?|issue|bug):? "
    r"(?:#|gh-|https://\S+/issues/))\d+(?P<behind>\.?)$"
)
_SIGN = LatePattern(r"(?::[a-z][a-z0-9_+-]+:|[\u2190-\u2bff\u3030\U0001f000-\U0001faff]\ufe0f?)\s*")
_TICKET = LatePattern(
    r"(?i)(?:(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?|see) )?"
    r"(?P<open>[\[(]?)(?P<key>#|(?:gh|bpo|issue)[- ]#?|[A-Z][A-Z0-9]+-)(?P<digits>\d+)[\])]?"
    r"(?::| --| -|,|(?<=[\])])|(?<=\d))\s+(?=\S)"
)
_TYPED = LatePattern(r"(?P<type>[A-Za-z]+)(?:\((?P<scope>[^()\n]{1,60})\))?!?:\s+(?=\S)")
_BRACKETED = LatePattern(r"\[(?P<area>[^\[\]\n]{1,40})\]:?\s+(?=\S)")
_AREA = LatePattern(r"(?P<area>[\w.*{}/+@-]{1,60}(?:, ?[\w.*{}/+@-]{1,40}){0,3}):\s+(?=\S)")
_PULL = LatePattern(r"\s*\((?:PR )?(?:#|!|GH-)\d+\)$")
_KEY = LatePattern(r"[A-Z][A-Z0-9]+-")
_NO_KEYS = ("UTF-", "SHA-", "ISO-", "RFC-", "CVE-")  # `UTF-8 names` are words


class Form(StrEnum):
    PLAIN = "plain"
    TYPED = "typed"  # `fix(parser): ...`
    AREA = "area"  # `net/http: ...`
    BRACKETED = "bracketed"  # `[core] ...`


class Case(StrEnum):
    UPPER = "upper"
    LOWER = "lower"


@dataclass(frozen=True, slots=True)
class Past:
    """A commit of the history."""

    message: str
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    text: str  # what is said
    ticket: str = ""  # with `{}` where the digits were: "gh-{}: "
    type: str = ""
    scope: str = ""
    area: str = ""
    is_bracketed: bool = False


@dataclass(frozen=True, slots=True)
class Habit:
    form: Form = Form.PLAIN
    has_scope: bool = False
    types: Mapping[str, int] = field(default_factory=dict)  # and how often each is used
    areas: Mapping[str, Sequence[str]] = field(default_factory=dict)  # of files; scopes, too
    ticket: str = ""  # `PROJ-{}: `, `gh-{}: `
    case: Case | None = None
    signs_off: bool = False
    resolves: str = ""  # `Fixes: #{}`


def habit_of(history: Sequence[Past]) -> Habit:
    """Of commits that people made."""
    past = [one for one in history if one.message.strip() and not _NO_HABIT.match(one.message)]
    if len(past) < FEWEST:
        return Habit()
    subjects = [read_subject(one.message.strip().partition("\n")[0]) for one in past]
    form = _form(subjects)
    typed = [one for one in subjects if one.type]
    return Habit(
        form=form,
        has_scope=form is Form.TYPED and _share(bool(one.scope) for one in typed) > 0.5,
        types=Counter(one.type for one in typed),
        areas=_areas(form, subjects, past),
        ticket=_ticket(subjects),
        case=_case([one.text for one in subjects]),
        signs_off=_share(_SIGNED.search(one.message) is not None for one in past) >= _ALWAYS,
        resolves=_resolves(past),
    )


def read_subject(line: str) -> Subject:
    """Anything else is its text."""
    rest = _without_sign(_PULL.sub("", " ".join(line.split())))
    rest, ticket = _without_ticket(rest)
    rest = _without_sign(rest)
    typed = _TYPED.match(rest)
    if typed and typed["type"].lower() in _TYPES:
        return Subject(rest[typed.end() :], ticket, typed["type"], typed["scope"] or "")
    if found := _BRACKETED.match(rest):
        return Subject(rest[found.end() :], ticket, area=found["area"], is_bracketed=True)
    if (found := _AREA.match(rest)) and not found["area"].isdigit():
        return Subject(rest[found.end() :], ticket, area=found["area"])
    return Subject(rest, ticket)


def _without_sign(rest: str) -> str:
    found = _SIGN.match(rest)
    return rest[found.end() :] or rest if found else rest


def _without_ticket(rest: str) -> tuple[str, str]:
    found = _TICKET.match(rest)
    if found is None or (found["key"].endswith("-") and not _is_key(found["key"])):
        return rest, ""
    whole, start, end = found[0], *found.span("digits")
    return rest[found.end() :], f"{whole[:start]}{{}}{whole[end:]}"


def _is_key(key: str) -> bool:
    is_project = _KEY.fullmatch(key) is not None and key not in _NO_KEYS
    return is_project or key.lower() in ("gh-", "bpo-", "issue-")


def _share(answers: Iterable[bool]) -> float:
    given = list(answers)
    return sum(given) / len(given) if given else 0.0


def _form(subjects: Sequence[Subject]) -> Form:
    if _share(one.is_bracketed for one in subjects) >= _CLEAR:
        return Form.BRACKETED
    marked = [one for one in subjects if one.type or (one.area and not one.is_bracketed)]
    if len(marked) < _CLEAR * len(subjects):
        return Form.PLAIN
    is_of_types = _share(bool(one.type) for one in marked) >= _CLEAR
    has_fixes = _share(one.type.lower() in _FIXES for one in marked) >= _OF_A_FIX
    if is_of_types and has_fixes:
        return Form.TYPED
    return Form.PLAIN if has_fixes else Form.AREA


def _areas(
    form: Form, subjects: Sequence[Subject], past: Sequence[Past]
) -> dict[str, tuple[str, ...]]:
    found = dict[str, tuple[str, ...]]()
    for subject, one in zip(subjects, past, strict=True):
        name = subject.scope if form is Form.TYPED else subject.area or subject.type
        if name and form is not Form.PLAIN:
            found[name] = (*found.get(name, ()), *one.paths)
    return found


def _ticket(subjects: Sequence[Subject]) -> str:
    found = Counter(one.ticket for one in subjects if one.ticket)
    return found.most_common(1)[0][0] if found.total() >= _CLEAR * len(subjects) else ""


def _case(texts: Sequence[str]) -> Case | None:
    """By first words that are no names."""
    firsts = [text.split()[0] for text in texts if text.split()]
    words = [word for word in firsts if word.isalpha() and (word.islower() or word.istitle())]
    upper = _share(word.istitle() for word in words)
    if len(words) < FEWEST or _SELDOM < upper < _ALWAYS:
        return None
    return Case.UPPER if upper >= _ALWAYS else Case.LOWER


def _resolves(past: Sequence[Past]) -> str:
    lines = (_RESOLVES.search(one.message) for one in past)
    found = Counter(f"{line['before']}{{}}{line['behind']}" for line in lines if line)
    if not found:
        return ""
    written, count = found.most_common(1)[0]
    return written if count >= _OFTEN * len(past) else ""
