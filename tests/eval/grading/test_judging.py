"""The rules by which an instance is resolved."""

import pytest
from check_rows import table_of
from planted_logs import PLANTED, Planted

from react_agent.eval import task
from react_agent.eval.grading.judging import Judged, judge
from react_agent.eval.task import Instance, Verdict
from react_agent.parsers.testing.log import read_statuses
from react_agent.parsers.testing.report import Status


@table_of("case", [pytest.param(case, id=case.id) for case in PLANTED])
def test_a_log_says_whether_it_is_resolved(case: Planted) -> None:
    judged = judge(read_statuses(case.text), case.instance, case.code)
    assert judged.verdict is (Verdict.RESOLVED if case.resolved else Verdict.UNRESOLVED)


def _instance(fixed: tuple[str, ...], kept: tuple[str, ...] = ()) -> Instance:
    return Instance("i", "o/r", "b", "p", fail_to_pass=fixed, pass_to_pass=kept)


def test_each_test_is_told() -> None:
    statuses = {"a": Status.PASSED, "b": Status.ERROR, "c": Status.SKIPPED, "d": Status.FAILED}
    judged = judge(statuses, _instance(("a", "b", "c", "x"), ("a", "c", "d", "y")), 1)
    tests = task.Tests(("a",), ("b", "c", "x"), ("a", "c"), ("d", "y"))
    assert judged == Judged(Verdict.UNRESOLVED, tests)


def test_no_tests_no_verdict() -> None:
    assert judge({"a": Status.PASSED}, _instance(()), 0) == Judged(Verdict.UNGRADED)


@pytest.mark.parametrize("in_log", ["t (m.C.t)", "t (m.C)"])
@pytest.mark.parametrize("in_set", ["t (m.C.t)", "t (m.C)"])
def test_the_python_that_wrote_a_set_may_be_another(in_log: str, in_set: str) -> None:
    assert judge({in_log: Status.PASSED}, _instance((in_set,)), 0).verdict is Verdict.RESOLVED
