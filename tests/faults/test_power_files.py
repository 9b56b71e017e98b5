"""What is synced when, and what is read of a file whose end was not."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from by_hand import program

from react_agent.errors import MachineError
from react_agent.parsers.transcript.entries import Event, Objective, Said
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.state import transcript as transcripts
from react_agent.state.transcript import uninterrupted
from react_agent.tools.disk import write_over
from react_agent.tools.git.door import Git
from react_agent.tools.git.repository import cut, find_base, give
from react_agent.tools.shell.this_process import end_like_ctrl_c

SAID = Said(Turn(Kind.ACTION, "look", "grep", "x"), facts={"n": "1", "in": "7"})
GIT = """#!/bin/sh
export GIT_TRACE2_EVENT={log}
exec {git} "$@"
"""


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that have been, in their order."""
    found, fsync = list[str](), os.fsync

    def note(descriptor: int) -> None:
        fsync(descriptor)
        found.append(Path(f"/proc/self/fd/{descriptor}").readlink().name)

    monkeypatch.setattr(os, "fsync", note)
    return found


@pytest.fixture
def as_ctrl_c() -> Iterator[None]:
    """As the command line has it."""
    numbers = (signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    end_like_ctrl_c(*(number.name for number in numbers))
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


def begun(folder: Path) -> Path:
    path = folder / "run" / transcripts.NAME
    path.parent.mkdir(parents=True)
    transcripts.create(path, (Objective("do it"),)).close()
    return path


def test_a_run_that_has_begun_is_there(synced: list[str], tmp_path: Path) -> None:
    begun(tmp_path / "runs")
    assert synced[:4] == ["transcript.txt", "run", "runs", tmp_path.name]


def test_a_file_is_synced_before_it_takes_the_place_of_another(
    synced: list[str], tmp_path: Path
) -> None:
    write_over(tmp_path / "report.md", b"new")
    assert synced == [f".report.md.{os.getpid()}.new", tmp_path.name]
    assert (tmp_path / "report.md").read_bytes() == b"new"


def test_a_cut_is_synced_before_it_has_its_name(synced: list[str], tmp_path: Path) -> None:
    git = Git(tmp_path / "repository")
    git.folder.mkdir()
    for words in (("init", "-q"), ("commit", "-q", "--allow-empty", "-m", "Begin")):
        git.run(*words)
    place = cut(git.folder, find_base(git.folder).commit, tmp_path / "cuts")
    held = {path.name for path in place.rglob("*") if path.is_file()}
    assert held <= set(synced)
    assert synced[-1] == "cuts"


def test_a_branch_that_was_given_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs, ours = Git(tmp_path / "theirs"), Git(tmp_path / "ours")
    for git in (theirs, ours):
        git.folder.mkdir()
        git.run("init", "-q")
        git.run("commit", "-q", "--allow-empty", "-m", git.folder.name)
    log, real = tmp_path / "log", os.environ["PATH"]
    shim = tmp_path / "bin" / "git"
    found = next(Path(folder, "git") for folder in real.split(":") if Path(folder, "git").exists())
    program(shim, GIT.format(log=log, git=found))
    monkeypatch.setenv("PATH", f"{shim.parent}:{real}")
    commit = ours.line("rev-parse", "HEAD")
    give(find_base(theirs.folder), "ours", commit, source=ours.folder / ".git")
    flushed = [line for line in log.read_text().splitlines() if '"fsync/hardware-flush"' in line]
    assert len(flushed) >= 2  # objects, and the branch
    assert theirs.line("rev-parse", "ours") == commit


@pytest.mark.fault(
    "a block at the end of the transcript that holds zeros", after="from there on it is done again"
)
@pytest.mark.parametrize("at", range(0, 60, 7))
def test_zeros_in_the_last_entry_are_no_entry(tmp_path: Path, at: int) -> None:
    path = begun(tmp_path)
    whole = path.read_bytes()
    transcript, _ = transcripts.reopen(path)
    transcript.append(SAID)
    transcript.close()
    end = path.read_bytes()[len(whole) :]
    hole = end[:at] + b"\0" * 9 + end[at + 9 :]
    path.write_bytes(whole + hole)
    transcript, reading = transcripts.reopen(path)
    assert (len(reading.entries), reading.torn.encode()) == (2, hole)
    transcript.append(SAID)
    transcript.close()
    entries = transcripts.read(path).entries
    assert [one for one in entries if isinstance(one, Said)] == [SAID]
    assert any(isinstance(one, Event) and one.name == "torn" for one in entries)


@pytest.mark.fault("the transcript is removed while it is written", after="it ends with one line")
@pytest.mark.parametrize("put", [None, "another"], ids=["removed", "replaced"])
def test_a_transcript_that_is_gone_is_missed(tmp_path: Path, put: str | None) -> None:
    path = begun(tmp_path)
    transcript, _ = transcripts.reopen(path)
    path.unlink()
    if put:
        path.write_text(put)
    with pytest.raises(MachineError, match="was removed or replaced during the run"):
        transcript.append(SAID)
    transcript.close()


@pytest.mark.fault("a signal while an entry is written", after="it is written, then the run ends")
@pytest.mark.usefixtures("as_ctrl_c")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_was_said_is_written_though_a_signal_comes(
    tmp_path: Path, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, write = begun(tmp_path), os.write

    def interrupted(descriptor: int, data: bytes) -> int:
        signal.raise_signal(number)
        return write(descriptor, data)

    transcript, _ = transcripts.reopen(path)
    monkeypatch.setattr(os, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        transcript.append(SAID)
    monkeypatch.undo()
    assert transcript.state.pending == SAID
    assert transcripts.read(path).entries[-1] == SAID
    transcript.close()


@pytest.mark.usefixtures("as_ctrl_c")
def test_a_signal_is_heard_where_nothing_is_written() -> None:
    with uninterrupted():
        pass
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGTERM)
