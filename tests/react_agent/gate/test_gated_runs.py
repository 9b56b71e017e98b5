"""Whole runs that conclude: refused once with a list, then accepted; replayed, resumed, ended."""

import shutil
from dataclasses import replace
from typing import Any

import pytest
from by_hand import save
from check_rows import each_of
from replies import DONE, LOOK, replaced, run

from react_agent.cli.running import exit_code
from react_agent.guards.gate import refused
from react_agent.parsers.transcript.reader import read_transcript
from react_agent.runs.audit import audit, audited
from react_agent.runs.run_folder import RunFolder
from react_agent.state.state import Stop, fold

pytestmark = pytest.mark.slow  # all of them together

MEND = "Fix these points, or repeat the Conclusion and say why the change is right as it stands."
EMPTY = f"Not accepted yet:\n- nothing was changed: change what the objective asks for\n{MEND}"
AGAIN = " still\nConclusion: it is right as it is"
GIVE_UP = " no\nConclusion: I give up because it is late"
TESTS = " test\nAction: run_tests\nAction Input: tests.test_printing\n"
PAGE = replaced("README.md", "# stopwatch", "# Stopwatch", "a page")
CODE = replaced("stopwatch/parsing.py", "    total = 0", "    total = sum(())", "code")
ONE_TEST = "    def test_not_a_duration(self):"
TWO_TESTS = f"""\
    def test_nothing(self):
        self.assertEqual(parse_duration("0"), 0)

{ONE_TEST}"""
A_TEST = replaced("tests/test_parsing.py", ONE_TEST, TWO_TESTS, "a test")


def bullets(outcome: Any) -> list[str]:
    step = refused(outcome.state)
    return [] if step is None else step.seen.text.split("\n")[1:-1]


def cut_behind(folder: RunFolder, conclusions: int) -> None:
    """As a process leaves it that is killed before it answers this Conclusion."""
    lines = folder.transcript.read_text().split("\n")
    ends = [at for at, line in enumerate(lines) if line.startswith("Conclusion: ")]
    end = next(
        at for at in range(ends[conclusions - 1], len(lines)) if lines[at].startswith("%% turn")
    )
    folder.transcript.write_text("\n".join(lines[: end + 1]) + "\n")


def test_refused_once_with_a_list_and_then_accepted(gated: Any) -> None:
    outcome = gated.solve(LOOK, DONE, AGAIN)
    step = outcome.state.steps[1]
    assert step.text == f"Thought: done\nConclusion: it is done\nObservation: {EMPTY}\n"
    assert (step.status, step.kind, dict(step.seen.facts)) == (
        "failed",
        "none",
        {"n": "2", "status": "failed", "kind": "none", "how": "gate", "open": "empty"},
    )
    assert (outcome.stop, outcome.state.conclusion) == (Stop.CONCLUDED, "it is right as it is")
    assert [point.text for point in outcome.open] == ["nothing was changed"]
    text = outcome.folder.transcript.read_text()
    assert "\n%% open: empty nothing was changed\n%% stop: concluded by the model\n" in text
    assert "## Still open\n\n- nothing was changed\n" in outcome.folder.report.read_text()
    assert (outcome.branch, exit_code(outcome)) == ("", 1)
    assert replace(fold(read_transcript(text).entries)) == outcome.state


def test_tests_behind_an_edit_count_as_tests_that_ran(gated: Any) -> None:
    then = "then: run_tests tests.test_printing\n"
    outcome = gated.solve(A_TEST, CODE + then, DONE)
    assert not outcome.open
    step = outcome.state.steps[1]
    assert (step.kind, step.has_written, step.ran.kind, step.ran.said.turn.input) == (
        "write",
        True,
        "test",
        "tests.test_printing",
    )
    assert "\n\n[then: run_tests tests.test_printing]\n" in step.seen.text
    told = audit(audited(outcome.folder.transcript), "ran")
    [ran] = [text for _, text in told if "step 2" in text]
    assert ran.startswith("step 2: exit 0, ")


def test_giving_up_is_never_refused(gated: Any) -> None:
    outcome = gated.solve(CODE, GIVE_UP)
    assert (outcome.stop, len(outcome.state.steps)) == (Stop.GAVE_UP, 1)
    report = outcome.folder.report.read_text()
    assert "I give up because it is late" in report
    assert "Still open" not in report


def test_what_is_mended_is_no_longer_told(gated: Any) -> None:
    outcome = gated.solve(CODE, DONE, A_TEST, TESTS, DONE)
    assert bullets(outcome) == [
        "- stopwatch/parsing.py changed, and no test was run: run the tests",
        "- stopwatch/parsing.py changed, but no test: add one that fails without the change",
    ]
    assert (outcome.open, outcome.stop) == ((), Stop.CONCLUDED)
    assert "Still open" not in outcome.folder.report.read_text()


def test_new_faults_are_accepted_too_and_told(gated: Any) -> None:
    outcome = gated.solve(DONE, CODE, AGAIN)
    assert [point.check for point in outcome.state.open] == ["not_run", "no_test"]
    assert "## Still open\n" in outcome.folder.report.read_text()
    assert outcome.branch.startswith("react-agent/")
    assert exit_code(outcome) == 0


@each_of(
    ("replies", "expected"),
    {
        "left_out": (
            [PAGE, run("echo x > notes.md")],
            [
                "- only commands made notes.md, so the change is without it: git add "
                "the files that belong to it, and remove the rest"
            ],
        ),
        "not_run": (
            [A_TEST, CODE, TESTS, run("echo >> stopwatch/parsing.py")],
            ["- stopwatch/parsing.py changed after the last test run, in step 3: run them again"],
        ),
        "code with a test is in order": ([CODE, A_TEST, TESTS], []),
    },
)
def test_each_row_in_a_whole_run(
    gated: Any, request: Any, replies: list[str], expected: list[str]
) -> None:
    save(gated.repository, {".react-agent.cfg": "[react_agent]\ntest = python3 -m unittest -q\n"})
    outcome = gated.solve(*replies, DONE, AGAIN)
    found = bullets(outcome)
    assert len(found) == len(expected)
    assert all(one.startswith(start) for one, start in zip(found, expected, strict=True))
    assert outcome.stop is Stop.CONCLUDED
    row = request.node.callspec.id
    assert [point.check for point in outcome.state.open] == ([row] if expected else [])


def test_the_list_has_eight_lines_at_most(gated: Any) -> None:
    made = "for n in 1 2 3 4 5 6 7 8 9 10; do echo x > $n.log; done; git add ."
    found = bullets(gated.solve(PAGE, run(made), DONE, AGAIN))
    assert len(found) == 8
    assert found[-1] == "- and 3 more points like these"


def test_a_replay_is_refused_where_the_run_was(gated: Any) -> None:
    first = gated.solve(CODE, DONE, A_TEST, TESTS, AGAIN)
    second = gated.replay(first.folder)
    assert (second.stop, gated.told) == (Stop.CONCLUDED, [])
    assert [step.text for step in second.state.steps] == [step.text for step in first.state.steps]


def test_killed_before_the_answer_the_gate_is_asked_again(gated: Any) -> None:
    first = gated.solve(CODE, DONE, AGAIN)
    cut_behind(first.folder, 1)
    second = gated.take_up(first.folder, A_TEST, TESTS, DONE)
    assert (second.stop, second.open) == (Stop.CONCLUDED, ())
    assert bullets(second) == bullets(first)
    assert len(second.state.steps) == 4


def test_killed_before_the_end_the_second_is_accepted(gated: Any) -> None:
    first = gated.solve(CODE, DONE, AGAIN)
    cut_behind(first.folder, 2)
    second = gated.take_up(first.folder)
    assert (second.stop, len(second.state.steps)) == (Stop.CONCLUDED, 2)
    assert second.open == first.open
    assert len(second.state.open) == 2


def test_a_run_without_its_workspace_is_refused_the_same(gated: Any) -> None:
    first = gated.solve(A_TEST, CODE, TESTS, run("echo >> stopwatch/parsing.py"), DONE, AGAIN)
    cut_behind(first.folder, 1)
    shutil.rmtree(first.folder.workspace, ignore_errors=True)
    assert bullets(gated.take_up(first.folder, AGAIN)) == bullets(first)


def test_no_step_left_after_a_refusal_is_an_honest_end(gated: Any) -> None:
    outcome = gated.solve(CODE, DONE, LOOK, AGAIN, budget={"steps": "3"})
    assert (outcome.stop, outcome.branch, exit_code(outcome)) == (Stop.OUT_OF_STEPS, "", 1)
    report = outcome.folder.report.read_text()
    assert "Its Conclusion of step 2, not accepted: it is done" in report
    assert "- stopwatch/parsing.py changed, and no test was run: run the tests" in report
    assert "## Still open, as in step 2, when it first concluded" in report


def test_on_the_last_step_nobody_could_mend_anything(gated: Any) -> None:
    outcome = gated.solve(CODE, DONE, budget={"steps": "2"})
    assert (outcome.stop, len(outcome.state.steps)) == (Stop.CONCLUDED, 1)
    assert [point.check for point in outcome.state.open] == ["not_run", "no_test"]
    assert outcome.branch


def test_a_refusal_and_what_is_unread_end_nothing_in_the_background(gated: Any) -> None:
    outcome = gated.solve(run("sleep 60", "run_background"), " and so on", DONE, AGAIN)
    assert outcome.state.running == ("1: sleep 60",)


@pytest.fixture
def unguided(desk: Any) -> str:
    """The profile `small` where no function fits the issue."""
    guards = "guards = budget malformed backtrack stuck compress\n"
    (desk.profiles / "unguided.cfg").write_text(f"[profile]\nbased on = small\n{guards}")
    return "unguided"


def test_a_small_model_gives_up_once_it_has_looked(desk: Any, unguided: str) -> None:
    outcome = desk.solve(GIVE_UP, LOOK, GIVE_UP, profile=unguided)
    first = outcome.state.steps[0].seen
    assert outcome.stop is Stop.GAVE_UP
    assert first.facts["open"] == "untried"
    assert "I give up" not in first.text


def test_a_small_model_is_told_late_how_to_end(desk: Any, unguided: str) -> None:
    _, seen = desk.watched(LOOK, PAGE, DONE, AGAIN, profile=unguided)
    assert ["Conclusion" in view.system + view.tail for view in seen[:3]] == [*(False, False), True]
