"""Killed at any moment, a run is taken up and ends as if nothing had happened."""

import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from by_hand import plain_git
from killer import KILLER

from react_agent.demo.repository import make_repository
from react_agent.parsers.transcript.entries import Said, Seen
from react_agent.runs.run_folder import RunFolder
from react_agent.state import transcript as transcripts

HOWS = ("before", "within", "unsynced", "after")
# Of the demo's run: the header, the sandbox, two a step, the conclusion, its stop, the results.
WRITES = 23
ENDED = [(WRITES, "unsynced"), (WRITES, "after")]  # all is done, but the workspace is there
DEMO = Path(transcripts.__file__).parents[1] / "demo"


def cli(*args: str, kill_at: tuple[int, str] | None = None) -> subprocess.CompletedProcess[str]:
    start = ["-m", "react_agent"]
    if kill_at:
        start = ["-c", KILLER, str(kill_at[0]), kill_at[1]]
    return subprocess.run(
        [sys.executable, "-P", *start, *args], capture_output=True, text=True, check=False
    )


def solve(repository: Path, kill_at: tuple[int, str] | None) -> int:
    arguments = ("--repo", str(repository), "--model", f"replay/{DEMO / 'transcript.txt'}")
    return cli("solve", str(DEMO / "issue.md"), *arguments, kill_at=kill_at).returncode


def tree_of_branch(repository: Path) -> list[str]:
    refs = ("for-each-ref", "--format=%(tree)", "refs/heads/react-agent/")
    return plain_git(repository, *refs).split()


def runs_of(place: Path) -> list[RunFolder]:
    return [RunFolder(path) for path in place.glob("react-agent/runs/*")]


@pytest.mark.fault("killed at any write to the transcript", after="resume ends it the same")
@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_kill_at_any_write_loses_nothing(
    tmp_path: Path, share: Callable[[int], int], long_seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_repository(tmp_path / "whole")
    assert solve(tmp_path / "whole", None) == 0
    expected = tree_of_branch(tmp_path / "whole")
    writes = range(2, WRITES + 1)
    points = [(at, how) for at in writes for how in HOWS if (at, how) not in ENDED]
    chance = random.Random(long_seed)
    for point in chance.sample(points, share(len(points))):
        state = tmp_path / f"{point[0]}-{point[1]}"
        monkeypatch.setenv("XDG_STATE_HOME", str(state))
        make_repository(state / "repository")
        assert solve(state / "repository", point) == -signal.SIGKILL, point
        [folder] = runs_of(state)
        # Killed again at a write that there is in any case: what is resumed, a stop.
        point = (chance.randint(1, 2), chance.choice(HOWS))
        done = cli("resume", folder.path.name, kill_at=point)
        assert done.returncode == -signal.SIGKILL, (state.name, point, done.stderr)
        done = cli("resume", folder.path.name)
        assert done.returncode == 0, (state.name, done.stderr, done.stdout)
        assert tree_of_branch(state / "repository") == expected, state.name
        entries = transcripts.read(folder.transcript).entries
        assert sum(isinstance(entry, Said) for entry in entries) == 10, state.name
        assert sum(isinstance(entry, Seen) for entry in entries) == 9, state.name
        assert not folder.workspace.exists()


@pytest.mark.parametrize(
    "point", [ENDED[0], pytest.param(ENDED[1], marks=pytest.mark.slow)], ids=str
)
def test_a_kill_after_the_last_write_loses_nothing(
    tmp_path: Path, point: tuple[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    make_repository(tmp_path / "repository")
    assert solve(tmp_path / "repository", point) == -signal.SIGKILL
    [folder] = runs_of(tmp_path)
    assert folder.report.read_text().startswith('# "90 min" is read as 90 seconds\n')
    assert len(tree_of_branch(tmp_path / "repository")) == 1
    done = cli("resume", folder.path.name)
    assert (done.returncode, "has ended as concluded" in done.stderr) == (2, True)
