"""Several attempts at one issue on a real repository."""

import errno
from dataclasses import replace
from typing import Any

import pytest
from by_hand import save
from replies import DONE, interrupt, noted

from react_agent.models.contract import View
from react_agent.runs.attempts import Attempted, attempt
from react_agent.runs.run_folder import RunFolder
from react_agent.state.state import Stop


def edit(patch: str) -> str:
    return f" change it\nAction: apply_patch\nAction Input: {patch}"


def source(line: str) -> str:
    """A right pattern with this line in place of the sum."""
    return (
        "--- a/stopwatch/parsing.py\n+++ b/stopwatch/parsing.py\n@@ -5,9 +5,9 @@\n"
        " from stopwatch.units import SECONDS\n \n"
        '-PART = re.compile(r"(\\d+)([hms]?)")\n+PART = re.compile(r"(\\d+)\\s*([hms]?)")\n'
        "@@ -13,5 +13,5 @@\n"
        "     total = 0\n     for number, unit in PART.findall(text.lower()):\n"
        "-        total += int(number) * SECONDS.get(unit, 1)\n"
        f"+        {line}\n     return total\n"
    )


RIGHT = source("total += int(number) * SECONDS[unit or 's']")
WRONG = source("total += int(number)")
GIVE_UP = " no\nConclusion: I give up because it is hard"


def try_all(desk: Any, *replies: Any, count: int, **options: Any) -> Attempted:
    return attempt(desk.request(**options), count, desk.around(*replies))


@pytest.mark.slow
def test_the_one_that_nothing_is_open_of_comes_before_one_that_was_first(gated: Any) -> None:
    page = edit(
        "--- a/README.md\n+++ b/README.md\n@@ -1,2 +1,2 @@\n-# stopwatch\n+# Stopwatch\n \n"
    )
    litter = " x\nAction: run\nAction Input: echo x > out.log; git add out.log\n"
    attempted = try_all(gated, page, litter, DONE, DONE, page, DONE, count=2)
    points = [[point.text for point in outcome.open] for outcome in attempted.outcomes]
    assert points == [
        ["out.log is new and looks like a scratch file, so the change will not include it"],
        [],
    ]
    assert attempted.winner == 2
    assert "1 point open" in attempted.standings[0]


def test_the_one_whose_tests_pass_becomes_the_branch(demo_desk: Any) -> None:
    attempted = try_all(demo_desk, edit(WRONG), DONE, edit(RIGHT), DONE, GIVE_UP, count=3)
    assert attempted.standings == ["tests fail", "tests pass", "gave_up, no change"]
    best = attempted.best
    assert best.is_success
    assert demo_desk.git("branch", "--list", "react-agent/*").split() == [best.branch]
    assert "SECONDS[unit or 's']" in demo_desk.git("show", f"{best.branch}:stopwatch/parsing.py")


def test_a_configured_command_is_run_as_run_tests_would(demo_desk: Any) -> None:
    settings = "[react_agent]\ntest = python3 -m unittest -q {selection}\n"
    save(demo_desk.repository, {".react-agent.cfg": settings})
    attempted = try_all(demo_desk, edit(WRONG), DONE, edit(RIGHT), DONE, count=2)
    assert attempted.standings == ["tests fail", "tests pass"]


def test_each_knows_nothing_of_the_others(demo_desk: Any) -> None:
    views = list[View]()
    said = noted(views, GIVE_UP)

    try_all(demo_desk, said, said, count=2)
    assert views[0] == views[1]


def test_none_that_came_to_a_change_is_no_branch(demo_desk: Any) -> None:
    attempted = try_all(demo_desk, GIVE_UP, GIVE_UP, count=2)
    assert attempted.winner is None
    assert (attempted.best.stop, attempted.best.is_success) == (Stop.GAVE_UP, False)
    assert demo_desk.git("branch", "--list", "react-agent/*") == ""


def test_where_it_is_interrupted_nothing_is_chosen_and_nothing_lost(demo_desk: Any) -> None:
    attempted = try_all(demo_desk, edit(RIGHT), DONE, interrupt, count=3)
    assert not attempted.standings
    assert attempted.best.stop is Stop.INTERRUPTED
    first = next(iter(sorted((demo_desk.folder / "runs").iterdir())))
    assert f"ended, and not published: react-agent resume {first.name}" in demo_desk.told
    assert demo_desk.take_up(RunFolder(first)).is_success


def test_where_the_disk_is_full_nothing_is_lost(demo_desk: Any) -> None:
    def full(view: View) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        try_all(demo_desk, edit(RIGHT), DONE, full, count=3)
    runs = sorted((demo_desk.folder / "runs").iterdir())
    assert demo_desk.told[-2:] == [
        f"kept, and not published: react-agent resume {run.name}" for run in runs
    ]
    assert demo_desk.take_up(RunFolder(runs[0])).is_success


def test_a_temperature_is_a_part_of_the_models_name(demo_desk: Any) -> None:
    around = demo_desk.around(GIVE_UP, GIVE_UP)
    model = around.open_model("script")
    specs = list[str]()

    def opened(spec: str) -> Any:
        specs.append(spec)
        return model

    attempt(demo_desk.request(), 2, replace(around, open_model=opened))
    assert specs == ["script", "script temperature=0.4 seed=2"]
