"""What a day has used of what a person allows the hook, and which files a push is checked for."""

from pathlib import Path
from typing import Any

import pytest

from react_agent.hook.queue import Day, read_day, write_day
from react_agent.hook.worker import failures
from react_agent.parsers.transcript.hook_files import Push


def test_a_day_begins_with_nothing_used(tmp_path: Path) -> None:
    file = tmp_path / "day"
    assert read_day(file, "2026-05-01") == Day("2026-05-01")
    write_day(file, Day("2026-05-01", 3, 20.4))
    assert read_day(file, "2026-05-01") == Day("2026-05-01", 3, 20)
    assert read_day(file, "2026-05-02") == Day("2026-05-02")
    file.write_text("runs=many")
    assert read_day(file, "2026-05-01") == Day("2026-05-01")


@pytest.mark.parametrize(
    ("old", "new", "checked"),
    [
        pytest.param("HEAD~1", "HEAD", ["b.py"], id="more on a branch"),
        pytest.param("0" * 40, "HEAD", ["b.py"], id="a new branch"),
        pytest.param("0" * 40, "HEAD~1", [".react-agent.cfg", "a.py"], id="its only commit"),
        pytest.param("1" * 40, "HEAD", ["b.py"], id="onto a commit that is not here"),
    ],
)
def test_the_files_of_a_push_are_checked(
    hooked: Any, desk: Any, old: str, new: str, checked: list[str]
) -> None:
    files = (".react-agent.cfg", "[react_agent]\nlint = false {path}\n"), ("a.py", ""), ("b.py", "")
    for name, text in files:
        (hooked.repository / name).write_text(text)
        hooked.git("add", name)
        hooked.commit(name, *(["--amend"] if name != "b.py" else []))
    commits = (one if one.isdecimal() else hooked.git("rev-parse", one) for one in (old, new))
    found = failures(hooked.repository, Push(*commits, "refs/heads/x"), desk.around(), 60)
    assert [one.command for one in found] == [f"false {name}" for name in checked]


def test_a_file_is_not_taken_for_an_option(hooked: Any, desk: Any) -> None:
    files = {".react-agent.cfg": "[react_agent]\nlint = false {path}\n", "-n.py": ""}
    for name, text in files.items():
        (hooked.repository / name).write_text(text)
        hooked.git("add", "--", name)
        hooked.commit(name)
    push = Push("0" * 40, hooked.git("rev-parse", "HEAD"), "refs/heads/x")
    [found] = failures(hooked.repository, push, desk.around(), 60)
    assert found.command == "false ./-n.py"
