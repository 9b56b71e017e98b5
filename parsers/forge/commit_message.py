"""A commit message in the habit of a repository, of words that a model wrote.

    message  = subject, body?, resolves?, trailers?
    trailers = resolves?, signed?, together*

The words are not trusted: they sign nothing off, resolve no other issue, skip no checks,
call nobody, and ask our own hook for nothing.
"""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from react_agent.parsers.forge.commit_habit import Case, Form, Habit, read_subject
from react_agent.parsers.forge.forge_commands import without_calls, without_orders
from react_agent.parsers.repo.file_roles import is_of_tests
from react_agent.parsers.text.gist import bare, one_line
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.transcript.quoting import visible

WIDTH = 72
_TRAILER = LatePattern(r"(?i)(?:[\w-]+-(?:by|id|on|checks)|agent) *: *\S.*")
_IDENTIFIER = LatePattern(r"[^\W\d_][a-z]+(?:[-'’][a-z]+)*[,:;]?|[AaI]")
_KINDS = (  # the first is what is written where a history shows none
    *(("fix", "bugfix", "hotfix", "bug"), ("feat", "feature", "improvement")),
    *(("docs", "doc"), ("test", "tests"), ("build", "deps")),
    *(("refactor",), ("perf",), ("ci",), ("style",), ("chore",)),
)
_PAGES = frozenset({".md", ".rst", ".txt", ".adoc"})
_NEW = LatePattern(
    r"(?i)\W*(?:\w+: )?(?:add|support|allow|implement|introduce|provide|feature|enable|let|new)\b"
)
_NO_AREAS = frozenset({"src", "lib", "app", "source", "sources", "pkg", "packages", "internal"})
_NUMBER = LatePattern(r"#?\d+|[A-Z][A-Z0-9]+-\d+")


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
    text = _text(_unmarked(given.text, given.area, habit), habit)
    mark = _mark(_type(kind or given.type, habit, about), given.area, habit, about)
    return _cut(_ticket(habit.ticket, about) + mark, text)


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
    is_mark = not area or habit.form is not Form.PLAIN or area in habit.areas
    return text if is_mark else f"{area}: {text}"


def _text(text: str, habit: Habit) -> str:
    first = text.partition(" ")[0]
    if habit.case and _IDENTIFIER.fullmatch(first):
        start = first[0].upper() if habit.case is Case.UPPER else first[0].lower()
        text = start + text[1:]
    return text.rstrip(".") if not text.endswith("...") else text


def _ticket(written: str, about: About) -> str:
    """Only what the issue has."""
    if not written:
        return ""
    key = written.partition("{}")[0].lstrip("[(")
    if key[:-1].isupper() and key.endswith("-") and key.upper() not in ("GH-", "ISSUE-", "BPO-"):
        tickets = set(_tickets(key, about))
        return written.replace("{}", tickets.pop()) if len(tickets) == 1 else ""
    return written.replace("{}", str(about.number)) if about.number else ""


def _tickets(key: str, about: About) -> list[str]:
    for text in (about.title, about.text):
        if found := LatePattern(rf"(?<![\w-]){key}(\d+)(?![\w-])").findall(text):
            return found
    return []


def _type(said: str, habit: Habit, about: About) -> str:
    """What somebody called it, else what the files and the title say; as the others write it."""
    word, paths = said.strip().strip("`*.:").casefold(), about.paths
    if not any(word in kinds for kinds in _KINDS):
        word = "feat" if _NEW.match(about.title) else "fix"
        if paths and all(map(is_of_tests, paths)):
            word = "test"
        elif paths and all(PurePosixPath(path).suffix in _PAGES for path in paths):
            word = "docs"
    kinds = next(kinds for kinds in _KINDS if word in kinds)
    known = [one for one in habit.types if one.casefold() in kinds]
    if known:
        return max(known, key=habit.types.__getitem__)
    is_upper = habit.types and all(one[:1].isupper() for one in habit.types)
    return kinds[0].capitalize() if is_upper else kinds[0]


def _mark(word: str, given: str, habit: Habit, about: About) -> str:
    match habit.form:
        case Form.TYPED:
            scope = _area(about.paths, habit) if habit.has_scope else ""
            return f"{word}({scope}): " if scope else f"{word}: "
        case Form.AREA | Form.BRACKETED:
            area = given if given in habit.areas else ""
            area = area or _area(about.paths, habit) or _folder(about.paths)
            if not area:
                return ""
            return f"[{area}] " if habit.form is Form.BRACKETED else f"{area}: "
    return ""


def _area(paths: Sequence[str], habit: Habit) -> str:
    """What those called it who changed the same files, or files beside them."""
    meant = {path for path in paths if not is_of_tests(path)} or set(paths)
    folders = {PurePosixPath(path).parent for path in meant} - {PurePosixPath()}
    for is_near in (lambda path: path in meant, lambda path: PurePosixPath(path).parent in folders):
        near = {
            name: sum(map(is_near, paths))
            for name, paths in habit.areas.items()
            if not _NUMBER.fullmatch(name)
        }
        most = max(near.values(), default=0)
        best = [name for name, count in near.items() if count == most]
        if most and len(best) == 1:
            return best[0]
    return ""


def _folder(paths: Sequence[str]) -> str:
    """The folder that all are in, or the file."""
    meant = [PurePosixPath(path) for path in paths if not is_of_tests(path)]
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


def _resolves(habit: Habit, about: About) -> str:
    return habit.resolves.replace("{}", str(about.number)) if about.number else ""
