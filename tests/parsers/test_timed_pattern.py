import pytest
from check_rows import table_of

from react_agent.parsers.text.late_pattern import PatternError, TimedPattern

LONG = "a" * 60 + "!"


@table_of(
    ("source", "problem"),
    [
        pytest.param("(", "can't be read: missing ) at position 1", id="no pattern"),
        pytest.param("a{9999999999}", "can't be read: repeat count too big", id="too often"),
        pytest.param("(" * 3000 + ")" * 3000, "can't be read: maximum recursion", id="too deep"),
        pytest.param("a" * 10_001, "is longer than 10,000 characters", id="too long"),
        pytest.param("(a|aa)+$", "takes too long", id="explodes"),
    ],
)
def test_says_in_one_line_why_not(source: str, problem: str) -> None:
    with pytest.raises(PatternError) as caught:
        TimedPattern(source).find(LONG, 0.2)
    assert f"the pattern {source[:60]!r} {problem}" in str(caught.value)
    assert "\n" not in str(caught.value)
