"""What a Conclusion answers to the threads of a review, in the ways that models write it."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.answers.labelled import read_answers, write_answers


@table_of(
    ("conclusion", "count", "expected"),
    [
        pytest.param(
            "Thread 1: done\nThread 2: not done: it is used",
            2,
            {1: "done", 2: "not done: it is used"},
            id="as asked",
        ),
        pytest.param(
            "Both are done.\n\n- **Thread 1:** renamed\n- **Thread 2**: a test\n\nTests pass.",
            2,
            {1: "renamed", 2: "a test"},
            id="bold, in a list, prose around",
        ),
        pytest.param("### Thread #1\n", 1, {1: "### Thread #1"}, id="a heading says nothing"),
        pytest.param("thread 2 - kept", 3, {2: "kept"}, id="lower case, a dash, one of three"),
        pytest.param("Thread 1:\nrenamed it\nin both files", 1, {1: "renamed it\nin both files"}),
        pytest.param("1. renamed\n2) a test", 2, {1: "renamed", 2: "a test"}, id="bare numbers"),
        pytest.param("I changed\n1. a.py\n2. b.py\n3. c.py", 2, {}, id="a list of something else"),
        pytest.param("I changed\n1. a.py", 2, {}, id="a shorter one"),
        pytest.param("Renamed, and a test.", 1, {1: "Renamed, and a test."}, id="one thread: all"),
        pytest.param("Renamed.", 2, {}, id="prose, two threads"),
        pytest.param("Thread 7: done\nThread 1: x", 2, {1: "x"}, id="one that there is not"),
        pytest.param("Thread 1: a\nThread 1: b", 1, {1: "a"}, id="twice: the first"),
        pytest.param("", 1, {}, id="nothing"),
    ],
)
def test_reads_answers(conclusion: str, count: int, expected: dict[int, str]) -> None:
    assert read_answers(conclusion, count) == expected


_LINE = st.text("ab .,", min_size=1).map(str.strip).filter(bool)


@given(st.dictionaries(st.integers(1, 9), _LINE, min_size=1))
def test_reads_back_what_it_writes(answers: dict[int, str]) -> None:
    assert read_answers(write_answers(answers), 9) == answers


@given(st.text(), st.integers(1, 5))
def test_any_text_has_answers_or_none(text: str, count: int) -> None:
    assert set(read_answers(text, count)) <= set(range(1, count + 1))
