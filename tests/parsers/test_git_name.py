import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.git_name import read_name, write_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("src/x.py", "src/x.py"),
        ('"a/\\303\\244.py"', "a/ä.py"),
        ('"tab\\tquote\\""', 'tab\tquote"'),
        ('"ü\\n"', "ü\n"),
        ('"', '"'),
    ],
)
def test_reads_a_name(text: str, name: str) -> None:
    assert read_name(text) == name


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_reads_back_what_it_writes(name: str) -> None:
    assert read_name(write_name(name)) == name
