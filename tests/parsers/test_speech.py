"""What a role said, without the marks of a script."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.answers.speech import process, read_name, read_number


@table_of(
    ("text", "said"),
    [
        pytest.param("Ann: It is done.", "It is done.", id="name"),
        pytest.param("Ann:", "Ann:", id="nothing would be left"),
        pytest.param("Done.\nBob: thanks\nAnn: more", "Done.", id="another speaker"),
        pytest.param("Bob: thanks\nAnn: yes", "Bob: thanks\nAnn: yes", id="another one first"),
        pytest.param("Log:\n```\nBob: x\n```\nok", "Log:\n```\nBob: x\n```\nok", id="in a fence"),
    ],
)
def test_takes_away_what_leads(text: str, said: str) -> None:
    assert process(text, ("Ann", "author"), ("Ann", "author", "Bob", "reviewer")) == said


@given(st.text(), st.lists(st.text(max_size=5), max_size=3))
def test_never_leaves_nothing_of_something(text: str, names: list[str]) -> None:
    assert bool(process(text, names, names)) == bool(text.strip())


@table_of(
    ("answer", "number"),
    [
        ("I have seen 3 files.\nNext: 1", 1),
        ("3 files are named.\n\n1", 1),
        ("0? no. <end>1</end>", 1),
        ("7", None),
        ("1.5", None),
    ],
)
def test_reads_a_number(answer: str, number: int | None) -> None:
    assert read_number(answer, 2) == number


@table_of(("answer", "name"), [("It is Bob's turn", "Bob"), ("Ann or Bob", None)])
def test_reads_a_name(answer: str, name: str | None) -> None:
    assert read_name(answer, ("Ann", "Bob")) == name
