"""`react-agent procedures`, and the ones that come with the package."""

import subprocess
import sys
from pathlib import Path

import pytest
from check_rows import table_of

from react_agent.parsers.procedure_reader import read_procedure
from react_agent.parsers.procedure_writer import write_procedure
from react_agent.procedure.files import find_procedure, shipped
from react_agent.profile_file import shipped as shipped_profile

BAD = "procedure: mine\nstate: do\n  role one:\n    tools: grepp\n  next: end_state\n"


def procedures(*arguments: str) -> "subprocess.CompletedProcess[str]":
    start = [sys.executable, "-P", "-m", "react_agent", "procedures"]
    return subprocess.run([*start, *arguments], capture_output=True, text=True, check=False)


def test_lists_them() -> None:
    done = procedures()
    assert done.stdout == (
        "issue      locate -> reproduce -> change -> verify -> end_state\n"
        "review     work -> end_state\n"
    )


def test_shows_the_states_and_the_ways_between_them() -> None:
    lines = procedures("issue").stdout.split("\n")
    assert lines[0] == "issue: locate -> reproduce -> change -> verify -> end_state"
    assert "  0 -> stays, also when the judge can't be read" in lines
    assert "  2 -> end_state, also when its turns are used up" in lines
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            BAD,
            ":4: expected names of tools (`react-agent tools` lists them), found 'grepp'",
            id="tool",
        ),
        pytest.param("", ":1: expected `procedure: NAME` first, found 'nothing'", id="empty"),
        pytest.param("\x80", " is not text in UTF-8", id="no text"),
    ],
)
def test_says_what_is_wrong_in_a_file(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "mine.txt"
    file.write_bytes(text.encode("latin-1"))
    done = procedures(str(file))
    assert (done.returncode, done.stderr) == (2, f"react-agent: {file}{said}\n")


def test_a_name_that_there_is_not() -> None:
    done = procedures("nosuch")
    expected = "react-agent: no procedure 'nosuch': it is a file, or one of issue, review\n"
    assert (done.returncode, done.stderr) == (2, expected)


@table_of("name", shipped())
def test_what_is_shipped_is_whole(name: str) -> None:
    procedure = find_procedure(name)
    assert read_procedure(write_procedure(procedure)) == procedure
    assert shipped_profile(procedure.profile).name == procedure.profile
    assert procedure.name == name
