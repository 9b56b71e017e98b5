"""What an issue points to."""

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.issue.clues import clues_of


def test_no_more_frames_than_anybody_reads() -> None:
    assert len(clues_of("\n".join(f"a.py:{line}" for line in range(3_000))).frames) == 2_000


@given(st.text(alphabet='`$~>/\\.:-_aB1# \n()"', max_size=80))
def test_reads_anything(text: str) -> None:
    assert all(one.text in text.replace("\\", "/") for one in clues_of(text).names)
