"""Tasks as a worker does them: what comes back, and whose failure it is."""

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from check_rows import table_of

from react_agent.eval.station import scratch, site_at, sweep
from react_agent.eval.task import Kind, Solved, Verdict
from react_agent.eval.work import grade_task, solve_task

WRONG, RIGHT = "    return sum(prices[1:])", "    return sum(prices)"
PATCH = """\
diff --git a/shop/price.py b/shop/price.py
index {old}..{new} 100644
--- a/shop/price.py
+++ b/shop/price.py
@@ -1,2 +1,2 @@
 def total(prices):
-    return sum(prices[1:])
+    return sum(prices)
"""


def _about(solved: Solved) -> tuple[Verdict, Kind] | None:
    return (solved.fault.verdict, solved.fault.kind) if solved.fault else None


def test_a_patch_and_what_the_run_wrote_come_back(world: Any) -> None:
    task = world.task(world.model(world.edit(WRONG, RIGHT)))
    solved = solve_task(task, world.root)
    assert (solved.key, solved.fault) == (task.key, None)
    lines = solved.patch.split("\n")
    names = lines[1].split(" ")[1].split("..")
    assert solved.patch == PATCH.format(old=names[0], new=names[1])
    assert set(solved.files) == {"transcript.txt", "steps.diff"}
    assert f"%% base: {world.base}\n".encode() in solved.files["transcript.txt"]
    assert b"%% run: shop-1-plain-1\n" in solved.files["transcript.txt"]
    assert pickle.loads(pickle.dumps((task, solved))) == (task, solved)
    assert _left(world) == []
    assert "react-agent" not in world.git("branch", "--list")  # nothing is given to theirs


def _left(world: Any) -> list[Path]:
    """Of work that is over."""
    return [place for place in (world.root / "scratch").glob("*") if place.name != ".lock"]


@table_of(
    "fields",
    {
        "folder": {"repo": "/nonexistent"},
        "no name": {"repo": "a\nb"},
        "an option": {"base": "--all"},
        "no commit": {"environment_commit": "1" * 40, "install": "true"},
    },
)
def test_an_instance_that_stands_on_nothing(world: Any, fields: dict[str, str]) -> None:
    solved = solve_task(world.task("replay/none", **fields), world.root)
    assert _about(solved) == (Verdict.ENV_FAILED, Kind.REPOSITORY)
    assert solved.fault is not None
    assert "\n" not in solved.fault.text


@pytest.mark.parametrize("model", ["replay/none.txt", "openai/x"], ids=["no replay", "no key"])
def test_a_run_that_cannot_begin(world: Any, model: str) -> None:
    assert _about(solve_task(world.task(model), world.root)) == (Verdict.CRASHED, Kind.ENDPOINT)
    assert _left(world) == []


def test_a_model_that_fails_is_no_failure_of_the_run(world: Any) -> None:
    model = world.model(("list_files", ""))
    path = Path(model.removeprefix("replay/"))
    path.write_text(path.read_text().partition("Thought: It is done.")[0])
    solved = solve_task(world.task(model), world.root)
    assert _about(solved) == (Verdict.CRASHED, Kind.ENDPOINT)
    assert b"%% stop: model_failed" in solved.files["transcript.txt"]


def test_the_model_of_an_instance_and_a_try(world: Any) -> None:
    world.model(world.edit(WRONG, RIGHT), name="shop-1.2.txt")
    task = world.task(f"replay/{world.folder}/{{id}}.{{n}}.txt")
    again = replace(task, key=replace(task.key, number=2))
    assert "+    return sum(prices)" in solve_task(again, world.root).patch


def test_a_fault_of_ours_is_a_value(world: Any) -> None:
    (world.root).write_text("in the way")
    assert _about(solve_task(world.task("replay/none"), world.root)) == (Verdict.CRASHED, Kind.OURS)


def test_a_profile_without_something(world: Any) -> None:
    task = world.task(world.model(("list_files", "")))
    arm = replace(task.arm, name="no-list_files", without=("list_files", "hints"))
    solved = solve_task(replace(task, arm=arm), world.root)
    assert solved.fault is None
    assert b"%% profile: no-list_files\n" in solved.files["transcript.txt"]
    assert b"tool=list_files" not in solved.files["transcript.txt"]


TESTS = """\
diff --git a/tests/test_price.py b/tests/test_price.py
--- a/tests/test_price.py
+++ b/tests/test_price.py
@@ -6,3 +6,6 @@
 class TestPrice(unittest.TestCase):
     def test_nothing(self):
         self.assertEqual(total([]), 0)
+
+    def test_one(self):
+        self.assertEqual(total([3]), 3)
"""
NAMES = {
    "fail_to_pass": ("test_one (tests.test_price.TestPrice)",),
    "pass_to_pass": ("test_nothing (tests.test_price.TestPrice)",),
    "test_command": "python3 -m unittest -v",
    "test_patch": TESTS,
}


@pytest.mark.parametrize(
    ("patch", "fields", "verdict"),
    [
        pytest.param(PATCH.format(old="1", new="2"), {}, Verdict.RESOLVED, id="right"),
        pytest.param(" \n", {}, Verdict.NO_PATCH, id="empty"),
        pytest.param(TESTS, {"fail_to_pass": ()}, Verdict.UNGRADED, id="nothing to judge by"),
        pytest.param(TESTS, {"base": "1" * 40}, Verdict.ENV_FAILED, id="no commit"),
    ],
)
def test_what_a_patch_comes_to(
    world: Any, patch: str, fields: dict[str, Any], verdict: Verdict
) -> None:
    task = world.task("replay/none", **{**NAMES, **fields})
    assert grade_task(task, patch, world.root).verdict is verdict
    assert _left(world) == []


def test_what_a_killed_worker_leaves_goes_and_what_is_in_use_stays(tmp_path: Path) -> None:
    site = site_at(tmp_path)
    with scratch(site) as used:
        (site.scratch / "wdead").mkdir()
        (site.scratch / "wdead.lock").touch()
        sweep(site)
        assert used.is_dir()
        assert not (site.scratch / "wdead").exists()
    assert [place.name for place in site.scratch.iterdir()] == [".lock"]
