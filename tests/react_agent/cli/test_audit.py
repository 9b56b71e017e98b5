"""react-agent audit: what it says of a transcript, by the file alone."""

from pathlib import Path
from typing import Any

import pytest

RUN = """\
%% react-agent transcript: 2
%% run: 2026-05-01-a-title-t0
%% repository: /home/somebody/stopwatch
%% base: 06b4fc3ebcc7b9694f4aa88f096d15fd816f688b
%% branch: react-agent/a-title-t0
%% profile: issue
%% model: openai/gpt-6
%% limits: steps=40
%% issue: #12
%% target: url=https://forge.example/o/n.git into=main branch=react-agent/12 issue=#12
Objective: # A title, with [redacted: GitHub token]
%% started: at=2026-05-01T12:00:00+00:00
%% sandbox: bubblewrap
%% reach: endpoint=https://api.example/v1 commands=off web=docs.example
%% prompt: instructions=821
Thought: look
Action: read_file
Action Input: a.py
%% mended: the label was bold
%% turn: n=1 in=100 out=10 seconds=1.0
Observation: a.py lines 1-20 of 90
%% step: n=1 status=ok kind=read tool=read_file paths=a.py shown=a.py:1-20 seconds=0.5
Thought: look again
Action: cat
Action Input: a.py:15-30
%% turn: n=2 in=100 out=10 cached=90 seconds=1.0
Observation: a.py lines 15-30 of 90
%% step: n=2 status=ok kind=read how=alias tool=read_file paths=a.py,b.py shown=a.py:15-30,b.py:7-7
Thought: out
Action: read_file
Action Input: ../../etc/passwd
%% turn: n=3 in=100 out=10 seconds=1.0
Observation: ../../etc/passwd is outside the repository
%% step: n=3 status=failed kind=read tool=read_file refused=path
Thought: search
Action: grep
Action Input: x
%% turn: n=4 in=100 out=10 seconds=1.0
Observation: 1 matching line
%% step: n=4 status=ok kind=search tool=grep paths=c.py
Thought: try
Action: run
Action Input: make test
echo <U+001B>[31m
%% turn: n=5 in=100 out=10 seconds=1.0 cost=0.5
Observation: exit code 2
%% step: n=5 on=start tree=aaaa wrote=out.log:+3-0 status=failed kind=run tool=run \
exit=2 seconds=0.25
Thought: wait
Action: run
Action Input: sleep 1000
%% turn: n=6 in=100 out=10 seconds=1.0
Observation: ended
%% step: n=6 on=aaaa tree=aaaa wrote= status=failed kind=run tool=run \
exit=-15 limit=time seconds=120
%% retracted: steps=5-6 | it led nowhere
Thought: push
Action: git push
Action Input:
%% turn: n=7 in=100 out=10 seconds=1.0
Observation: You can't push.
%% step: n=7 status=failed kind=none how=redirect entry=git%20push
Thought: fly
Action: fly
Action Input: to the moon
%% turn: n=8 in=100 out=10 seconds=1.0
Observation: There is no tool with that name.
%% step: n=8 status=failed kind=none how=wish
Thought: web
Action: browse
Action Input: http://docs.example/x
%% turn: n=9 in=100 out=10 seconds=1.0
Observation: a page
%% step: n=9 status=ok kind=read tool=browse address=https://docs.example/x asked=http://docs.example/x
%% asked: for=condense in=50 out=5 seconds=2.0
%% stop: interrupted by the keyboard
%% resumed: 2026-05-01T13:00:00+00:00
Thought: change
Action: apply_patch
Action Input: a patch
%% turn: n=10 in=100 out=10 seconds=1.0
Observation: changed a.py (+2 -1)
%% step: n=10 on=start tree=bbbb wrote=a.py:+2-1,logo.png:* mended=2 status=ok \
kind=write tool=apply_patch paths=a.py
Thought: done
Conclusion: it is done
%% turn: n=11 in=100 out=10 seconds=1.0
%% stop: concluded by the model
%% branch: react-agent/a-title-t0
%% wrote: a.py:+2-1,logo.png:*
%% commit: 0123456789
%% left out: out.log
%% tests: 5 passed
%% tested: verdict=passed command=make%20test
%% pushed: commit=0123456789 branch=react-agent/12
%% pull: https://forge.example/o/n/pulls/3
"""
AUDIT = """\
run      2026-05-01-a-title-t0
read     a.py, lines 1-30; steps 1, 2
read     b.py, lines 7; step 2
read     c.py, found by a search; step 4
read     what 2 commands read is unknown: see the section 'ran'
wrote    step 5: out.log +3 -0 (run, taken back)
wrote    step 10: a.py +2 -1 (apply_patch)
wrote    step 10: logo.png (binary) (apply_patch)
wrote    branch: a.py +2 -1
wrote    branch: logo.png (binary)
wrote    left out of the branch: out.log
ran      step 5: exit 2, 0.25 s, bubblewrap: make test
ran      step 5 | echo <U+001B>[31m
ran      step 6: exit -15 (its time limit), 120 s, bubblewrap: sleep 1000
ran      at the end: passed: make test
reached  model: openai/gpt-6, at https://api.example/v1
reached  commands: no network, in bubblewrap; 2 commands, steps 5, 6
reached  web: http://docs.example/x -> https://docs.example/x, step 9
reached  forge: issue: #12
reached  forge: target: url=https://forge.example/o/n.git into=main branch=react-agent/12 issue=#12
reached  forge: pushed: commit=0123456789 branch=react-agent/12
reached  forge: pull: https://forge.example/o/n/pulls/3
refused  step 3: read_file (access denied: path): ../../etc/passwd is outside the \
repository
refused  step 7: git push (a hidden tool answered): You can't push.
refused  step 8: fly (no such tool: a wish): There is no tool with that name.
refused  redacted: GitHub token
missing  nothing
"""
OLD = """\
%% react-agent transcript: 2
Objective: do it
%% started: at=2026-11-20T14:17:58+00:00
Thought: run
Action: run
Action Input: ls
%% turn: n=1
Observation: exit code 0
%% step: n=1 status=ok kind=run tool=run
"""


def _saved(folder: Path, text: str) -> str:
    path = folder / "copied.txt"
    path.write_text(text)
    return str(path)


def test_tells_all_of_a_run(cli: Any, tmp_path: Path) -> None:
    path = _saved(tmp_path, RUN)
    answer = cli("audit", path, path)
    assert answer.out == AUDIT * 2
    assert (answer.code, answer.err) == (0, "")


@pytest.mark.parametrize("part", ["read", "missing"])
def test_tells_one_part_of_it(cli: Any, tmp_path: Path, part: str) -> None:
    lines = [line for line in AUDIT.splitlines() if line.startswith(f"{part:<8} ")]
    first = "run      2026-05-01-a-title-t0"
    answer = cli("audit", _saved(tmp_path, RUN), "--only", part)
    assert answer.out.splitlines() == list(dict.fromkeys((first, *lines)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            RUN + "Thought: on\nAction: run\n",
            "missing  the last entry is incomplete: it is left out of this report\n",
            id="torn",
        ),
        pytest.param(
            RUN.replace("%% stop: interrupted by the keyboard\n", ""),
            "missing  interrupted after step 9: a reply of the model may have been on its way, and "
            "what it cost is not known\n",
            id="killed",
        ),
        pytest.param(
            RUN[: RUN.index("%% stop: concluded")],
            "missing  the run has not ended, or its end is missing from the transcript\n",
            id="cut off",
        ),
        pytest.param(
            OLD,
            "missing  the run has not ended, or its end is missing from the transcript\n"
            "missing  1 line of 'ran' without details: not recorded\n"
            "missing  2 lines of 'reached' without details: not recorded\n",
            id="old",
        ),
        pytest.param(
            RUN.replace("kind=write", "kind=write sub=sub/010"),
            "missing  step 10: the transcript sub/010 of its inner run can't be read\n",
            id="without the run within it",
        ),
        pytest.param(
            RUN.replace("kind=write", "kind=write sub=../../x"),
            "missing  step 10: ../../x is not the folder of an inner run\n",
            id="leads out",
        ),
    ],
)
def test_says_what_it_can_not_tell(cli: Any, tmp_path: Path, text: str, expected: str) -> None:
    answer = cli("audit", _saved(tmp_path, text), "--only", "missing")
    assert "".join(answer.out.splitlines(keepends=True)[1:]) == expected
    assert (answer.code, answer.err) == (1, "")


@pytest.mark.parametrize(
    ("text", "arguments", "complaint"),
    [
        pytest.param("hello\n", (), "line 1: expected `%% react-agent", id="another file"),
        pytest.param("", (), "has no complete entry: there is nothing to audit", id="empty"),
        pytest.param(RUN, ("--only", "x"), "there is no part 'x'; there are read,", id="part"),
        pytest.param(RUN, ("--only", "spent"), "removed: react-agent page RUN", id="gone"),
    ],
)
def test_says_in_a_line_why_not(
    cli: Any, tmp_path: Path, text: str, arguments: tuple[str, ...], complaint: str
) -> None:
    answer = cli("audit", _saved(tmp_path, text), *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert complaint in answer.err
    assert answer.err.count("\n") == 1
