"""What faf7090 left is read by this version, and comes to the same: runs that are shown, taken up,
forked and replayed, an experiment, a queue of the hook, settings.

A test that fails here says that somebody's runs are lost.
"""

import pytest
from old_world import Run, World, all_of, facts, read, report, use_settings, work_off

KNOWN = facts()
RUNS = KNOWN["runs"]


@pytest.mark.parametrize("title", RUNS)
def test_a_run_is_shown_replayed_forked_and_taken_up(world: World, title: str) -> None:
    known = RUNS[title]
    found = all_of(world, Run(known["run"], f"runs/{title}"), known)
    assert found["read"] == known["read"]
    assert found["fork"] == known["fork"]["facts"]
    assert found["resume"] == known["resume"]["facts"]


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
