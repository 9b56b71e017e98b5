"""`react-agent fork`: a run of its own, from a step of another one."""

import re
from pathlib import Path
from typing import Any

import pytest
from title_patch import TITLE_PATCH


@pytest.fixture
def old(cli: Any, repository: Path) -> str:
    """A run of three steps."""
    model = cli.record(("list_files", ""), ("apply_patch", TITLE_PATCH), ("grep", "LONG"))
    assert cli.solve("Mend it", model).code == 0
    [run] = cli.runs
    return str(run.name)


def numbered(cli: Any, run: str) -> list[str]:
    """The lines of ours that name steps, without how long their prompts were."""
    lines = [line for line in cli("show", run).out.split("\n") if line.startswith("%% step")]
    return [re.sub(", prompt of [0-9,]+ tokens", "", line) for line in lines]


def test_a_fork_goes_on_to_a_branch_of_its_own(cli: Any, old: str) -> None:
    told = cli("fork", old, "--at", "2", "--say", "and no more").ends_well()
    [new] = [run.name for run in cli.runs if run.name != old]
    assert f"\ntranscript {cli.runs[0].parent}/{new}/transcript.txt\n" in told
    assert len(cli.git("branch", "--list", "react-agent/*").split()) == 2
    shown = cli("show", new).out
    assert f"%% forked: run={old} at=2\n" in shown
    assert "\n\n%% from the maintainer: and no more\n" in shown.partition("%% step 3")[0]
    before = cli.runs
    [transcript] = [run / "transcript.txt" for run in before if run.name == old]
    header, objective, rest = transcript.read_text().partition("Objective:")
    target = "%% target: into=main branch=react-agent/it"
    transcript.write_text(f"{header}{target} way=pull\n{objective}{rest}")
    assert cli("fork", old, "--at", "2").code == 0
    [forked] = [run for run in cli.runs if run not in before]
    assert f"\n{target}\n" in (forked / "transcript.txt").read_text()  # a person sends it
    assert numbered(cli, old) == ["%% step 1", "%% step 2", "%% step 3", "%% step 4"]
    with transcript.open("a") as file:
        file.write("%% retracted: steps=2-3 by=me\n")
    assert numbered(cli, old)[1:] == [
        "%% step 2, taken back later",
        "%% step 3, taken back later",
        "%% step 4",
        "%% steps 2-3 taken back",
    ]


REFUSED: dict[tuple[str, ...], str] = {
    ("--at", "4"): "the run {0} has 3 steps: --at is a number from 0 to 3, not 4",
    ("--at", "two"): "--at must be a whole number from 0 to 1000000, not 'two'",
    ("--at", "-1"): "--at must be a whole number from 0 to 1000000, not '-1'",
    ("--at", "9" * 30): f"--at must be a whole number from 0 to 1000000, not '{'9' * 30}'",
    (): "Missing option '--at' (see react-agent fork --help)",
    ("--at=1", "--say= "): "--say is empty: write what the model should know",
    ("--at=1", "--repo=nosuch"): "there is no folder nosuch",
    ("--at=1", "--model=replay/"): "no model 'replay/'; write replay/FILE",
    ("--at=1", "--steps=x"): "--steps must be a whole number from 1, not 'x'",
}


def test_refused(cli: Any, old: str) -> None:
    answers = {arguments: cli.refused("fork", old, *arguments) for arguments in REFUSED}
    assert answers == {arguments: (2, line.format(old)) for arguments, line in REFUSED.items()}


def test_no_such_run(cli: Any, place: Path) -> None:
    line = "no run 'nosuch': name its folder, its transcript, or the start of its name"
    assert cli.refused("fork", "nosuch", "--at", "1") == (2, line)
    for name in ("other.txt", "prose.txt", "empty.txt", "silent.txt"):
        code, _ = cli.refused("fork", name, "--at", "0")
        assert code == 2
