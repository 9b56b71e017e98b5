from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.repo.git_diff import read_name, write_name


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_reads_back_what_it_writes(name: str) -> None:
    assert read_name(write_name(name)) == name
