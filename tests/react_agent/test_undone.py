"""Edits taken back in whole runs, and steps done again where a run's files are gone."""

import shutil
from typing import Any

import pytest
from check_rows import each_of
from refusals import refusal
from replies import ASK, CHANGED, DONE, TITLE, UNDO, interrupt, run

from react_agent.errors import UsageError
from react_agent.issue_to_pr.target import PULL, Target, target_event
from react_agent.runs.report import Outcome
from react_agent.state.state import Stop

SHOUT = TITLE.replace("# Stopwatch", "# STOPWATCH").replace("# stopwatch", "# Stopwatch")
NEW_FILE = "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+new\n"
CREATED = f" new\nAction: apply_patch\nAction Input: {NEW_FILE}"
DELETED = (
    " gone\nAction: apply_patch\nAction Input: --- a/new.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-new\n"
)
BACK = "taken back README.md (+1 -1)"
NOTHING = "there is no edit to undo"


def firsts(outcome: Outcome) -> list[str]:
    return [step.seen.text.split("\n")[0] for step in outcome.state.steps]


def title(desk: Any, outcome: Outcome) -> str:
    shown: str = desk.git("show", f"{outcome.branch or 'main'}:README.md")
    return shown.split("\n")[0]


@each_of(
    ("replies", "said", "becomes"),
    {
        "and on": ([TITLE, SHOUT, UNDO, UNDO, UNDO], [BACK, BACK, NOTHING], "# stopwatch"),
        "a command has changed it since": (
            [TITLE, run("echo x >> README.md"), UNDO],
            ["README.md has changed since the edit; nothing was undone"],
            "# Stopwatch",
        ),
        "created and deleted": (
            [TITLE, CREATED, DELETED, UNDO, UNDO, UNDO],
            ["taken back new.txt", "taken back new.txt", BACK],
            "# stopwatch",
        ),
        "by a sub-agent": ([ASK, TITLE, CHANGED, UNDO], [BACK], "# stopwatch"),
    },
)
def test_in_a_run(desk: Any, replies: list[str], said: list[str], becomes: str) -> None:
    outcome = desk.solve(*replies, DONE)
    undone = [
        text
        for text, step in zip(firsts(outcome), outcome.state.steps, strict=True)
        if step.seen.facts.get("tool") == "undo"
    ]
    assert all(text.startswith(expected) for text, expected in zip(undone, said, strict=False)), (
        undone
    )
    assert title(desk, outcome) == becomes
    assert firsts(desk.replay(outcome.folder)) == firsts(outcome)
    assert desk.told == []


def test_the_transcript_says_how_much_was_mended(desk: Any) -> None:
    outcome = desk.solve(TITLE.replace("-1,3 +1,3", "-7,4 +7,4"), DONE)
    [step, *_] = outcome.state.steps
    assert step.seen.text.split("\n")[:2] == [
        "changed README.md (+1 -1)",
        "[hunk 1: its header gave line 7, found at 1; its header counted 4 and 4 lines, there are "
        "3 and 3]",
    ]
    lines = outcome.folder.transcript.read_text(encoding="utf-8").split("\n")
    assert [line[:11] for line in lines if " mended=1 " in line] == ["%% step: n="]


@pytest.mark.slow
@pytest.mark.parametrize("lost", ["", ".", ".git"])
def test_taken_up(desk: Any, lost: str) -> None:
    broken = desk.solve(
        run("mkdir d && cd d && echo a > a.txt"),
        run("echo b >> a.txt && git add a.txt"),
        TITLE,
        UNDO,
        ASK,
        TITLE,
        CHANGED,
        SHOUT,
        run("sleep 600", "run_background"),
        interrupt,
    )
    assert broken.stop is Stop.INTERRUPTED
    if lost:
        shutil.rmtree(broken.folder.workspace / lost)
    outcome = desk.take_up(broken.folder, UNDO, run("pwd; cat a.txt"), DONE)
    assert desk.told == []
    assert firsts(outcome)[-2:] == [BACK, "exit code 0 (in d)"]
    assert outcome.state.steps[-1].seen.text.endswith("\nd\na\nb")
    assert title(desk, outcome) == "# Stopwatch"


@pytest.mark.needs("bwrap", "bubblewrap")
def test_taken_up_confined_though_the_git_of_its_commands_is_gone(desk: Any) -> None:
    desk.settings["sandbox"] = "bubblewrap"
    broken = desk.solve(TITLE, interrupt)
    shutil.rmtree(broken.folder.workspace / ".git")
    outcome = desk.take_up(broken.folder, run("git status --short"), DONE)
    assert outcome.state.steps[-1].seen.text == "exit code 0\n M README.md"
    assert title(desk, outcome) == "# Stopwatch"


def test_what_a_command_added_stays_added_when_it_is_taken_up(desk: Any) -> None:
    add = " add\nAction: run\nAction Input: echo 1 > built.txt && git add built.txt\n"
    also = " add\nAction: run\nAction Input: echo 1 > gone.txt && git add gone.txt; rm gone.txt\n"
    broken = desk.solve(add, also)
    assert broken.stop is Stop.MODEL_FAILED
    taken_up = desk.take_up(broken.folder, DONE, keep=True)
    assert taken_up.left_out == ()
    assert desk.git("show", f"{taken_up.branch}:built.txt") == "1"
    assert "gone.txt" not in desk.git("ls-tree", "--name-only", taken_up.branch).split()


def test_a_run_that_ended_before_it_was_sent_says_how_to_send_it(desk: Any) -> None:
    target = target_event(Target("", "main", "react-agent/x", way=(PULL,)))
    ended = desk.solve(TITLE, DONE, also=(target,))
    line = f"; react-agent pr {ended.folder.path.name} publishes its"
    assert line in refusal(UsageError, desk.take_up, ended.folder)
