"""The bundled set from issue to verdict."""

from functools import partial
from pathlib import Path

import pytest

from react_agent.eval.reading import read_run, why
from react_agent.eval.sets.checked import Finding, checked
from react_agent.eval.sets.issue_set import bundled_instances, bundled_replays
from react_agent.eval.task import Arm, Conditions, Instance, Key, Kind, Task, Verdict
from react_agent.eval.work import grade_task, solve_task

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


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bundled")


@pytest.fixture(scope="module")
def rows(place: Path) -> dict[str, Instance]:
    return {one.id: one for one in bundled_instances(place / "repositories")}


def came_to(instance: Instance, root: Path) -> tuple[Verdict, Kind | None]:
    task = Task(Key(instance.id, "plain", 1), instance, Arm(bundled_replays()), QUICK)
    solved = solve_task(task, root)
    assert solved.fault is None
    graded = grade_task(task, solved.patch, root)
    found = why(read_run(solved.files), instance, graded, solved.patch)
    return graded.verdict, found.kind if found else None


@pytest.mark.slow
@pytest.mark.parametrize("repository", ["ledger", "wordbox", "timetable"])
def test_each_attempt_comes_to_what_it_should(
    repository: str, place: Path, rows: dict[str, Instance]
) -> None:
    of_it = [one for one in rows.values() if one.id.startswith(repository)]
    expected = {one.id: NOT_RESOLVED.get(one.id, (Verdict.RESOLVED, None)) for one in of_it}
    assert {one.id: came_to(one, place / "worker") for one in of_it} == expected


@pytest.mark.slow
@pytest.mark.parametrize("repository", ["ledger", "wordbox", "timetable"])
def test_its_own_fix_resolves_each_and_nothing_does_not(
    repository: str, place: Path, rows: dict[str, Instance]
) -> None:
    grade = partial(grade_task, root=place / "worker")
    found = [checked(one, QUICK, grade) for one in rows.values() if one.id.startswith(repository)]
    assert {one.instance.id: one.note for one in found if one.finding is not Finding.GOOD} == {}
