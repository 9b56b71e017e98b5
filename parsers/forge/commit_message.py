"""A commit message in the habit of a repository, of words that a model wrote.

    message  = subject, body?, resolves?, trailers?
    trailers = resolves?, signed?, together*

The words are not trusted: they sign nothing off, resolve no other issue, skip no checks,
call nobody, and ask our own hook for nothing.
"""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from react_agent.parsers.forge.commit_habit import KINDS, Case, Form, Habit, read_subject
from react_agent.parsers.forge.safe_markdown import without_calls, without_orders
from react_agent.parsers.repo.file_roles import is_of_tests
from react_agent.parsers.text.gist import bare, one_line
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.transcript.quoting import visible

WIDTH = 72
_TRAILER = LatePattern(r"(?i)(?:[\w-]+-(?:by|id|on|checks)|agent) *: *\S.*")
_PLAIN_WORD = LatePattern(r"[^\W\d_][a-z]+(?:[-'’][a-z]+)*[,:;]?|[AaI]")
_PAGES = frozenset({".md", ".rst", ".txt", ".adoc"})
_NEW = LatePattern(
    r"(?i)\W*(?:\w+: )?(?:add|support|allow|implement|introduce|provide|feature|enable|let|new)\b"
)
_NO_AREAS = frozenset({"src", "lib", "app", "source", "sources", "pkg", "packages", "internal"})


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
    text = given.text
    if given.area and not given.type and habit.form is Form.PLAIN:
        text = f"{given.area}: {text}"  # a colon that belongs to the sentence
    first = text.partition(" ")[0]
    if habit.case and _PLAIN_WORD.fullmatch(first):
        start = first[0].upper() if habit.case is Case.UPPER else first[0].lower()
        text = start + text[1:]
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
    signed = f"Signed-off-by: {about.author}" if habit.signs_off and about.author else ""
    trailers = (
        resolves if is_trailer else "",
        signed,
        *(f"Co-authored-by: {one}" for one in about.co_authors),
    )
    end = ("" if is_trailer else resolves, "\n".join(filter(None, trailers)))
    return "\n\n".join(filter(None, (subject, *_paragraphs(body, about), *end))) + "\n"


def _paragraphs(body: str, about: About) -> Iterator[str]:
    """Prose is filled anew; lists and code keep their lines."""
    text = without_calls(without_orders(visible(body), about.number))
    lines = (line for line in text.split("\n") if not _TRAILER.fullmatch(line.strip()))
    for part in "\n".join(lines).split("\n\n"):
        filled = part.strip("\n").split("\n")
        if all(line[:1].isalnum() or line[:1] in "`\"'(" for line in filled):
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
    """Only what the issue has."""
    key = written.partition("{}")[0].lstrip("[(")
    if key[:-1].isupper() and key.endswith("-") and key.upper() not in ("GH-", "ISSUE-", "BPO-"):
        named = LatePattern(rf"(?<![\w-]){key}(\d+)(?![\w-])")
        tickets = set(named.findall(about.title) or named.findall(about.text))
        return written.replace("{}", tickets.pop()) if len(tickets) == 1 else ""
    return written.replace("{}", str(about.number)) if about.number else ""


def _type(said: str, habit: Habit, about: About) -> str:
    """What somebody called it, else what the files and the title say; as the others write it."""
    word, paths = said.strip().strip("`*.:").casefold(), about.paths
    if not any(word in kinds for kinds in KINDS):
        word = "feat" if _NEW.match(about.title) else "fix"
        if paths and all(map(is_of_tests, paths)):
            word = "test"
        elif paths and all(PurePosixPath(path).suffix in _PAGES for path in paths):
            word = "docs"
    kinds = next(kinds for kinds in KINDS if word in kinds)
    known = [one for one in habit.types if one.casefold() in kinds]
    if known:
        return max(known, key=habit.types.__getitem__)
    is_upper = habit.types and all(one[:1].isupper() for one in habit.types)
    return kinds[0].capitalize() if is_upper else kinds[0]


def _area(given: str, habit: Habit, about: About) -> str:
    """One that others wrote, if a file or folder of the change is called so; else the one place."""
    meant = [PurePosixPath(path) for path in about.paths if not is_of_tests(path)]
    places = [place for path in meant for place in (path.stem, path.parent.name, str(path.parent))]
    known = [area for area in (given, *places) if area in habit.areas]
    if known or habit.form is Form.TYPED:
        return known[0] if known else ""
    names = {path.parent.name or path.stem for path in meant}
    names = {path.stem for path in meant} if names & _NO_AREAS else names
    return names.pop() if len(names) == 1 else ""


def _cut(marks: str, text: str) -> str:
    room = max(WIDTH - len(marks), WIDTH // 2)
    if len(text) <= room:
        return marks + text
    short = text[: room - 1]
    kept = short.rpartition(" ")[0] if not text[room - 1].isspace() else short
    return marks + (kept or short).rstrip(" ,;:.-") + "…"
