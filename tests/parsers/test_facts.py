import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.transcript.facts import read_facts, read_list, write_facts, write_list

names = st.text("abcdefgh_", min_size=1)
values = st.text() | st.text("% ,=\n2CA05", max_size=8)


@table_of(
    ("facts", "written"),
    [
        pytest.param({}, "", id="none"),
        pytest.param({"n": "3", "in": "12"}, "n=3 in=12", id="words"),
        pytest.param({"a": ""}, "a=", id="empty value"),
        pytest.param({"a": "b=c"}, "a=b=c", id="equals"),
        pytest.param({"a": "b c=d"}, "a=b%20c=d", id="a value that would be a fact"),
        pytest.param({"a": "b\nc"}, "a=b%0Ac", id="line end"),
        pytest.param({"a": "100%"}, "a=100%25", id="percent"),
        pytest.param({"paths": write_list(["a,b", "c d"])}, "paths=a%252Cb,c%20d", id="list"),
    ],
)
def test_facts_are_words(facts: dict[str, str], written: str) -> None:
    assert (write_facts(facts), read_facts(written)) == (written, facts)


@table_of(
    ("text", "facts"),
    [
        pytest.param("at noon n=3  , x", {"n": "3"}, id="words for people"),
        pytest.param("n=1 n=2", {"n": "2"}, id="the last counts"),
        pytest.param("n=%2 %", {"n": "%2"}, id="no escape"),
    ],
)
def test_skips_what_is_no_fact(text: str, facts: dict[str, str]) -> None:
    assert read_facts(text) == facts


@table_of(
    ("members", "written"),
    [
        pytest.param((), "", id="none"),
        pytest.param(("a.py",), "a.py", id="one"),
        pytest.param(("a.py", "b.py"), "a.py,b.py", id="two"),
        pytest.param(("a,b", "c%2C"), "a%2Cb,c%252C", id="commas"),
    ],
)
def test_lists_are_joined_by_commas(members: tuple[str, ...], written: str) -> None:
    assert (write_list(members), read_list(written)) == (written, members)


@given(st.dictionaries(names, values))
def test_reads_the_facts_it_writes(facts: dict[str, str]) -> None:
    assert read_facts(write_facts(facts)) == facts


@given(st.lists(values.filter(bool)).map(tuple))
def test_reads_the_list_it_writes(members: tuple[str, ...]) -> None:
    assert read_list(write_list(members)) == members
    assert read_facts(write_facts({"x": write_list(members)})) == {"x": write_list(members)}
