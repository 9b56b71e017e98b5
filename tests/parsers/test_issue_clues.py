"""What an issue points to."""

from react_agent.parsers.issue.clues import clues_of


def test_no_more_frames_than_anybody_reads() -> None:
    assert len(clues_of("\n".join(f"a.py:{line}" for line in range(3_000))).frames) == 2_000
