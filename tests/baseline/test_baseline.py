"""What faf7090 left is read by this version, and comes to the same: runs that are shown, taken up,
forked and replayed, an experiment, a queue of the hook, settings.

A test that fails here says that somebody's runs are lost.
"""

from typing import Any

import pytest
from old_world import (
    Run,
    World,
    facts,
    fork,
    read,
    read_only,
    report,
    resume,
    use_settings,
    work_off,
)

KNOWN = facts()
RUNS = KNOWN["runs"]


@pytest.fixture(params=RUNS)
def title(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def run(title: str) -> Run:
    return Run(RUNS[title]["run"], f"runs/{title}")


@pytest.fixture
def known(title: str) -> Any:
    return RUNS[title]


def test_is_shown_and_replayed(world: World, run: Run, known: Any) -> None:
    assert read_only(world, run) == known["read"]


def test_is_taken_up(world: World, run: Run, known: Any) -> None:
    assert resume(world, run, known["resume"]) == known["resume"]["facts"]


def test_is_forked(world: World, run: Run, known: Any) -> None:
    assert fork(world, run, known["fork"]) == known["fork"]["facts"]


def test_an_experiment_is_reported(world: World) -> None:
    known = KNOWN["experiment"]
    assert report(world, known) == known["facts"]


def test_a_queue_is_worked_off(world: World) -> None:
    known = KNOWN["hook"]
    assert work_off(world, known) == known["facts"]


def test_settings_are_read(world: World) -> None:
    found, known = read(world), KNOWN["settings"]["read"]
    gone = {"remember", "reviewers", "labels"}
    assert {name: found[name] for name in known.keys() - gone} == {
        name: value for name, value in known.items() if name not in gone
    }
    assert set(found["gone"]) == gone


def test_settings_are_used(world: World) -> None:
    known = KNOWN["settings"]
    found = use_settings(world, known)
    assert found["changed"].pop("README.md")  # lint, which refused this edit, looks at the end only
    assert found == known["facts"]
