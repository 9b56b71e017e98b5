"""A commit message in the habit of a repository, of words that a model wrote.

    message  = subject, body?, resolves?, trailers?
    trailers = resolves?, signed?, together*

The words are not trusted: they sign nothing off, resolve no other issue, skip no checks,
call nobody, and ask our own hook for nothing.
"""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from react_agent.parsers.commit_area import area_of
from react_agent.parsers.commit_habit import Case, Form, Habit
from react_agent.parsers.commit_kind import change_of, emoji_for, type_for
from react_agent.parsers.commit_subject import read_subject
from react_agent.parsers.first_verb import in_tense
from react_agent.parsers.gist import bare, one_line
from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.quoting import visible
from react_agent.parsers.unordered import without_calls, without_orders

WIDTH = 72
_TRAILER = LatePattern(r"(?i)(?:[\w-]+-(?:by|id|on|checks)|agent) *: *\S.*")
_IDENTIFIER = LatePattern(r"[^\W\d_][a-z]+(?:[-'’][a-z]+)*[,:;]?|[AaI]")


@dataclass(frozen=True, slots=True)
class About:
    """What a change is about, as facts."""

    title: str  # of the issue
    text: str = ""  # of it, where a ticket may be named
    number: int = 0  # of it; 0: it has none
    paths: tuple[str, ...] = ()
    author: str = ""  # NAME <EMAIL>
    co_authors: tuple[str, ...] = ()


def subject_of(said: str, kind: str, habit: Habit, about: About) -> str:
    """One line. Without words of the model, the title of the issue says it."""
    given = read_subject(_line(said, about) or _line(about.title, about))
    change = change_of(kind or given.type, about.title, about.paths)
    text = _text(_unmarked(given.text, given.area, habit), habit)
    marks = (
        emoji_for(change, habit.emojis) + " " if habit.emojis else "",
        _number(habit.number, about),
        _mark(type_for(change, habit.types), given.area, habit, about),
    )
    return _cut("".join(marks), text)


def message_of(subject: str, body: str, habit: Habit, about: About) -> str:
    trailers, resolves = list[str](), _resolves(habit, about)
    is_trailer = ": " in resolves
    if is_trailer:
        trailers.append(resolves)
    if habit.signs_off and about.author:
        trailers.append(f"Signed-off-by: {about.author}")
    trailers += [f"Co-authored-by: {one}" for one in about.co_authors]
    parts = (
        subject,
        *_paragraphs(body, about),
        "" if is_trailer else resolves,
        "\n".join(trailers),
    )
    return "\n\n".join(filter(None, parts)) + "\n"


def filled(paragraph: str) -> str:
    """Prose is filled anew; lists and code keep their lines."""
    lines = paragraph.split("\n")
    if all(line[:1].isalnum() or line[:1] in "`\"'(" for line in lines):
        return textwrap.fill(paragraph, WIDTH, break_long_words=False, break_on_hyphens=False)
    return paragraph


def _paragraphs(body: str, about: About) -> Iterator[str]:
    text = without_calls(without_orders(visible(body), about.number))
    lines = (line for line in text.split("\n") if not _TRAILER.fullmatch(line.strip()))
    for part in "\n".join(lines).split("\n\n"):
        if part.strip():
            yield "\n".join(map(_indented, filled(part.strip("\n")).split("\n")))


def _indented(line: str) -> str:
    """Where to fill has brought words to the start of a line that are orders there."""
    return f" {line}" if _TRAILER.fullmatch(line) else line


def _line(text: str, about: About) -> str:
    lines = (bare(one_line(line)) for line in text.split("\n"))
    first = next((line for line in lines if any(map(str.isalnum, line))), "")
    return without_calls(without_orders(visible(first), about.number))


def _unmarked(text: str, area: str, habit: Habit) -> str:
    """A colon may belong to the sentence; an area that is not one stays."""
    known = {one.name for one in habit.areas}
    return text if not area or habit.form is not Form.PLAIN or area in known else f"{area}: {text}"


def _text(text: str, habit: Habit) -> str:
    if not habit.is_english:
        return text
    text = in_tense(text, habit.tense) if habit.tense else text
    first = text.partition(" ")[0]
    if habit.case and _IDENTIFIER.fullmatch(first):
        start = first[0].upper() if habit.case is Case.UPPER else first[0].lower()
        text = start + text[1:]
    if habit.period is None or text.endswith(("...", "…", "?", "!")):
        return text
    return text.rstrip(".") + ("." if habit.period else "")


def _number(number: str, about: About) -> str:
    """Only what the issue has."""
    if not number:
        return ""
    key = number.partition("{}")[0].lstrip("[(")
    if key[:-1].isupper() and key.endswith("-") and key.upper() not in ("GH-", "ISSUE-", "BPO-"):
        tickets = set(_tickets(key, about))
        return number.replace("{}", tickets.pop()) if len(tickets) == 1 else ""
    return number.replace("{}", str(about.number)) if about.number else ""


def _tickets(key: str, about: About) -> list[str]:
    for text in (about.title, about.text):
        if found := LatePattern(rf"(?<![\w-]){key}(\d+)(?![\w-])").findall(text):
            return found
    return []


def _mark(word: str, given: str, habit: Habit, about: About) -> str:
    match habit.form:
        case Form.TYPED:
            scope = area_of(about.paths, habit.areas) if habit.has_scope else ""
            return f"{word}({scope}): " if scope else f"{word}: "
        case Form.AREA | Form.BRACKETED:
            known = {one.name for one in habit.areas}
            area = given if given in known else area_of(about.paths, habit.areas, at_all=True)
            if not area:
                return ""
            return f"[{area}] " if habit.form is Form.BRACKETED else f"{area}: "
    return ""


def _cut(marks: str, text: str) -> str:
    room = max(WIDTH - len(marks), WIDTH // 2)
    if len(text) <= room:
        return marks + text
    short = text[: room - 1]
    kept = short.rpartition(" ")[0] if not text[room - 1].isspace() else short
    return marks + (kept or short).rstrip(" ,;:.-") + "…"


def _resolves(habit: Habit, about: About) -> str:
    return habit.resolves.replace("{}", str(about.number)) if about.number else ""
