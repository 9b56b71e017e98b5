"""The demo: a repository, a run on it, a branch whose tests pass."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from demo_recording import BUNDLED, without_local_paths

from react_agent.issue_to_pr.issue import Issue
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.transcript.entries import HEADER, VERSION, Event
from react_agent.runs.solve import solve
from react_agent.state import transcript as transcripts
from react_agent.state.state import Stop, fold

AGAIN = "the demo's tools answer differently: record it anew as CONTRIBUTING.md says"


def outcome_of_tests(cli: Any, branch: str, place: Path) -> int:
    cli.git("clone", "--quiet", "--branch", branch, ".", str(place))
    command = [sys.executable, "-P", "-m", "unittest", "discover", "-s", str(place), "-q"]
    return subprocess.run(command, cwd=place, capture_output=True, check=False).returncode


def test_it_leaves_a_branch_and_says_what_to_do_next(cli: Any, tmp_path: Path) -> None:
    out = cli("demo", "--dir", "repository").ends_well()
    assert "\ntests      8 passed; 2 new tests (test_units_written_out, " in out
    branch = cli.git("branch", "--list", "--format=%(refname:short)", "react-agent/*")
    assert f"\nbranch     {branch}\n" in out
    assert outcome_of_tests(cli, "main", tmp_path / "before") == 1
    assert outcome_of_tests(cli, branch, tmp_path / "after") == 0
    assert cli.git("status", "--porcelain", "--branch", "--ignored") == "## main"
    assert cli.git("stash", "list") == ""
    refs = cli.git("for-each-ref", "--format=%(refname)").split("\n")
    assert [re.sub("-[0-9a-f]{4}$", "", ref) for ref in refs] == [
        "refs/heads/main",
        "refs/heads/react-agent/90-min-is-read-as-90-seconds",
    ]
    [run] = cli.runs
    left = sorted(path.name for path in run.iterdir())
    assert left == ["lock", "patch.diff", "report.md", "steps.diff", "transcript.txt"]
    log, show, replay, own = out.split("\n")[-5:-1]
    assert log.startswith(f"Look at it:    git -C {cli.folder}/repository log --stat react-agent/")
    assert show == f"Read the run:  react-agent show {run.name}"
    assert replay == f"Do it again:   react-agent replay {run.name}"
    assert own.startswith("Your own:      react-agent solve ISSUE --repo DIR --model MODEL")
    assert '\n+        short = LONG_NAMES.get(unit, unit or "s")\n' in out
    command = ["sh", "-c", log.removeprefix("Look at it:")]
    assert b"parsing.py" in subprocess.run(command, capture_output=True, check=True).stdout
    again = cli("replay", run.name)
    assert (again.code, again.out) == (
        0,
        "%% sandbox none: commands run as you: they can read and change everything that you can\n"
        "9 steps, ended as concluded: every prompt as recorded\n",
    )
    bundled = BUNDLED.read_text(encoding="utf-8")
    assert without_local_paths(bundled) == bundled, AGAIN
    recorded = without_local_paths((run / "transcript.txt").read_text(encoding="utf-8"))
    assert str(cli.folder) not in recorded
    assert recorded.split("\n")[0] == f"%% {HEADER}: {VERSION}"
    (cli.folder / "recorded.txt").write_text(recorded, encoding="utf-8")
    header = transcripts.read(cli.folder / "recorded.txt").entries[:8]
    assert Event("repository", "/path/to/stopwatch") in header
    assert Event("model", "by hand") in header


@pytest.mark.slow
def test_it_has_a_folder_of_its_own(cli: Any, tmp_path: Path) -> None:
    answer = cli.run("demo", env={"TMPDIR": str(tmp_path)})
    [place] = tmp_path.glob("react-agent-demo-*")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"A repository with an issue: {place}\n")


def test_the_recording_is_what_the_tools_say_today(demo_desk: Any) -> None:
    """But for tracebacks: each Python words them in its own way."""
    recorded = fold(transcripts.read(BUNDLED).entries)
    issue = Issue(title_of(recorded.objective or ""), recorded.objective or "")
    request = replace(demo_desk.request(), issue=issue, model=f"replay/{BUNDLED}")
    assert solve(request, demo_desk.around()).stop is Stop.CONCLUDED
    tracebacks = [step.number for step in recorded.steps if "Traceback" in step.text]
    theirs = re.compile(rf"step ({'|'.join(map(str, tracebacks))}): Observation ")
    assert [line for line in demo_desk.told if not theirs.match(line)] == [], AGAIN
