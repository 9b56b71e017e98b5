"""Check that an instance can be judged: its own fix resolves it, and an empty change does not."""

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from enum import StrEnum

from react_agent.errors import ReactAgentError
from react_agent.eval.task import Arm, Conditions, Graded, Instance, Key, Task, Verdict

# A new, empty file that no test looks at: with an empty patch the tests would not be run.
NOTHING = """\
diff --git a/.nothing-changed b/.nothing-changed
new file mode 100644
index 0000000000000000000000000000000000000000..e69de29bb2d1d6434b8b29ae775ad8c2e48c5391
"""
_ARM = Arm(model="", name="gold")

Grade = Callable[[Task, str], Graded]


class Finding(StrEnum):
    GOOD = "good"
    FLAKY = "flaky"
    NOT_RESOLVED = "its fix does not resolve it"
    NO_FIX_NEEDED = "resolved without a fix"
    NO_TESTS = "names no tests that fail"
    NO_PATCH = "has no fix to check it by"
    CANNOT_RUN = "can't be run"


@dataclass(frozen=True, slots=True)
class Checked:
    instance: Instance
    finding: Finding
    note: str = ""  # one line

    @property
    def is_good(self) -> bool:
        return self.finding is Finding.GOOD


def task_for(instance: Instance, conditions: Conditions, number: int = 1) -> Task:
    return Task(Key(instance.id, _ARM.name, number), instance, _ARM, conditions)


def all_checked(
    instances: Sequence[Instance],
    conditions: Conditions,
    grade: Grade,
    times: int,
    workers: Executor,
) -> Generator[Checked, None, None]:
    """Yield the results in the order of the instances. Closing the generator cancels the rest."""
    futures = [workers.submit(checked, one, conditions, grade, times) for one in instances]
    try:
        for instance, future in zip(instances, futures, strict=True):
            try:
                yield future.result()
            except ReactAgentError as error:  # its worker died
                yield Checked(instance, Finding.CANNOT_RUN, str(error))
    finally:
        for future in futures:
            future.cancel()


def checked(instance: Instance, conditions: Conditions, grade: Grade, times: int = 1) -> Checked:
    if not instance.is_graded:
        return Checked(instance, Finding.NO_TESTS)
    if not instance.patch.strip():
        return Checked(instance, Finding.NO_PATCH)
    seen: dict[str, list[Graded]] = {instance.patch: [], NOTHING: []}
    for number in range(1, times + 1):
        for patch, runs in seen.items():
            graded = grade(task_for(instance, conditions, number), patch)
            if graded.verdict in (Verdict.ENV_FAILED, Verdict.CRASHED):
                return Checked(instance, Finding.CANNOT_RUN, _why_not(graded))
            runs.append(graded)
    gold, nothing = seen[instance.patch], seen[NOTHING]
    if note := _differing(gold) or _differing(nothing):
        return Checked(instance, Finding.FLAKY, note)
    if gold[0].verdict is not Verdict.RESOLVED:
        return Checked(instance, Finding.NOT_RESOLVED, _why_not(gold[0]))
    if nothing[0].verdict is Verdict.RESOLVED:
        return Checked(instance, Finding.NO_FIX_NEEDED)
    notes = (
        _some(nothing[0].tests.fixed, "of FAIL_TO_PASS pass without it"),
        _some(nothing[0].tests.broken, "of PASS_TO_PASS fail without it"),
    )
    return Checked(instance, Finding.GOOD, "; ".join(filter(None, notes)))


def _differing(runs: Sequence[Graded]) -> str:
    """Return how often the first verdict occurred, and a varying test, or nothing if all agree."""
    first = runs[0]
    if all((one.verdict, one.tests) == (first.verdict, first.tests) for one in runs):
        return ""
    same = sum(one.verdict is first.verdict for one in runs)
    told = f"{first.verdict} {same} of {len(runs)} times"
    counted = Counter(name for one in runs for name in (*one.tests.fixed, *one.tests.kept))
    unsteady = sorted(name for name, passed in counted.items() if passed < len(runs))
    return f"{told}: {unsteady[0]}" if unsteady else told


def _why_not(graded: Graded) -> str:
    if graded.fault:
        return graded.fault.text
    tests = graded.tests
    parts = (_some(tests.not_fixed, "not fixed"), _some(tests.broken, "broken"))
    return "; ".join(filter(None, parts)) or str(graded.verdict)


def _some(names: Sequence[str], what: str) -> str:
    return f"{len(names)} {what}: {names[0]}" if names else ""
