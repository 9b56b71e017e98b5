"""Lessons: a line each, that a person may edit."""

import pytest
from check_rows import table_of

from react_agent.parsers.lessons import About, Lesson, read_lessons, write_lessons

PLAIN = Lesson(About.COMMAND, "make test")
FULL = Lesson(
    About.PLACE,
    "for “100 %% off”, the change was in a,b.py",
    "2026-05-01-fix",
    "2026-05-01",
    {"a,b.py": ("f" * 40, "e" * 40), "c:d.py": ("",)},
)


def test_what_is_written_is_read() -> None:
    assert read_lessons(write_lessons([PLAIN, FULL])) == (PLAIN, FULL)


def test_a_lesson_is_one_line() -> None:
    [read] = read_lessons(write_lessons([Lesson(About.DEAD_END, "one\ncommand: two\x1b[2J")]))
    assert read.text == "one command: two<U+001B>[2J"


@table_of("line", ["", "# a remark", "rumour: it works", "command:", "command:  "])
def test_what_is_no_lesson_is_skipped(line: str) -> None:
    assert read_lessons(f"{line}\ncommand: make test\n") == (PLAIN,)


@table_of(
    ("contents", "holds"),
    [
        pytest.param({"a": "1"}, True, id="as it was before"),
        pytest.param({"a": "2", "b": "9"}, True, id="as it was after"),
        pytest.param({"a": "3"}, False, id="changed since"),
        pytest.param({}, False, id="gone"),
    ],
)
def test_holds_while_its_files_are_as_they_were(contents: dict[str, str], holds: bool) -> None:
    assert Lesson(About.PLACE, "x", files={"a": ("1", "2")}).holds(contents) is holds


def test_what_rests_on_no_file_holds() -> None:
    assert PLAIN.holds({})
