"""The bundled set from issue to verdict, and attempts that are planted to come to each of them."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from react_agent.eval.reading import read_run, why
from react_agent.eval.sets.checked import Finding, checked
from react_agent.eval.sets.issue_set import bundled_instances, bundled_replays
from react_agent.eval.task import (
    Arm,
    Conditions,
    Graded,
    Instance,
    Key,
    Kind,
    Solved,
    Task,
    Verdict,
)
from react_agent.eval.work import grade_task, solve_task
from react_agent.parsers.transcript.entries import Event, Objective, Said, Seen
from react_agent.parsers.transcript.writer import write_transcript
from react_agent.parsers.turn.turn import parse_turn

QUICK = Conditions(sandbox="none", tests_s=60.0, install_s=30.0)
NOT_RESOLVED = {
    "ledger-7": (Verdict.UNRESOLVED, Kind.TESTS_FAIL),
    "ledger-8": (Verdict.UNRESOLVED, Kind.BROKE_OTHERS),
    "wordbox-4": (Verdict.UNRESOLVED, Kind.NEVER_FOUND),
    "wordbox-5": (Verdict.UNRESOLVED, Kind.NOT_EDITED),
    "wordbox-7": (Verdict.NO_PATCH, Kind.PATCH_REFUSED),
    "wordbox-8": (Verdict.NO_PATCH, Kind.GAVE_UP),
    "timetable-2": (Verdict.NO_PATCH, Kind.STUCK),
    "timetable-5": (Verdict.NO_PATCH, Kind.PROMPT_EXHAUSTED),
    "timetable-6": (Verdict.NO_PATCH, Kind.UNREADABLE),
    "timetable-8": (Verdict.NO_PATCH, Kind.NOT_EDITED),
}
HANGS = """\
--- a/timetable/clock.py
+++ b/timetable/clock.py
@@ -9,3 +9,4 @@
 def format_time(minutes):
     \"""Return minutes as `9:30`.\"""
+    while True: pass
     return f"{minutes // 60}:{minutes % 60}"
"""
NOTHING_THERE = "0123456789" * 4


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bundled")


@pytest.fixture(scope="module")
def rows(place: Path) -> dict[str, Instance]:
    return {one.id: one for one in bundled_instances(place / "repositories")}


def attempt(
    instance: Instance, root: Path, model: str = bundled_replays(), conditions: Conditions = QUICK
) -> tuple[Solved, Graded]:
    """As a coordinator has it done: what was not solved is not graded."""
    task = Task(Key(instance.id, "plain", 1), instance, Arm(model), conditions)
    solved = solve_task(task, root)
    if solved.fault:
        return solved, Graded(task.key, solved.fault.verdict, fault=solved.fault)
    return solved, grade_task(task, solved.patch, root)


def came_to(instance: Instance, solved: Solved, graded: Graded) -> tuple[Verdict, Kind | None]:
    found = why(read_run(solved.files), instance, graded, solved.patch)
    return graded.verdict, found.kind if found else None


@pytest.mark.slow
@pytest.mark.parametrize("repository", ["ledger", "wordbox", "timetable"])
def test_each_attempt_comes_to_what_it_should(
    repository: str, place: Path, rows: dict[str, Instance]
) -> None:
    of_it = [one for one in rows.values() if one.id.startswith(repository)]
    expected = {one.id: NOT_RESOLVED.get(one.id, (Verdict.RESOLVED, None)) for one in of_it}
    root = place / "worker"
    assert {one.id: came_to(one, *attempt(one, root)) for one in of_it} == expected


@pytest.mark.slow
@pytest.mark.parametrize("repository", ["ledger", "wordbox", "timetable"])
def test_its_own_fix_resolves_each_and_nothing_does_not(
    repository: str, place: Path, rows: dict[str, Instance]
) -> None:
    grade = partial(grade_task, root=place / "worker")
    found = [checked(one, QUICK, grade) for one in rows.values() if one.id.startswith(repository)]
    assert {one.instance.id: one.note for one in found if one.finding is not Finding.GOOD} == {}


def said(folder: Path, instance: Instance, *replies: str) -> str:
    """The model that says this."""
    header = [
        Event("react-agent transcript", "2"),
        Event("run", "planted"),
        Objective(instance.problem),
    ]
    turns = [entry for reply in replies for entry in (Said(parse_turn(reply)), Seen("?"))]
    path = folder / f"{instance.id}.txt"
    path.write_text(write_transcript([*header, *turns]), encoding="utf-8")
    return f"replay/{path}"


Spoil = Callable[[Instance], Instance]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "verdict", "kind"),
    [
        pytest.param(
            lambda one: replace(one, base=NOTHING_THERE),
            Verdict.ENV_FAILED,
            Kind.REPOSITORY,
            id="no such commit",
        ),
        pytest.param(
            lambda one: replace(one, repo="/nonexistent/ledger"),
            Verdict.ENV_FAILED,
            Kind.REPOSITORY,
            id="no such repository",
        ),
        pytest.param(
            lambda one: replace(one, install="false"),
            Verdict.ENV_FAILED,
            Kind.ENVIRONMENT,
            id="no environment",
        ),
    ],
)
def test_what_surrounds_it_fails(
    spoil: Spoil, verdict: Verdict, kind: Kind, tmp_path: Path, rows: dict[str, Instance]
) -> None:
    spoiled = spoil(rows["ledger-1"])
    assert came_to(spoiled, *attempt(spoiled, tmp_path)) == (verdict, kind)
    assert kind.is_infrastructure


@pytest.mark.slow
def test_an_endpoint_that_breaks_off(tmp_path: Path, rows: dict[str, Instance]) -> None:
    one = rows["ledger-1"]
    model = said(tmp_path, one, "I look\nAction: read_file\nAction Input: ledger/money.py")
    assert came_to(one, *attempt(one, tmp_path, model)) == (Verdict.CRASHED, Kind.ENDPOINT)


@pytest.mark.slow
def test_a_change_that_does_not_end(tmp_path: Path, rows: dict[str, Instance]) -> None:
    one = rows["timetable-1"]
    edit = f"I change it\nAction: apply_patch\nAction Input:\n{HANGS}"
    model = said(tmp_path, one, edit, "Done\nConclusion: done")
    impatient = replace(QUICK, tests_s=2.0)
    assert came_to(one, *attempt(one, tmp_path, model, impatient)) == (
        Verdict.TIMED_OUT,
        Kind.TESTS_HANG,
    )


@pytest.mark.slow
def test_a_patch_that_fits_nowhere(tmp_path: Path, rows: dict[str, Instance]) -> None:
    one = rows["ledger-1"]
    task = Task(Key(one.id, "plain", 1), one, Arm(bundled_replays()), QUICK)
    other = rows["ledger-7"].patch.replace("ledger/statement.py", "ledger/account.py")
    assert grade_task(task, other, tmp_path).verdict is Verdict.PATCH_FAILED
