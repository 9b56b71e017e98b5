"""A RUN that can't be read, found or worked on: one line, an exit code, nothing half-made."""

from pathlib import Path
from typing import Any

import pytest
from check_rows import table_of

SOLVE = ("solve", "an issue", "--repo", "repository", "--model", "replay/good.txt")
NO_RUN = "no run {!r}: name its folder, its transcript, or the start of its name"


@pytest.mark.parametrize("command", ["show", "resume", "replay", "inspect wishes"])
@table_of(
    ("run", "line"),
    [
        ("nosuch", NO_RUN.format("nosuch")),
        ("", NO_RUN.format("")),
        ("plain", NO_RUN.format("plain")),
        ("other.txt", "{0}/other.txt: a transcript of version 1; this program reads 2"),
        (
            "prose.txt",
            "{0}/prose.txt: line 1: expected `%% react-agent transcript: 2`, found '# An issue'",
        ),
    ],
)
def test_no_such_run(cli: Any, place: Path, command: str, run: str, line: str) -> None:
    assert cli.refused(*command.split(), run) == (2, line.format(cli.folder))


@table_of("command", ["show", "replay"])
def test_nothing_in_it(cli: Any, place: Path, command: str) -> None:
    code, line = cli.refused(command, "empty.txt")
    assert code == 2
    assert line.startswith(f"{cli.folder}/empty.txt ")


def test_a_folder_that_is_gone(cli: Any, place: Path) -> None:
    (place / "gone").mkdir()
    cli.folder = place / "gone"
    gone = 'rmdir "$PWD"; exec "$@"'
    answer = cli.run("show", "last", through=("sh", "-c", gone, "sh"))
    assert (answer.code, answer.err) == (3, "react-agent: the current folder no longer exists\n")


def test_the_repository_of_a_run_is_gone(cli: Any, place: Path) -> None:
    assert cli(*SOLVE, "--steps=1").code == 1
    (place / "repository").rename(place / "moved")
    line = f"there is no folder {place}/repository"
    for command in ("resume", "replay"):
        assert cli.refused(command, cli.runs[0].name) == (2, line)
    assert cli("replay", cli.runs[0].name, "--repo", "moved").code == 0


@pytest.mark.parametrize("name", ["home", "node_modules"])
def test_a_folder_that_no_run_made_is_not_worked_in(cli: Any, place: Path, name: str) -> None:
    assert cli(*SOLVE, "--steps=1").code == 1
    (place / name).mkdir()
    (place / name / "letter").write_text("mine")
    (cli.runs[0] / "transcript.txt").rename(place / "transcript.txt")
    line = f"{place}/{name} already exists: put transcript.txt into a new folder, and resume that"
    assert cli.refused("resume", "transcript.txt") == (2, line)
    assert (place / name / "letter").read_text() == "mine"


@table_of("option", ["--base-url", "--key"])
def test_an_address_without_its_model(cli: Any, place: Path, option: str) -> None:
    line = "--base-url and --key are for another model: name it with --model"
    assert cli.refused("resume", "good.txt", option, "http://localhost/v1") == (2, line)
