from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.repo.git_diff import read_name, write_name


def test_reads_a_name() -> None:
    assert read_name('"a/\\303\\244.py"') == "a/ä.py"
    assert read_name('"ü\\n"') == "ü\n"
    assert read_name('"') == '"'
    assert read_name('"\\8\\²\\400\ud800"') == "8²\0\ud800"  # which git writes nowhere


@table_of(
    ("name", "text"),
    [
        ("a b.py", "a b.py"),
        ('tab\tquote"', '"tab\\tquote\\""'),
        ("back\\slash", '"back\\\\slash"'),
        ("bell\a, delete\x7f", '"bell\\a, delete\\177"'),
    ],
)
def test_writes_as_git_does(name: str, text: str) -> None:
    """As it does with core.quotePath=false: letters of all scripts stay readable."""
    assert write_name(name) == text


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_reads_back_what_it_writes(name: str) -> None:
    assert read_name(write_name(name)) == name
