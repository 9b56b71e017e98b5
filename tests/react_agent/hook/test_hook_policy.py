"""What a day has used of what a person allows the hook."""

from pathlib import Path

from react_agent.hook.queue import Day, read_day, write_day


def test_a_day_begins_with_nothing_used(tmp_path: Path) -> None:
    file = tmp_path / "day"
    assert read_day(file, "2026-05-01") == Day("2026-05-01")
    write_day(file, Day("2026-05-01", 3, 20.4))
    assert read_day(file, "2026-05-01") == Day("2026-05-01", 3, 20)
    assert read_day(file, "2026-05-02") == Day("2026-05-02")
    file.write_text("runs=many")
    assert read_day(file, "2026-05-01") == Day("2026-05-01")
