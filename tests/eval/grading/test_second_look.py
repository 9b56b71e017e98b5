"""Patches whose tests name nothing, and environments in which nothing can pass."""

from collections.abc import Callable

import pytest
from graded_shop import FIXED, SHOP, Shop

from react_agent.eval.task import Fault, Graded, Kind, Verdict

IDS = ("test_total (tests.test_shop.TestShop)", "test_count (tests.test_shop.TestShop)")
AT_EXIT = f"{SHOP}\nimport atexit, os\n\ndef end():\n    print('{IDS[0]} ... ok', flush=True)\n"
NO_NAME = "the log names no test (exit code 1)"
OTHER = f"{FIXED}\n# Prices are numbers.\n"
PY = "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("no = (", NO_NAME, id="does not load"),
        pytest.param(
            "import os\nos._exit(127)\n",
            "with its changes the tests can't be run: exit code 127",
            id="as if there were no runner",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_the_failure_of_a_patch(
    shop: Shop, grade: Callable[..., Graded], text: str, why: str
) -> None:
    done = grade(shop.patch({"shop.py": text}))
    assert done.fault == Fault(Verdict.UNRESOLVED, Kind.TESTS_FAIL, why)
    assert (done.verdict, done.tests.not_fixed) == (Verdict.UNRESOLVED, IDS[:1])


@pytest.mark.slow
def test_a_line_that_is_printed_after_the_real_one(
    shop: Shop, grade: Callable[..., Graded]
) -> None:
    done = grade(shop.patch({"shop.py": f"{AT_EXIT}    os._exit(0)\n\natexit.register(end)\n"}))
    assert (done.verdict, done.tests.not_fixed) == (Verdict.UNRESOLVED, IDS[:1])


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"test_command": "exit 126"}, "the tests can't be run: exit code 126"),
        pytest.param(
            {"test_command": "python -m unittest -v nothing"},
            "none of its tests passes",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            {"patch": "--- a/none\n+++ b/none\n@@ -1 +1 @@\n-a\n+b\n"},
            "it does not apply: none: does not exist in index",
            marks=pytest.mark.slow,
        ),
    ],
    ids=["no runner", "other tests", "its fix"],
)
def test_the_failure_of_a_set(
    shop: Shop, grade: Callable[..., Graded], fields: dict[str, str], why: str
) -> None:
    patch = shop.patch({"shop.py": "no = (" if "patch" in fields else OTHER})
    text = f"with the set's own fix, too: {why}"
    assert grade(patch, **fields).fault == Fault(Verdict.ENV_FAILED, Kind.ENVIRONMENT, text)


@pytest.mark.slow
def test_what_the_set_itself_expects_to_fail(shop: Shop, grade: Callable[..., Graded]) -> None:
    marked = f"import pytest\n{PY}\npytestmark = pytest.mark.xfail\n"
    new, name = shop.patch({"tests/test_py.py": marked}), "tests/test_py.py::test_total"
    asked = {"test_patch": new, "fail_to_pass": (name,), "pass_to_pass": ()}
    patch = shop.patch({"shop.py": SHOP + "# not mended\n"})
    assert grade(patch, **asked).verdict is Verdict.RESOLVED


@pytest.mark.slow
def test_without_a_fix_the_base_tells_whose_failure_it_is(
    shop: Shop, grade: Callable[..., Graded]
) -> None:
    ends = shop.patch({"shop.py": "import os\nos._exit(126)\n"})
    assert grade(ends, patch="").verdict is Verdict.UNRESOLVED
    other = shop.patch({"shop.py": OTHER})
    assert grade(other, patch="", test_command="exit 126").verdict is Verdict.ENV_FAILED


@pytest.mark.slow
def test_more_than_a_command_may_take_is_said(shop: Shop, grade: Callable[..., Graded]) -> None:
    done = grade(shop.patch({"shop.py": "import os, signal\nos.kill(os.getpid(), signal.SIGXCPU)"}))
    text = "the tests: more than 3,600 s of processor time"
    assert done.fault == Fault(Verdict.UNRESOLVED, Kind.TESTS_FAIL, text)
