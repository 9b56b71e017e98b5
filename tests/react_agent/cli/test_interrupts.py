"""Interrupted, killed, out of room, unwatched: a run keeps what it has, and can be taken up."""

import errno
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from title_patch import TITLE_PATCH
from waiting import see

from react_agent.parsers.transcript.entries import Event, Reading
from react_agent.state import transcript as transcripts

pytestmark = pytest.mark.slow  # all of them together

ISSUE = "The title is in lower case"
GO_ON = "nothing is lost: continue with react-agent resume"


@pytest.fixture
def waits(cli: Any, repository: Path) -> Path:
    """A model that changes a file and then waits for another one to appear."""
    wait = f"touch {cli.folder}/waits; until [ -e {cli.folder}/go ]; do sleep 0.02; done"
    path: Path = cli.record(("apply_patch", TITLE_PATCH), ("run", wait))
    return path


def started(cli: Any, model: Path) -> "subprocess.Popen[str]":
    process: subprocess.Popen[str] = cli.start(
        "solve", ISSUE, "--repo", "repository", "--model", f"replay/{model}"
    )
    see(lambda: (cli.folder / "waits").exists() or process.poll() is not None)
    assert process.poll() is None, process.communicate()
    return process


def reading(cli: Any) -> Reading:
    [run] = cli.runs
    return transcripts.read(run / "transcript.txt")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_run_whole(cli: Any, waits: Path, number: signal.Signals) -> None:
    process = started(cli, waits)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    [run] = cli.runs
    assert (process.returncode, err) == (130, "react-agent: interrupted\n")
    assert "\noutcome    interrupted: by the keyboard, a signal or closed output\n" in out
    assert f"\nto go on   react-agent resume {run.name}\n" in out
    assert (run / "workspace" / "README.md").read_text().startswith("# Stopwatch\n")
    assert reading(cli).torn == ""
    assert (
        Event("stop", "interrupted by the keyboard, a signal or closed output")
        in reading(cli).entries
    )
    assert cli.git("branch", "--list", "react-agent/*") == ""


def test_one_process_a_run(cli: Any, waits: Path) -> None:
    process = started(cli, waits)
    [run] = cli.runs
    second = cli("resume", run.name)
    line = f"react-agent: another process is working on the run {run}\n"
    assert (second.code, second.err) == (2, line)
    assert "Action: apply_patch\n" in cli("show", run.name).out
    (cli.folder / "go").touch()
    process.communicate(timeout=30)
    assert process.returncode == 0


def test_nohup_is_heeded(cli: Any, waits: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        process = started(cli, waits)
    finally:
        signal.signal(signal.SIGHUP, before)
    process.send_signal(signal.SIGHUP)
    (cli.folder / "go").touch()
    process.communicate(timeout=30)
    assert process.returncode == 0


def test_a_run_that_nobody_reads_any_more_is_interrupted(cli: Any, waits: Path) -> None:
    with started(cli, waits) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        (cli.folder / "go").touch()
        assert process.stderr.read() == "react-agent: interrupted\n"
        assert process.wait(30) == 130
    assert reading(cli).torn == ""
    assert cli("resume", cli.runs[0].name).code == 0


def test_no_room_for_the_transcript(cli: Any, repository: Path) -> None:
    model = cli.record(("apply_patch", TITLE_PATCH), *[("grep", letter) for letter in "aeioursnt"])
    arguments = ("solve", ISSUE, "--repo", "repository", "--model", f"replay/{model}")
    small_files = ("sh", "-c", 'ulimit -f 18; exec "$@"', "sh")
    failed = cli.run(*arguments, through=small_files)
    [run] = cli.runs
    line = f"can't write {run}/transcript.txt: {os.strerror(errno.EFBIG)}"
    assert (failed.code, failed.err) == (3, f"react-agent: {line}; {GO_ON} {run.name}\n")
    assert reading(cli).torn == ""
    assert cli.git("branch", "--list", "react-agent/*") == ""
    cli("resume", run.name).ends_well()
    again = cli.run("replay", run.name, through=small_files)  # its folder goes
    assert (again.code, again.err.count("\n"), GO_ON in again.err) == (3, 1, False)
