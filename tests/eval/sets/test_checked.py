from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain, cycle

from check_rows import table_of

from react_agent.eval.engine.worker import WorkerDied
from react_agent.eval.sets.checked import NOTHING, Checked, Finding, all_checked, checked
from react_agent.eval.task import Conditions, Fault, Graded, Instance, Key, Kind, Task, Verdict
from react_agent.eval.task import Tests as Named

ONE = Instance("a-1", "o/n", "c", problem="x", patch="gold", fail_to_pass=("f", "g"))
GOLD = (Verdict.RESOLVED, Named(("f", "g"), (), ("p",), ()))
BEFORE = (Verdict.UNRESOLVED, Named((), ("f", "g"), ("p",), ()))
HALF = (Verdict.UNRESOLVED, Named(("f",), ("g",), (), ("p",)))
BROKE = (Verdict.UNRESOLVED, Named(("f", "g"), (), (), ("p",)))


@table_of(
    ("gold", "nothing", "finding", "note"),
    {
        "good": ([GOLD], [BEFORE], Finding.GOOD, ""),
        "good, with tests that are not as they are named": (
            [GOLD],
            [HALF],
            Finding.GOOD,
            "1 of FAIL_TO_PASS pass without it: f; 1 of PASS_TO_PASS fail without it: p",
        ),
        "nothing to fix": ([GOLD], [GOLD], Finding.NO_FIX_NEEDED, ""),
        "broken": ([HALF], [BEFORE], Finding.NOT_RESOLVED, "1 not fixed: g; 1 broken: p"),
        "not applied": (
            [(Verdict.PATCH_FAILED, Named())],
            [BEFORE],
            Finding.NOT_RESOLVED,
            "patch_failed",
        ),
        "flaky": ([GOLD, GOLD, BROKE], [BEFORE], Finding.FLAKY, "resolved 2 of 3 times: p"),
        "flaky before": ([GOLD], [BEFORE, HALF], Finding.FLAKY, "unresolved 3 of 3 times: f"),
    },
)
def test_finds_out_whether_an_instance_can_be_judged(
    gold: list[tuple[Verdict, Named]],
    nothing: list[tuple[Verdict, Named]],
    finding: Finding,
    note: str,
) -> None:
    told = {"gold": chain(gold, cycle(gold)), NOTHING: cycle(nothing)}

    def grade(task: Task, patch: str) -> Graded:
        return Graded(task.key, *next(told[patch]))

    assert checked(ONE, Conditions(), grade, times=3) == Checked(ONE, finding, note)


def test_a_worker_that_dies_is_the_failure_of_one() -> None:
    ok = Graded(Key("a-1", "gold", 1), *GOLD)

    def grade(task: Task, patch: str) -> Graded:
        if task.instance.id == "b":
            raise WorkerDied("the worker was killed")
        return ok if patch == "gold" else replace(ok, verdict=Verdict.UNRESOLVED, tests=BEFORE[1])

    set_of = [replace(ONE, id=name) for name in "abc"]
    with ThreadPoolExecutor(2) as workers:
        found = list(all_checked(set_of, Conditions(), grade, 1, workers))

    assert found == [
        Checked(set_of[0], Finding.GOOD),
        Checked(set_of[1], Finding.CANNOT_RUN, "the worker was killed"),
        Checked(set_of[2], Finding.GOOD),
    ]


def _refuse(task: Task, patch: str) -> Graded:
    fault = Fault(Verdict.ENV_FAILED, Kind.REPOSITORY, "there is no repository o/n")
    return Graded(task.key, Verdict.ENV_FAILED, fault=fault)


@table_of(
    ("changed", "finding", "note"),
    {
        "no repository": ({}, Finding.CANNOT_RUN, "there is no repository o/n"),
        "no patch": ({"patch": "\n"}, Finding.NO_PATCH, ""),
        "no tests": ({"fail_to_pass": ()}, Finding.NO_TESTS, ""),
    },
)
def test_what_cannot_be_checked_is_not_good(
    changed: dict[str, str], finding: Finding, note: str
) -> None:
    one = replace(ONE, **changed)

    found = checked(one, Conditions(), _refuse, times=3)

    assert (found, found.is_good) == (Checked(one, finding, note), False)
