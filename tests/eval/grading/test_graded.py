"""A patch, from its text to a verdict, with real git and real tests."""

import sys
from collections.abc import Callable

import pytest
from check_rows import each_of
from graded_shop import FIXED, UNIT, Shop

from react_agent.eval import task
from react_agent.eval.task import Fault, Graded, Kind, Verdict

Grade = Callable[..., Graded]
TOTAL_ID, COUNT_ID = (
    "test_total (tests.test_shop.TestShop)",
    "test_count (tests.test_shop.TestShop)",
)
BREAKS = FIXED.replace("len(prices)", "0")


def test_the_fix_is_resolved(shop: Shop, grade: Grade) -> None:
    done = grade(shop.instance.patch)
    tests = task.Tests(fixed=(TOTAL_ID,), kept=(COUNT_ID,))
    assert (done.verdict, done.tests, done.fault) == (Verdict.RESOLVED, tests, None)
    first, *_, last = done.log.decode().strip().split("\n")
    assert first == "$ python -m unittest -v tests.test_shop"
    assert last.startswith("[exit code 0, ")


@pytest.mark.slow
@each_of(
    ("files", "tests"),
    {
        "no fix": ({"README": "x\n"}, task.Tests((), (TOTAL_ID,), (COUNT_ID,), ())),
        "breaks": ({"shop.py": BREAKS}, task.Tests((TOTAL_ID,), (), (), (COUNT_ID,))),
        "tests of its own": (
            {"shop.py": FIXED, "tests/test_shop.py": UNIT.replace("1)", "7)")},
            task.Tests((TOTAL_ID,), (), (COUNT_ID,), ()),
        ),
        "a file where the tests were": (
            {"shop.py": FIXED, "tests": "a file\n"},
            task.Tests((TOTAL_ID,), (), (COUNT_ID,), ()),
        ),
    },
)
def test_tests_are_told_one_by_one(
    shop: Shop, grade: Grade, files: dict[str, str], tests: task.Tests
) -> None:
    if "tests" in files:
        (shop.root / "tests" / "test_shop.py").unlink()
        (shop.root / "tests").rmdir()
    done = grade(shop.patch(files))
    verdict = Verdict.UNRESOLVED if tests.not_fixed or tests.broken else Verdict.RESOLVED
    assert (done.verdict, done.tests) == (verdict, tests)


def test_a_set_whose_tests_do_not_apply(shop: Shop, grade: Grade) -> None:
    test_patch = shop.instance.test_patch.replace("class TestShop", "class TestStore")
    done = grade(shop.instance.patch, test_patch=test_patch)
    text = "the set's test patch does not apply to its base: patch failed: tests/test_shop.py:6"
    assert done.fault == Fault(Verdict.ENV_FAILED, Kind.ENVIRONMENT, text)


@pytest.mark.slow
def test_a_test_patch_that_leads_outside(shop: Shop, grade: Grade) -> None:
    done = grade(shop.instance.patch, test_patch="diff --git a/../x b/../x\n")
    assert done.fault is not None
    assert done.verdict is Verdict.ENV_FAILED
    assert "'../x' is outside repository" in done.fault.text


@pytest.mark.slow
def test_tests_that_do_not_end(shop: Shop, grade: Grade) -> None:
    done = grade(shop.patch({"shop.py": "import time\ntime.sleep(600)\n"}), tests_s=1.0)
    text = "the tests did not end within 1 s"
    assert done.fault == Fault(Verdict.TIMED_OUT, Kind.TESTS_HANG, text)
    assert done.log.decode().split("\n")[-2].startswith("[ended by the time limit, ")


def test_a_patch_that_says_itself_that_all_is_well(shop: Shop, grade: Grade) -> None:
    lines = "\\n".join(f"{name} ... ok" for name in (TOTAL_ID, COUNT_ID))
    done = grade(shop.patch({"shop.py": f"print('{lines}')\nraise SystemExit(3)\n"}))
    text = "the tests ended with exit code 3, but the log reports no failure"
    assert done.fault == Fault(Verdict.UNRESOLVED, Kind.TESTS_FAIL, text)
    assert (done.verdict, done.tests) == (Verdict.UNRESOLVED, task.Tests(not_fixed=(TOTAL_ID,)))


@pytest.mark.slow
def test_a_log_that_is_no_text(shop: Shop, grade: Grade) -> None:
    noise = "import sys\nsys.stdout.buffer.write(bytes(range(256)) + b'\\n')\nsys.stdout.flush()\n"
    done = grade(shop.patch({"shop.py": noise + FIXED}))
    assert done.verdict is Verdict.RESOLVED
    assert bytes(range(256)) in done.log


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "reason"),
    [
        pytest.param("no-such-program", "no-such-program: command not found", id="program"),
        pytest.param("python3 -m no_such_module", "No module named no_such_module", id="module"),
    ],
)
def test_tests_that_cannot_be_started(shop: Shop, grade: Grade, command: str, reason: str) -> None:
    done = grade(shop.instance.patch, test_command=command)
    assert done.fault is not None
    assert (done.verdict, done.fault.kind) == (Verdict.ENV_FAILED, Kind.ENVIRONMENT)
    assert done.fault.text.startswith("the tests can't be run: ")
    assert done.fault.text.endswith(reason)


@pytest.mark.slow
def test_a_patch_that_takes_away_what_runs_the_tests(
    shop: Shop, request: pytest.FixtureRequest
) -> None:
    shop.save({"check": "python3 -m unittest -v tests.test_shop\n"})
    grade: Grade = request.getfixturevalue("grade")  # in a clone that has it
    done = grade(shop.patch({"shop.py": FIXED, "check": None}), test_command="bash ./chec?")
    text = "with its changes the tests can't be run: bash: ./chec?: No such file or directory"
    assert done.fault == Fault(Verdict.UNRESOLVED, Kind.TESTS_FAIL, text)


@pytest.mark.slow
def test_a_set_that_asks_for_pytest_is_told_names(shop: Shop, grade: Grade) -> None:
    ids = {
        "fail_to_pass": ("tests/test_shop.py::TestShop::test_total",),
        "pass_to_pass": ("tests/test_shop.py::TestShop::test_count",),
    }
    line = f"{sys.executable} -m pytest -q -p no:cacheprovider -p no:randomly {{selection}}"
    done = grade(shop.instance.patch, test_command=line, **ids)
    assert (done.verdict, done.tests.kept) == (Verdict.RESOLVED, ids["pass_to_pass"])


@pytest.mark.slow
def test_a_gigabyte_of_output_is_not_kept(shop: Shop, grade: Grade) -> None:
    line = f"python3 -m unittest -v tests.test_shop; yes {'y' * 99} | head -c 1000000000"
    done = grade(shop.instance.patch, test_command=line)
    assert done.verdict is Verdict.RESOLVED
    assert len(done.log) < 1_100_000
    assert b" bytes left out ...]" in done.log
