"""What a role said, without the marks of a script."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.answers.speech import process, read_name, read_number


@table_of(
    ("text", "said"),
    [
        pytest.param("It is done.", "It is done.", id="plain"),
        pytest.param("Ann: It is done.", "It is done.", id="name"),
        pytest.param("ann: Ann: It is done.", "It is done.", id="twice, in another case"),
        pytest.param("author: It is done.", "It is done.", id="role"),
        pytest.param("**Ann:** It is done.", "It is done.", id="bold"),
        pytest.param("**Ann**: It is done.", "It is done.", id="bold without the colon"),
        pytest.param("Ann： It is done.", "It is done.", id="full width"),
        pytest.param("[Ann]: It is done.", "It is done.", id="brackets"),
        pytest.param("Ann (author): It is done.", "It is done.", id="with the role"),
        pytest.param("I wrote “Ann: done” there.", "I wrote “Ann: done” there.", id="quoted"),
        pytest.param("One.\nAnn: two.", "One.\nAnn: two.", id="its own name further down"),
        pytest.param("Anna: done", "Anna: done", id="another name that begins so"),
        pytest.param("Ann:", "Ann:", id="nothing would be left"),
        pytest.param("Done.\nBob: thanks\nAnn: more", "Done.", id="another speaker"),
        pytest.param("Done.\n**Bob**: thanks", "Done.", id="another speaker in bold"),
        pytest.param("Bob: thanks\nAnn: yes", "Bob: thanks\nAnn: yes", id="another one first"),
        pytest.param("Tell Bob: done.\n- Bob: x", "Tell Bob: done.\n- Bob: x", id="not at a start"),
        pytest.param("Log:\n```\nBob: x\n```\nok", "Log:\n```\nBob: x\n```\nok", id="in a fence"),
        pytest.param("Done.\nCarl: hi", "Done.\nCarl: hi", id="nobody"),
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
        ("1", 1),
        (" **1**.", 1),
        ("Next: 1", 1),
        ("Next state: 0", 0),
        ("I have seen 3 files.\nNext: 1", 1),
        ("3 files are named.\n\n1", 1),
        ("<end>1</end>", 1),
        ("0? no. <end>1</end>", 1),
        ("<think>is it 0?</think>1", 1),
        ("it is 1", 1),
        ("0 or 1", None),
        ("7", None),
        ("12", None),
        ("1.5", None),
        ("yes", None),
        ("", None),
    ],
)
def test_reads_a_number(answer: str, number: int | None) -> None:
    assert read_number(answer, 2) == number


@table_of(
    ("answer", "name"),
    [
        ("bob", "Bob"),
        ("Next: **Bob**.", "Bob"),
        ("<end>Ann</end>", "Ann"),
        ("It is Bob's turn", "Bob"),
        ("Ann or Bob", None),
        ("Bobby", None),
        ("", None),
    ],
)
def test_reads_a_name(answer: str, name: str | None) -> None:
    assert read_name(answer, ("Ann", "Bob")) == name
