"""How a repository writes its commit messages, as far as its history shows it clearly.

What it does not show clearly is left as it is written. Numbers, names and trailers are never made
up: of a habit that names a ticket, only the form is known here.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from react_agent.parsers.commit_subject import Subject, read_subject
from react_agent.parsers.first_verb import Tense, tense_of
from react_agent.parsers.late_pattern import LatePattern

FEWEST = 5  # messages
_CLEAR = 0.6  # of them
_ALWAYS, _SELDOM = 0.8, 0.2
_OFTEN = 0.35  # not every commit resolves an issue
_OF_A_FIX = 0.15  # of a repository with types: in one with areas, `docs:` and `test:` are such
_FIXES = frozenset({"fix", "feat", "feature", "bugfix"})
_NO_HABIT = LatePattern(
    r"(?:Revert|Reland) \"|(?:fixup|squash|amend)! |Merge |WIP\b|v?\d+(?:\.\d+)+\S*$"
    r"|(?:Bump|Release|Version|Prepare release)\b|Initial commit$",
    re.IGNORECASE,
)
_SIGNED = LatePattern(r"^Signed-off-by: .+<.+>$", re.MULTILINE)
_RESOLVES = LatePattern(
    r"^(?P<before>(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|refs?|issue|bug):? "
    r"(?:#|gh-|https://\S+/issues/))\d+(?P<behind>\.?)$",
    re.IGNORECASE | re.MULTILINE,
)
_WORD = LatePattern(r"[^\W\d_]+")
_COMMON = """
the a an to in for of on when with and not from is are be by as if it no that this into add fix
use remove update make support allow handle error all new
"""
_ENGLISH = frozenset(_COMMON.split())


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
class Area:
    """What a commit called the part of the repository that it changed."""

    name: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Habit:
    form: Form = Form.PLAIN
    has_scope: bool = False
    types: Mapping[str, int] = field(default_factory=dict)  # and how often each is used
    areas: tuple[Area, ...] = ()  # or scopes
    emojis: Mapping[str, int] = field(default_factory=dict)  # empty: none
    number: str = ""  # `PROJ-{}: `, `gh-{}: `
    case: Case | None = None
    period: bool | None = None
    tense: Tense | None = None
    signs_off: bool = False
    resolves: str = ""  # `Fixes: #{}`
    is_english: bool = True


def habit_of(history: Sequence[Past]) -> Habit:
    """Of commits that people made."""
    past = [one for one in history if one.message.strip() and not _NO_HABIT.match(one.message)]
    if len(past) < FEWEST:
        return Habit()
    subjects = [read_subject(one.message.strip().partition("\n")[0]) for one in past]
    texts = [one.text for one in subjects]
    form, is_english = _form(subjects), _is_english(texts)
    return Habit(
        form=form,
        has_scope=form is Form.TYPED and _share(bool(one.scope) for one in _typed(subjects)) > 0.5,
        types=Counter(one.type for one in subjects if one.type),
        areas=tuple(_areas(form, subjects, past)),
        emojis=_emojis(subjects),
        number=_number(subjects),
        case=_case(texts) if is_english else None,
        period=_period(texts),
        tense=_tense(texts) if is_english else None,
        signs_off=_share(_SIGNED.search(one.message) is not None for one in past) >= _ALWAYS,
        resolves=_resolves(past),
        is_english=is_english,
    )


def _share(answers: Iterable[bool]) -> float:
    given = list(answers)
    return sum(given) / len(given) if given else 0.0


def _typed(subjects: Sequence[Subject]) -> list[Subject]:
    return [one for one in subjects if one.type]


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


def _areas(form: Form, subjects: Sequence[Subject], past: Sequence[Past]) -> Iterable[Area]:
    for subject, one in zip(subjects, past, strict=True):
        name = subject.scope if form is Form.TYPED else subject.area or subject.type
        if name and form is not Form.PLAIN:
            yield Area(name, one.paths)


def _emojis(subjects: Sequence[Subject]) -> Mapping[str, int]:
    found = [one.emoji for one in subjects if one.emoji]
    return Counter(found) if len(found) >= _CLEAR * len(subjects) else {}


def _number(subjects: Sequence[Subject]) -> str:
    found = Counter(one.number for one in subjects if one.number)
    if found.total() < _CLEAR * len(subjects):
        return ""
    return found.most_common(1)[0][0]


def _is_english(texts: Sequence[str]) -> bool:
    found = ((text, _WORD.findall(text.casefold())) for text in texts)
    told = [(text, words) for text, words in found if len(words) > 1]
    return _share(bool(tense_of(text)) or not _ENGLISH.isdisjoint(w) for text, w in told) >= 0.4


def _case(texts: Sequence[str]) -> Case | None:
    """By first words that are no names."""
    firsts = [text.split()[0] for text in texts if text.split()]
    words = [word for word in firsts if word.isalpha() and (word.islower() or word.istitle())]
    upper = _share(word.istitle() for word in words)
    if len(words) < FEWEST or _SELDOM < upper < _ALWAYS:
        return None
    return Case.UPPER if upper >= _ALWAYS else Case.LOWER


def _period(texts: Sequence[str]) -> bool | None:
    ended = _share(text.endswith(".") for text in texts)
    if _SELDOM < ended < _ALWAYS:
        return None
    return ended >= _ALWAYS


def _tense(texts: Sequence[str]) -> Tense | None:
    found = Counter(tense for tense in map(tense_of, texts) if tense)
    if found.total() < FEWEST:
        return None
    tense, count = found.most_common(1)[0]
    return tense if count >= _ALWAYS * found.total() else None


def _resolves(past: Sequence[Past]) -> str:
    lines = (_RESOLVES.search(one.message) for one in past)
    found = Counter(f"{line['before']}{{}}{line['behind']}" for line in lines if line)
    if not found:
        return ""
    written, count = found.most_common(1)[0]
    return written if count >= _OFTEN * len(past) else ""
