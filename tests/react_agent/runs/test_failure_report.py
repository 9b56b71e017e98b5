"""What a run that came to nothing leaves: the files that matter and why, and how to go on."""

from dataclasses import replace
from typing import Any

from check_rows import table_of
from failed_runs import CALLS, outcome_of, read, state_of, step
from replies import interrupt

from react_agent.parsers.transcript.entries import Event, Said
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.runs.report import Outcome, failure_comment, hypothesis, relevant, tried
from react_agent.state.state import State, Stop


def test_what_a_broken_off_run_leaves(desk: Any) -> None:
    outcome = desk.solve(*CALLS, interrupt)
    run = outcome.folder.path.name
    told = outcome.folder.report.read_text()
    assert (
        told.partition("## Its last")[2]
        == f"""\
 hypothesis (step 3)

    It fails because the title is in lower case.

## Change, without a branch

     README.md | 2 +-
     1 file changed, 1 insertion(+), 1 deletion(-)

In a file: `{outcome.folder.patch}`

## Tests

passed at step 4: python3 -m unittest -q tests.test_printing

## What it tried

    step 3: replace README.md: It fails because the title is in lower case.
    step 4: passed: python3 -m unittest -q tests.test_printing

## Files that seem relevant, and why

    README.md: changed at step 3
    stopwatch/parsing.py: read at steps 1-2; named in 1 thought

## Tools it asked for that do not exist

- fly (1)

`react-agent inspect wishes` proposes settings for them.

## To go on

    react-agent resume {run}
    react-agent fork {run} --at 5 --say "..."
"""
    )
    assert_comment_says_what_is_for_others_too(outcome, told)


def assert_comment_says_what_is_for_others_too(outcome: Outcome, told: str) -> None:
    first, said, *sections = failure_comment(outcome).split("\n\n**")
    interrupted = "`interrupted: by the keyboard, a signal or closed output`"
    assert first == f"The agent did not solve this: {interrupted}, 5 steps."
    assert said == "What the agent said**\n\n    Its last thought: go"
    named = [section.partition("**")[0] for section in sections]
    assert named == [
        "Its last hypothesis (step 3)",
        "Change, without a branch",
        "What it tried",
        "Files that seem relevant, and why",
        "Tools it asked for that do not exist",
        "To go on",
    ]
    for section in sections:
        assert f"## {section.replace('**', '').replace('    fly', '- fly')}" in told


CUT_OFF = Turn(Kind.ACTION, "now src/late.py, I think", "run", "sed -n 1,9p src/cut.py")


@table_of(
    ("state", "expected"),
    {
        "none": (state_of(), []),
        "cut off in its first step": (
            state_of(then=(Said(CUT_OFF),)),
            [("src/cut.py", "named in 1 thought"), ("src/late.py", "named in 1 thought")],
        ),
        "taken back": (
            state_of(
                read(1, "src/a.py"),
                step(2, "replace", "src/a.py", kind="write"),
                then=(Event("retracted", "steps=2 | it was wrong"),),
            ),
            [("src/a.py", "changed, then undone at step 2; read at step 1")],
        ),
        "found by a search that finds little": (
            state_of(
                step(1, "grep", "src/a.py,docs/b.md", kind="search"),
                step(2, "grep", "1.py,2.py,3.py,4.py,5.py,6.py", kind="search"),
            ),
            [("docs/b.md", "found at step 1"), ("src/a.py", "found at step 1")],
        ),
        "an absolute path, as in a traceback": (
            state_of(read(1, "src/pkg/a.py"), objective='File "/home/u/src/pkg/a.py", line 3'),
            [("src/pkg/a.py", "read at step 1; named by the issue")],
        ),
        "a name that two have, and names of no files": (
            state_of(read(1, "a/x.py"), read(2, "b/x.py", "x.py is it, by np.r and self.name")),
            [("a/x.py", "read at step 1"), ("b/x.py", "read at step 2")],
        ),
        "never looked at": (
            state_of(objective="see setup.py, https://example.org/a/b.html and /etc/passwd.py"),
            [("setup.py", "named by the issue")],
        ),
        "a folder": (state_of(step(1, "list_files", ".", kind="read")), []),
    },
)
def test_files_that_matter(state: State, expected: list[tuple[str, str]]) -> None:
    assert relevant(state) == expected


@table_of(
    ("thoughts", "expected"),
    {
        "none": ([], (0, "")),
        "the last": (["look", "then"], (2, "then")),
        "why": (["It breaks because of x", "look"], (1, "It breaks because of x")),
        "not an empty one": (["look", "", ""], (1, "look")),
        "the last that says why": (
            ["The bug is in a", "No: the unit is missing", "look"],
            (2, "No: the unit is missing"),
        ),
    },
)
def test_the_last_hypothesis(thoughts: list[str], expected: tuple[int, str]) -> None:
    steps = (step(number, "x", thought=thought) for number, thought in enumerate(thoughts, 1))
    assert hypothesis(state_of(*steps)) == expected


def test_what_was_tried_is_capped() -> None:
    steps = [
        step(number, "run_tests", kind="test", tests=f"{number} failed") for number in range(1, 31)
    ]
    lines = tried(state_of(*steps, then=(Said(CUT_OFF),)))
    assert lines[:2] == ["(12 lines before that)", "step 13: tests: 13 failed"]
    assert lines[-2:] == [
        "step 30: tests: 30 failed",
        "cut off in step 31: run sed -n 1,9p src/cut.py",
    ]
    assert len(lines) == 20


@table_of(
    ("stop", "steps", "ways"),
    {
        "a limit": (
            Stop.OUT_OF_MONEY,
            1,
            (
                "react-agent resume a-run --money N",
                'react-agent fork a-run --at 1 --say "..." --money N',
            ),
        ),
        "by the model": (Stop.GAVE_UP, 1, ("", 'react-agent fork a-run --at 1 --say "..."')),
        "before its first step": (Stop.STUCK, 0, ("react-agent resume a-run", "")),
    },
)
def test_ways_to_go_on(stop: Stop, steps: int, ways: tuple[str, str]) -> None:
    state = state_of(*(read(number, "a.py") for number in range(1, steps + 1)))
    outcome = replace(outcome_of(state), stop=stop)
    assert (outcome.resume_command, outcome.fork_command) == ways
