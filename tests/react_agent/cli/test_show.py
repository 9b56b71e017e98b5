"""A run read on a screen: all of it, what is looked for, from a step on, and what the model saw."""

import re
from pathlib import Path
from typing import Any

import pytest
from check_rows import table_of

from react_agent.parsers.transcript.entries import (
    HEADER,
    VERSION,
    Entry,
    Event,
    Objective,
    Said,
    Seen,
)
from react_agent.parsers.transcript.writer import write_transcript
from react_agent.parsers.turn.turn import Kind, Turn

LONG = "\n".join(f"line {number} of what was found" for number in range(1, 41))
READ = Turn(Kind.ACTION, "look at it", "cat", "it.py")
EDIT = Turn(Kind.ACTION, "mend it", "replace", "it.py\na\nb", repairs=("a label was mended",))
TESTS = Turn(Kind.ACTION, "try it", "run", "pytest -q")
DONE = Turn(Kind.CONCLUSION, "it works", conclusion="a is b")
RUN: tuple[Entry, ...] = (
    Event(HEADER, VERSION),
    Event("run", "one"),
    Event("profile", "issue"),
    Event("model", "openai/gpt-6"),
    Objective("# a is no b\n\nIt should be.", {"at": "2026-11-20T10:30:00+00:00"}),
    Event("about", "it is small"),
    Said(READ, facts={"in": "1200", "out": "9", "seconds": "1.5"}),
    Seen(LONG, {"how": "alias", "tool": "read_file", "seconds": "0.6", "status": "ok"}),
    Event("stuck", "pattern=again steps=1-1 answer=hint"),
    Said(EDIT, facts={"in": "1500", "out": "9", "estimated": "yes"}),
    Seen("changed it.py", {"tool": "replace", "status": "ok"}),
    Event("compressed", "steps=1 stage=oldest"),
    Said(TESTS),
    Seen("exit code 1\nassert a == b", {"tool": "run", "status": "failed"}),
    Event("retracted", "steps=3 | a was b all along"),
    Said(DONE),
    Event("stop", "concluded by the model"),
    Event("branch", "react-agent/a-is-no-b"),
    Event("diff", "1 file changed"),
    Event("tests", "1 failed; test_a fails only with the change"),
    Event("outcome", "tests_failed"),
)
SHOWN = """\
%% run one, began 2026-11-20 10:30:00, profile issue, model openai/gpt-6
Objective: # a is no b

It should be.

%% step 1, prompt of 1,200 tokens, 2.1 s, left out later
Thought: look at it
Action: cat
Action Input: it.py
Observation: line 1 of what was found
(...)
%% a hidden name of read_file

%% stuck: the same call with the same result, steps 1-1: a hint
%% step 2, prompt of about 1,500 tokens
Thought: mend it
Action: replace
Action Input: it.py
a
b
%% mended: a label was mended
Observation: changed it.py

%% from here on, prompts leave out what step 1 showed
%% step 3, failed, taken back later
Thought: try it
Action: run
Action Input: pytest -q
Observation: exit code 1
assert a == b

%% step 3 taken back: a was b all along
%% step 4
Thought: it works
Conclusion: a is b
%% stop: concluded by the model
%% branch: react-agent/a-is-no-b
%% tests: 1 failed; test_a fails only with the change
%% outcome: tests_failed
"""
FOLDED = re.compile(r"(?<=\n)(?:line \d+ of what was found\n)+%% .*\n")


@pytest.fixture
def run(cli: Any) -> str:
    path: Path = cli.folder / "run.txt"
    path.write_text(write_transcript(RUN))
    return path.name


def test_all_of_it(cli: Any, run: str) -> None:
    assert FOLDED.sub("(...)\n", cli("show", run).ends_well()) == SHOWN


@table_of(
    ("options", "steps", "there", "not_there"),
    [
        ("thoughts", "1234", ["Thought: look at it", "Conclusion: a is b"], ["Action", "line 1"]),
        ("actions", "123", ["Action: cat\nAction Input: it.py"], ["Thought", "Observation"]),
        ("errors", "3", ["Thought: try it", "Observation: exit code 1"], ["stuck"]),
        ("hidden", "1", ["Observation: line 1", "a hidden name of read_file"], ["Objective"]),
        ("repairs", "2", ["mended: a label", "Observation: changed"], ["Conclusion"]),
        ("errors,repairs", "23", ["Thought: try it", "mended: a label"], ["Action: cat"]),
        ("errors, thoughts", "1234", ["exit code 1", "Thought: mend it"], ["Action: cat"]),
    ],
)
def test_only_what_is_looked_for(
    cli: Any, run: str, options: str, steps: str, there: list[str], not_there: list[str]
) -> None:
    answer = cli("show", run, "--only", options)
    shown = re.findall(r"^%% step (\d+)(?! taken)", answer.out, re.MULTILINE)
    assert (answer.code, answer.err, shown) == (0, "", list(steps))
    assert [text for text in there if text not in answer.out] == []
    assert [text for text in not_there if text in answer.out] == []


def test_from_a_step_on(cli: Any, run: str) -> None:
    assert cli("show", run, "3").out == SHOWN[SHOWN.index("%% from here on") :]
    assert cli("show", run, "2", "--only", "thoughts").out.startswith("%% step 2")


def test_nothing_is_found(cli: Any, run: str) -> None:
    answer = cli("show", run, "4", "--only", "errors")
    assert (answer.code, answer.out) == (1, f"%% no errors in {cli.folder.name}, from step 4 on\n")
    answer = cli("show", cli.record(("grep", "x")).name, "--only", "errors,hidden")
    assert (answer.code, answer.out) == (1, f"%% no errors or hidden in {cli.folder.name}\n")


@table_of(
    ("words", "line"),
    [
        ("--step 9", "the run here has no prompt for step 9: there are prompts of 1-4"),
        ("--step x", "--step must be a whole number from 1 to 1000000, not 'x'"),
        ("0", "STEP must be a whole number from 1 to 1000000, not '0'"),
        ("9", "the run here has no step 9: its last is 4"),
        ("--only x", "--only must be some of thoughts, actions, errors, hidden, repairs, not 'x'"),
        ("--only ,", "--only must be some of thoughts, actions, errors, hidden, repairs, not ','"),
        ("--step 1 --full", "--step excludes other choices: leave out --full"),
        ("--raw --step 1", "--step excludes other choices: leave out --raw"),
        ("2 --raw --diff", "--raw excludes other choices: leave out --diff and STEP"),
    ],
)
def test_what_there_is_not(cli: Any, run: str, words: str, line: str) -> None:
    assert cli.refused("show", run, *words.split()) == (2, line)


def test_what_the_model_saw(cli: Any, repository: Path) -> None:
    cli.solve("Mend it", cli.record(("list_files", ""), ("grep", "LONG")))
    [made] = cli.runs
    out = cli("show", made.name, "--step", "2").ends_well()
    assert out.startswith("You are a careful software engineer.")
    assert "\nObjective: Mend it\nThought: now this\nAction: list_files\n" in out
    assert out.endswith("\nThought:")
    assert "Action Input: LONG" not in out  # that is what it said to it


def test_a_prompt_that_is_not_what_the_model_saw_says_so(cli: Any, run: str) -> None:
    answer = cli("show", run, "--step", "1")
    assert answer.err == (
        "react-agent: as it would be now: the transcript does not record what it was\n"
    )
    assert answer.out.endswith("Objective: # a is no b\n\nIt should be.\nThought:")
    path = cli.folder / run
    path.write_text(path.read_text().replace("%% profile: issue", "%% profile: gone"))
    path.write_text(path.read_text().replace("in=1200", "in=1200 prompt=00"))
    assert cli("show", run, "--step", "1").err == (
        "react-agent: without its instructions, which can't be made again: "
        "there is no profile 'gone'\n"
    )


@pytest.mark.slow  # terminals
@pytest.mark.parametrize("columns", [40, 80, 200])
def test_as_wide_as_a_terminal(cli: Any, run: str, columns: int) -> None:
    path = cli.folder / run
    path.write_text(path.read_text().replace("look at it", "a word " * 60))
    code, sent = cli.on_terminal("show", run, columns=columns, env={"PAGER": "cat"})
    lines = re.sub(r"\x1b\[[\d;]*m", "", sent).replace("\r\n", "\n").split("\n")
    assert code == 0
    assert max(map(len, lines)) <= columns
    at = next(at for at, line in enumerate(lines) if line.startswith("Thought: a word"))
    assert re.match(r"  (a|word) ", lines[at + 1])
