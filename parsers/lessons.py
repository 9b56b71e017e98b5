"""What a run learned about a repository, a line each: one may read them, mend them, take them out.

`command: make test %% run=2026-11-20-fix at=2026-11-20 files=Makefile:3f2a...`: it holds as long as
each of these files has one of the contents that it had then.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from react_agent.parsers.facts import read_facts, read_list, write_facts, write_list
from react_agent.parsers.quoting import escape

_FACTS = " %% "


class About(StrEnum):
    COMMAND = "command"  # it worked
    NO_COMMAND = "no command"  # it did not, and was not expected to fail
    PLACE = "place"
    DEAD_END = "dead end"


@dataclass(frozen=True, slots=True)
class Lesson:
    about: About
    text: str  # one line
    run: str = ""
    at: str = ""  # the day
    files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # contents, by git's names

    def holds(self, contents: Mapping[str, str]) -> bool:
        """A file that is not there has no content."""
        return all(contents.get(path, "") in known for path, known in self.files.items())


def read_lessons(text: str) -> tuple[Lesson, ...]:
    """A line that is none is a remark, and skipped."""
    return tuple(filter(None, map(_read, text.split("\n"))))


def write_lessons(lessons: Iterable[Lesson]) -> str:
    return "".join(f"{_written(lesson)}\n" for lesson in lessons)


def _written(lesson: Lesson) -> str:
    files = write_list(f"{path}:{'+'.join(known)}" for path, known in lesson.files.items())
    facts = {"run": lesson.run, "at": lesson.at, "files": files}
    kept = write_facts({name: value for name, value in facts.items() if value})
    return f"{lesson.about}: {escape(' '.join(lesson.text.split()))}{_FACTS}{kept}"


def _read(line: str) -> Lesson | None:
    head, _, written = line.rpartition(_FACTS) if _FACTS in line else (line, "", "")
    word, colon, text = head.partition(": ")
    if not colon or word not in tuple(About) or not text.strip():
        return None
    facts = read_facts(written)
    parts = (member.rpartition(":") for member in read_list(facts.get("files", "")))
    files = {path: tuple(known.split("+")) for path, _, known in parts if path}
    return Lesson(About(word), text.strip(), facts.get("run", ""), facts.get("at", ""), files)
