"""Whether the tests of an instance say that it is resolved: the rules of the official harness."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from react_agent.eval.grading.naming import Names
from react_agent.eval.instance import Instance
from react_agent.eval.task import Tests
from react_agent.eval.verdict import Verdict
from react_agent.parsers.testing.report import Status, Statuses
from react_agent.parsers.text.late_pattern import LatePattern

# Some official sets hold this as the name of a test: a piece of pytest's progress.
_NO_TEST = LatePattern(r"\[ *\d+%\]")


@dataclass(frozen=True, slots=True)
class Judged:
    verdict: Verdict
    tests: Tests = field(default_factory=Tests)
    why: str = ""  # the log can't be believed: one line


def judge(statuses: Statuses, instance: Instance, code: int) -> Judged:
    """By what the log tells of each test, and the exit code of what ran them."""
    if not instance.is_graded:
        return Judged(Verdict.UNGRADED)
    if doubt := _doubt(statuses, code):
        return Judged(Verdict.UNRESOLVED, Tests(not_fixed=instance.fail_to_pass), doubt)
    names = Names(statuses)
    fixed, not_fixed = _parted(instance.fail_to_pass, lambda name: _passes(names.status(name)))
    kept, broken = _parted(instance.pass_to_pass, lambda name: _is_kept(name, names))
    is_resolved = not not_fixed and not broken
    verdict = Verdict.RESOLVED if is_resolved else Verdict.UNRESOLVED
    return Judged(verdict, Tests(fixed, not_fixed, kept, broken))


def _doubt(statuses: Statuses, code: int) -> str:
    """A patch can print `PASSED` by itself; the exit code is harder to forge."""
    if not statuses:
        return f"the log tells of no test by its name (exit code {code})"
    if code and not any(status.is_failure for status in statuses.values()):
        return f"the tests ended with exit code {code}, and the log tells of no failure"
    return ""


def _passes(status: Status | None) -> bool:
    return status is not None and status.is_pass


def _is_kept(name: str, names: Names) -> bool:
    status = names.status(name)
    return _passes(status) or status is Status.SKIPPED or bool(_NO_TEST.fullmatch(name))


def _parted(
    names: Sequence[str], is_good: Callable[[str], bool]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    good = {name for name in names if is_good(name)}
    return tuple(n for n in names if n in good), tuple(n for n in names if n not in good)
