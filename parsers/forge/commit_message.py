"""Write a commit message in the style of the repository, from text that a model wrote.

    message  = subject, body?, resolves?, trailers?
    subject  = ticket? (typed | bracketed | area)? text pull?
    ticket   = "PROJ-12: " | "[PROJ-12] " | "gh-12: " | "#12 " | "Fixed #12 -- " | ...
    typed    = TYPE ("(" scope ")")? "!"? ": "
    area     = ("net/http" | "mm, slab" | ...) ": "
    pull     = " (#12)"                 added by a forge on merge
    trailers = resolves?, signed?, together*

A style is adopted only if the history shows it clearly. The model's text is not trusted: it can't
sign off, resolve another issue, skip checks, mention people, or send requests to our own hook.
"""

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePosixPath

from react_agent.parsers.forge.safe_markdown import without_calls, without_orders
from react_agent.parsers.repo.file_roles import is_of_tests
from react_agent.parsers.text.gist import bare, one_line
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.transcript.quoting import visible

WIDTH = 72
FEWEST = 5  # messages that show a habit
_CLEAR = 0.6  # share of the messages
_ALWAYS, _SELDOM = 0.8, 0.2
_OFTEN = 0.35  # not every commit resolves an issue
KINDS = (  # the first word of a row is used if the history shows none
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
    r"(?:(?i:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?|see) )?"
    r"(?P<open>[\[(]?)(?:#|(?i:gh|bpo|issue)[- ]#?|(?!(?:UTF|SHA|ISO|RFC|CVE)-)[A-Z][A-Z0-9]+-)"
    r"(?P<digits>\d+)[\])]?(?::| --| -|,|(?<=[\])])|(?<=\d))\s+(?=\S)"
)
_TYPED = LatePattern(r"(?P<type>[A-Za-z]+)(?:\((?P<scope>[^()\n]{1,60})\))?!?:\s+(?=\S)")
_AREA = LatePattern(
    r"(?:\[(?P<bracketed>[^\[\]\n]{1,40})\]:?|(?P<area>(?!\d+:)[\w.*{}/+@-]{1,60}"
    r"(?:, ?[\w.*{}/+@-]{1,40}){0,3}):)\s+(?=\S)"
)
_PULL = LatePattern(r"\s*\((?:PR )?(?:#|!|GH-)\d+\)$")
_TRAILER = LatePattern(r"(?i)(?:[\w-]+-(?:by|id|on|checks)|agent) *: *\S.*")
_PLAIN_WORD = LatePattern(r"[^\W\d_][a-z]+(?:[-'’][a-z]+)*[,:;]?|[AaI]")
_PROSE = LatePattern(r"(?!\d+[.)]\s|`{3})(?:[^\W_]|[`\"'(]|$)")  # a line that may be filled
_NEW = LatePattern(
    r"(?i)\W*(?:\w+: )?(?:add|support|allow|implement|introduce|provide|enable|new)\b"
)


class Form(StrEnum):
    PLAIN = "plain"
    TYPED = "typed"  # `fix(parser): ...`
    AREA = "area"  # `net/http: ...`
    BRACKETED = "bracketed"  # `[core] ...`


@dataclass(frozen=True, slots=True)
class Subject:
    text: str  # without ticket, type, area and pull request
    form: Form = Form.PLAIN
    ticket: str = ""  # with `{}` where the digits were: "gh-{}: "
    type: str = ""
    area: str = ""  # for a subject with a type, its scope


@dataclass(frozen=True, slots=True)
class Habit:
    form: Form = Form.PLAIN
    has_area: bool = False
    types: Mapping[str, int] = field(default_factory=dict)  # with the number of uses
    areas: frozenset[str] = frozenset()
    ticket: str = ""  # `PROJ-{}: `, `gh-{}: `
    is_upper: bool | None = None  # whether a subject begins with a capital; None: unclear
    signs_off: bool = False
    resolves: str = ""  # `Fixes: #{}`


@dataclass(frozen=True, slots=True)
class About:
    """Facts about a change and its issue."""

    title: str  # of the issue
    text: str = ""  # of the issue; it may name a ticket
    number: int = 0  # of the issue; 0 without one
    paths: tuple[str, ...] = ()
    author: str = ""  # NAME <EMAIL>
    co_authors: tuple[str, ...] = ()


def habit_of(messages: Sequence[str]) -> Habit:
    """Return the message style that is used in commits by people."""
    messages = [one.strip() for one in messages if one.strip() and not _NO_HABIT.match(one)]
    if len(messages) < FEWEST:
        return Habit()
    subjects = [read_subject(one.partition("\n")[0]) for one in messages]
    form, count = Counter(one.form for one in subjects).most_common(1)[0]
    clear = _CLEAR * len(subjects)
    form = form if count >= clear else Form.PLAIN
    same = [one for one in subjects if one.form is form]
    resolving = filter(None, map(_RESOLVES.search, messages))
    return Habit(
        form=form,
        has_area=_share(bool(one.area) for one in same) > 0.5,
        types=Counter(one.type for one in same if one.type),
        areas=frozenset(one.area for one in same if one.area),
        ticket=_usual((one.ticket for one in subjects if one.ticket), clear),
        is_upper=_is_upper([one.text for one in subjects]),
        signs_off=_share(_SIGNED.search(one) is not None for one in messages) >= _ALWAYS,
        resolves=_usual(
            (f"{line['before']}{{}}{line['after']}" for line in resolving), _OFTEN * len(messages)
        ),
    )


def read_subject(line: str) -> Subject:
    """Read a subject line. A line that has no known form is read as plain text."""
    rest, ticket = _PULL.sub("", one_line(line)), ""
    if found := _TICKET.match(rest):
        start, end = found.span("digits")
        rest, ticket = rest[found.end() :], f"{rest[:start]}{{}}{rest[end : found.end()]}"
    typed = _TYPED.match(rest)
    if typed and typed["type"].lower() in _TYPES:
        scope = typed["scope"] or ""
        return Subject(rest[typed.end() :], Form.TYPED, ticket, typed["type"], scope)
    if area := _AREA.match(rest):
        form = Form.BRACKETED if area["bracketed"] else Form.AREA
        return Subject(rest[area.end() :], form, ticket, area=area["bracketed"] or area["area"])
    return Subject(rest, ticket=ticket)


def _share(answers: Iterable[bool]) -> float:
    given = list(answers)
    return sum(given) / len(given) if given else 0.0


def _usual(written: Iterable[str], least: float) -> str:
    """Return the most frequent text, or "" if there are fewer than `least` texts."""
    found = Counter(written)
    return found.most_common(1)[0][0] if found and found.total() >= least else ""


def _is_upper(texts: Iterable[str]) -> bool | None:
    """Return whether subjects usually begin with a capital letter, or None if that is unclear."""
    firsts = (text.partition(" ")[0] for text in texts)
    words = [word for word in firsts if word.isalpha() and (word.islower() or word.istitle())]
    upper = _share(word.istitle() for word in words)
    return None if len(words) < FEWEST or _SELDOM < upper < _ALWAYS else upper >= _ALWAYS


def subject_of(said: str, kind: str, habit: Habit, about: About) -> str:
    """Return the subject line. If the model wrote none, it is the title of the issue."""
    given = read_subject(_line(said, about) or _line(about.title, about))
    text = given.text
    if given.area and not given.type and habit.form is Form.PLAIN:
        text = f"{given.area}: {text}"  # a colon that belongs to the sentence
    if habit.is_upper is not None and _PLAIN_WORD.fullmatch(text.partition(" ")[0]):
        text = (text[0].upper() if habit.is_upper else text[0].lower()) + text[1:]
    text = text.rstrip(".") if not text.endswith("...") else text
    area = _area(given.area, habit, about) if habit.has_area else ""
    marks = {
        Form.TYPED: f"{_type(kind or given.type, habit, about)}{f'({area})' if area else ''}: ",
        Form.AREA: f"{area}: " if area else "",
        Form.BRACKETED: f"[{area}] " if area else "",
    }
    return _cut(_ticket(habit.ticket, about) + marks.get(habit.form, ""), text)


def message_of(subject: str, body: str, habit: Habit, about: About) -> str:
    resolves = habit.resolves.replace("{}", str(about.number)) if about.number else ""
    is_trailer = ": " in resolves
    trailers = (
        resolves if is_trailer else "",
        f"Signed-off-by: {about.author}" if habit.signs_off and about.author else "",
        *(f"Co-authored-by: {one}" for one in about.co_authors),
    )
    end = ("" if is_trailer else resolves, "\n".join(filter(None, trailers)))
    return "\n\n".join(filter(None, (subject, *_paragraphs(body, about), *end))) + "\n"


def _paragraphs(body: str, about: About) -> Iterator[str]:
    """Yield the paragraphs. Prose is rewrapped; lists and code keep their line breaks."""
    text = without_calls(without_orders(visible(body), about.number))
    lines = (line for line in text.split("\n") if not _TRAILER.fullmatch(line.strip()))
    for part in "\n".join(lines).split("\n\n"):
        filled = part.strip("\n").split("\n")
        if all(map(_PROSE.match, filled)):
            filled = textwrap.wrap(part, WIDTH, break_long_words=False, break_on_hyphens=False)
        # a line that wrapping turned into a trailer is indented
        indented = (f" {line}" if _TRAILER.fullmatch(line) else line for line in filled)
        if part.strip():
            yield "\n".join(indented)


def _line(text: str, about: About) -> str:
    lines = (bare(one_line(line)) for line in text.split("\n"))
    first = next((line for line in lines if any(map(str.isalnum, line))), "")
    return without_calls(without_orders(visible(first), about.number))


def _ticket(written: str, about: About) -> str:
    """Return the ticket with the number of the issue, or "" if the issue has no number."""
    key = written.partition("{}")[0].rpartition(" ")[2].lstrip("[(")
    if key[:-1].isupper() and key.endswith("-") and key.upper() not in ("GH-", "ISSUE-", "BPO-"):
        named = LatePattern(rf"(?<![\w-]){key}(\d+)(?![\w-])")
        tickets = set(named.findall(about.title) or named.findall(about.text))
        return written.replace("{}", tickets.pop()) if len(tickets) == 1 else ""
    return written.replace("{}", str(about.number)) if about.number else ""


def _type(said: str, habit: Habit, about: About) -> str:
    """Return the given type, or the one that the title suggests, in the usual spelling."""
    word = said.strip().strip("`*.:").casefold()
    if word not in _TYPES:
        word = "feat" if _NEW.match(about.title) else "fix"
    kinds = next(kinds for kinds in KINDS if word in kinds)
    known = [one for one in habit.types if one.casefold() in kinds]
    if known:
        return max(known, key=habit.types.__getitem__)
    is_upper = habit.types and all(one[:1].isupper() for one in habit.types)
    return kinds[0].capitalize() if is_upper else kinds[0]


def _area(given: str, habit: Habit, about: About) -> str:
    """Return an area of the history that is named after a changed file or folder, or ""."""
    meant = [PurePosixPath(path) for path in about.paths if not is_of_tests(path)]
    places = [place for path in meant for place in (path.stem, path.parent.name, str(path.parent))]
    return next((area for area in (given, *places) if area in habit.areas), "")


def _cut(marks: str, text: str) -> str:
    room = max(WIDTH - len(marks), WIDTH // 2)
    if len(text) <= room:
        return marks + text
    short = text[: room - 1]
    kept = short.rpartition(" ")[0] if not text[room - 1].isspace() else short
    return marks + (kept or short).rstrip(" ,;:.-") + "…"
