"""react-agent inspect profiles, and --profile FILE."""

from pathlib import Path
from typing import Any

import pytest
from check_rows import table_of

from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.profiles.profile_file import shipped, shipped_names
from react_agent.profiles.toolbox import registry_for
from react_agent.prompt.view import instructions
from react_agent.tools.context import Limits

OWN = """\
[profile]
based on = issue
summary = with [bold]care[/] and a summary that is longer than what a terminal of eighty columns has
[model qwen*]
more notes = Be brief.
[model qwen* budget]
steps = 12
"""


@pytest.fixture
def own(cli: Any) -> Path:
    folder = cli.settings("[react_agent]\nprofile = careful\nwithhold = run\n").with_name(
        "profiles"
    )
    folder.mkdir()
    (folder / "careful.cfg").write_text(OWN)
    (folder / "bad.cfg").write_text("[profile]\nbased on = issue\nguards = budget dog\n")
    return folder


def test_lists_them_all(cli: Any) -> None:
    lines = cli("inspect", "profiles").ends_well().split("\n")
    assert lines[:2] == ["Shipped:", "   name         tools  prompt  steps"]
    issue = shipped("issue")
    prompt = instructions(issue, registry_for(issue), Limits())
    assert f"*  issue            9  {estimate_tokens(prompt):>6}     40  {issue.summary}" in lines
    listed = [line.strip("* ").split()[0] for line in lines[2:-2]]
    assert listed == shipped_names()


def test_ones_own_and_a_bad_one(cli: Any, own: Path) -> None:
    answer = cli("inspect", "profiles", "--model", "openai/qwen3")
    assert answer.code == 0
    _, bad, mine, *_ = answer.out.partition(f"Yours, in {own}:\n")[2].split("\n")
    assert f"profile {own}/bad.cfg, line 3: " in bad
    assert mine.startswith("*  careful      8     ")
    assert "     12  with [bold]care[/] and" in mine


def test_shows_the_prompt(cli: Any, own: Path) -> None:
    out = cli("inspect", "profiles", "careful", "--model", "qwen3").out
    assert out.startswith("careful: 8 tools, a prompt of about ")
    one = cli("inspect", "profiles", "single-shot").out
    assert one.startswith("single-shot: 1 tool, a prompt of about ")
    assert "The prompt, for qwen3:\n\n    You are a careful software engineer." in out
    assert "    Be brief.\n\n    Begin!\n" in out
    assert "(A run also describes the repository: environment, issue.)" in out


@table_of(
    ("name", "line"),
    [
        ("nosuch", "there is no profile 'nosuch'"),
        ("./file", "profile {here}/file, line 1: expected [SECTION] or NAME = VALUE, found "),
    ],
)
def test_what_can_not_be_shown_is_one_line(cli: Any, place: Path, name: str, line: str) -> None:
    code, said = cli.refused("inspect", "profiles", name)
    assert (code, said[: len(line.format(here=place))]) == (2, line.format(here=place))


def test_a_file_for_a_run_and_for_tools(cli: Any, repository: Path) -> None:
    (cli.folder / "mine.cfg").write_text(OWN.replace("summary =", "tools = list_files\nsummary ="))
    model = cli.record(("list_files", ""))
    assert cli.solve("do it", model, "--profile", "mine.cfg").code == 1
    text = (cli.runs[0] / "transcript.txt").read_text()
    assert "%% profile: mine\n" in text
    assert f"%% profile file: {cli.folder}/mine.cfg\n%% profile text: [profile]\n" in text
    offered = cli("inspect", "tools", "--profile", "mine.cfg").out.split("\n")
    assert [line.split()[0] for line in offered[1:3]] == ["list_files", "Hidden:"]
    (cli.folder / "mine.cfg").unlink()
    answer = cli("replay", cli.runs[0].name)
    assert (answer.code, answer.out.endswith("every prompt as recorded\n")) == (0, True)
