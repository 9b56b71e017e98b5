"""react-agent eval run, and eval resume."""

import fcntl
import os
from contextlib import closing
from pathlib import Path

import pytest

from react_agent.cli.main import main
from react_agent.eval.sets.issue_set import read_set
from react_agent.eval.store import store as stores
from react_agent.eval.task import Arm

ROW = (
    '{"instance_id": "o__r-1", "repo": "o/r", "base_commit": "%s", "problem_statement": "x",'
    ' "patch": "", "test_patch": "", "FAIL_TO_PASS": ["test_it"], "PASS_TO_PASS": []}\n'
) % ("0" * 40)
REPLAY = ("--model", "replay/{id}.txt")


@pytest.fixture
def issues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "set.jsonl").write_text(ROW)
    return tmp_path


def _ran(*words: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(["eval", *words])
    assert isinstance(left.value.code, int)
    return left.value.code


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(
            (*REPLAY, "--repositories", "gone"),
            "there is no folder {here}/gone of repositories",
            id="repositories",
        ),
        pytest.param(
            (*REPLAY, "--sandbox", "bogus"),
            "--sandbox is auto, bubblewrap, landlock, docker:IMAGE, "
            "podman:IMAGE or none, not 'bogus'",
            id="sandbox",
        ),
        pytest.param(
            (),
            "no model: name one with --model, or in the settings file",
            id="no model",
        ),
        pytest.param(
            (*REPLAY, "--tries", "0"),
            "--tries is a whole number from 1 to 100, not '0'",
            id="tries",
        ),
        pytest.param(
            (*REPLAY, "--workers", "many"),
            "--workers is a whole number from 1 to 1000, not 'many'",
            id="workers",
        ),
        pytest.param(
            (*REPLAY, "--budget-usd", "-1"),
            "--budget-usd is an amount above 0, not '-1'",
            id="money",
        ),
        pytest.param((*REPLAY, "--only", "x"), "there is no x in set.jsonl", id="only"),
        pytest.param(
            (*REPLAY, "--cluster", "local:no"),
            "--cluster local:N wants a number of workers, not 'no'",
            id="cluster",
        ),
    ],
)
def test_what_cannot_be_is_one_line(
    issues: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], expected: str
) -> None:
    assert _ran("run", "set.jsonl", *words, "--out", "exp") in (2, 3)
    assert capsys.readouterr().err == f"react-agent: {expected.format(here=issues)}\n"
    assert not Path("exp").exists()


def test_a_set_that_is_not_there_is_told_first(
    issues: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _ran("run", "gone.jsonl") == 2
    assert capsys.readouterr().err.startswith("react-agent: there is no set gone.jsonl; ")


def test_without_a_command_there_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert _ran() == 2
    assert capsys.readouterr().out.startswith("Usage: react-agent eval [OPTIONS] COMMAND")
    assert _ran("run") == 2
    assert capsys.readouterr().err == (
        "react-agent: Missing argument 'SET'. (see react-agent eval run --help)\n"
    )


def test_an_endpoint_without_a_key_is_told_before_anything_is_made(
    issues: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _ran("run", "set.jsonl", "--model", "openai/any", "--out", "exp") == 2
    assert "OPENAI_API_KEY" in capsys.readouterr().err
    assert not Path("exp").exists()


def test_two_coordinators_are_one_too_many(
    issues: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stores.create(issues / "exp", {}, read_set("set.jsonl"), [Arm("replay/any")], 1).close()
    held = os.open(issues / "exp/lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(held, fcntl.LOCK_EX)
    assert _ran("resume", "exp") == 2
    os.close(held)
    said = capsys.readouterr()
    assert (said.out, said.err) == (
        "",
        f"react-agent: another process is working on the experiment {issues / 'exp'}\n",
    )


@pytest.mark.slow
def test_runs_stops_at_a_budget_and_goes_on(
    issues: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = ("run", "bundled", "--limit", "3", "--workers", "1", "--out", "exp")
    assert _ran(*run, "--budget-usd", "1") == 1
    first = capsys.readouterr().out.splitlines()
    assert first[:2] == [f"experiment: {issues / 'exp'}", "3 attempts, 3 to do"]
    assert first[-2] == (
        "stopped: no price is known for the model, so that a budget in $ can't be kept; "
        f"go on: react-agent eval resume {issues / 'exp'}"
    )
    assert _ran("resume", "exp") == 1  # by the same budget
    assert capsys.readouterr().out.splitlines()[1] == "3 attempts, 2 to do"
    with closing(stores.open(issues / "exp")) as store, store.database.transaction():
        store.database.connection.execute("DELETE FROM about WHERE name = 'budget_usd'")
    assert _ran("resume", "exp") == 0
    again = capsys.readouterr().out.splitlines()
    assert again[-2].startswith("3/3 done  3 resolved  ")
    assert again[-1] == f"read it: react-agent eval report {issues / 'exp'}"
    assert _ran("resume", "exp") == 0
    assert capsys.readouterr().out.splitlines()[1] == "3 attempts, 0 to do"


@pytest.mark.slow
def test_what_surrounds_the_model_is_left_to_be_tried_again(
    issues: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _ran("run", "set.jsonl", *REPLAY, "--out", "exp") == 1
    said = capsys.readouterr().out.splitlines()
    assert said[2].startswith("1/1  o__r-1 plain 1: env_failed, no such repository or commit")
    assert said[-2] == (
        "1 attempt not counted: the endpoint, the machine or react-agent failed; "
        f"again: react-agent eval resume {issues / 'exp'}"
    )
