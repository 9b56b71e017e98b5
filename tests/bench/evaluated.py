"""Many small instances for a benchmark, and what workers do with them, metered."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from beside import git
from fake_endpoint import Reply, Request

from react_agent.eval import work as real
from react_agent.eval.task import Arm, Graded, Instance, Solved, Task

BASES = 10
LATENCY_S = 0.3
_TEST = """\
import unittest
from shop import price


class PriceTest(unittest.TestCase):
    def test_whole(self):
        self.assertEqual(price(2), 20)
"""
_TEST_PATCH = """\
diff --git a/test_shop.py b/test_shop.py
--- a/test_shop.py
+++ b/test_shop.py
@@ -6,2 +6,5 @@
     def test_whole(self):
         self.assertEqual(price(2), 20)
+
+    def test_of_many(self):
+        self.assertEqual(price(100), 900)
"""
_SAID = (
    "Thought: I look first.\nAction: read_file\nAction Input: shop.py\n",
    "Thought: Many are cheaper.\nAction: replace\nAction Input: shop.py\n<<<<<<< SEARCH\n"
    "    return 10 * count\n=======\n    return (9 if count >= 100 else 10) * count\n"
    ">>>>>>> REPLACE\n",
    "Thought: Done.\nConclusion: Many are cheaper now.\n",
)


def solve(task: Task, root: Path | None) -> Solved:
    return _metered(real.solve_task, task, root)


def grade(task: Task, patch: str, root: Path | None) -> Graded:
    return _metered(real.grade_task, task, patch, root)


def _metered(function: Callable[..., Any], *args: Any) -> Any:
    """What its process had used before and after: what lies between two calls counts, too."""
    before = time.process_time()
    try:
        return function(*args)
    finally:
        line = f"{os.getpid()} {before} {time.process_time()}\n"
        with (args[-1] / "meter").open("a") as file:
            file.write(line)


def answered(request: Request) -> Reply:
    seen = request.prompt.count("\nObservation:")
    return Reply(_SAID[min(seen, len(_SAID) - 1)], latency=LATENCY_S)


def arm(url: str) -> Arm:
    return Arm(f"openai/any@{url}/v1")


def instances(folder: Path, count: int) -> list[Instance]:
    log = git(folder / "shop", "log", "--format=%H").decode().split()
    return [
        Instance(
            f"shop-{n}",
            str(folder / "shop"),
            log[n % len(log)],
            "A hundred and more should cost 9 each: price() in shop.py.",
            test_patch=_TEST_PATCH,
            fail_to_pass=("test_of_many (test_shop.PriceTest)",),
            pass_to_pass=("test_whole (test_shop.PriceTest)",),
            test_command="python3 -m unittest -v test_shop",
        )
        for n in range(count)
    ]


def make_repository(place: Path) -> None:
    place.mkdir()
    git(place, "init", "-q")
    (place / "shop.py").write_text("def price(count):\n    return 10 * count\n")
    (place / "test_shop.py").write_text(_TEST)
    for number in range(BASES):
        (place / "version.py").write_text(f"VERSION = {number}\n")
        git(place, "add", ".")
        git(place, "commit", "-qm", f"Version {number}")
