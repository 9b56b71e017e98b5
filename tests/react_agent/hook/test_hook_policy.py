"""What a person allows the hook, and what a day has used of it."""

from pathlib import Path

import pytest
from check_rows import table_of

from react_agent.errors import ConfigError
from react_agent.hook.policy import Policy, policy_of
from react_agent.hook.queue import Day, read_day, write_day


def test_each_has_a_setting() -> None:
    given = {"runs": "0", "seconds": "60", "check_seconds": "5", "block": "Yes"}
    assert policy_of(given) == Policy(runs=0, seconds=60, check_seconds=5, block=True)
    assert policy_of({}) == Policy()
    assert policy_of({"block": "on"}) == Policy(block=True)


@table_of(
    ("given", "line"),
    [
        (
            ("run", "1"),
            "no setting 'run' of the hook; there are runs, seconds, check_seconds, block",
        ),
        (("block", "2"), "block must be yes or no, not '2'"),
        (("runs", "-1"), "runs must be a whole number, not '-1'"),
        (("seconds", "1e3"), "seconds must be a whole number, not '1e3'"),
        (("check_seconds", "0"), "check_seconds must be a whole number from 1, not '0'"),
    ],
)
def test_a_mistake_is_said(given: tuple[str, str], line: str) -> None:
    with pytest.raises(ConfigError) as refused:
        policy_of(dict([given]))
    assert str(refused.value) == line


def test_a_day_begins_with_nothing_used(tmp_path: Path) -> None:
    file = tmp_path / "day"
    assert read_day(file, "2026-05-01") == Day("2026-05-01")
    write_day(file, Day("2026-05-01", 3, 20.4))
    assert read_day(file, "2026-05-01") == Day("2026-05-01", 3, 20)
    assert read_day(file, "2026-05-02") == Day("2026-05-02")
    file.write_text("runs=many")
    assert read_day(file, "2026-05-01") == Day("2026-05-01")
