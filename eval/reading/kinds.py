"""Why an attempt is not resolved: a table of rules, of which the first that holds is taken.

Each looks at what the run did, at the files that the fix of people touches, and at the tests. What
ended the run goes before what it had not done yet.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from react_agent.eval.reading.used import Run
from react_agent.eval.task import Fault, Graded, Instance, Kind, Verdict
from react_agent.loop.state import State
from react_agent.loop.steps import Step
from react_agent.loop.stop import REFUSES, Stop
from react_agent.parsers.repo.git_diff import read_git_diff
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import headline
from react_agent.parsers.turn.turn import Kind as Reply
from react_agent.tools.observation import Status
from react_agent.tools.registry import Kind as ToolKind

_LINE = 160
_LISTS = ("list_files", "repo_map", "outline")  # a name in a list of all is not found
_SEARCHES = (ToolKind.SEARCH, ToolKind.RUN, ToolKind.TEST)
_SHOWN = 3
_BUDGETS = (Stop.OUT_OF_STEPS, Stop.OUT_OF_TOKENS, Stop.OUT_OF_TIME, Stop.OUT_OF_MONEY)
_UNTOLD: Mapping[Verdict, Fault] = {  # where nobody says more than the verdict
    fault.verdict: fault
    for fault in (
        Fault(Verdict.ENV_FAILED, Kind.ENVIRONMENT, "there is no environment for it"),
        Fault(Verdict.CRASHED, Kind.OURS, "it crashed"),
        Fault(Verdict.TIMED_OUT, Kind.TESTS_HANG, "with its changes the tests do not end"),
    )
}
UNEXPLAINED = (Verdict.RESOLVED, Verdict.UNGRADED)


@dataclass(frozen=True, slots=True)
class Why:
    kind: Kind
    step: int  # that shows it; 0: none does
    text: str  # one line


@dataclass(frozen=True)
class Known:
    """What the rules are asked of."""

    run: Run
    gold: frozenset[str]  # files that the fix touches, as they are called at the base
    graded: Graded
    patch: str

    @cached_property
    def steps(self) -> list[tuple[int, Step]]:
        return self.run.steps

    @property
    def last(self) -> int:
        """The step that the run ended with; its Conclusion counts as one."""
        state = self.run.state
        return len(state.steps) + (state.pending is not None)

    @property
    def reason(self) -> str:
        return self.run.state.stop_reason

    @cached_property
    def edits(self) -> list[tuple[int, Step]]:
        """That were done, and not taken back."""
        return [(at, step) for at, step in self.steps if step.has_written and step.stands]

    @cached_property
    def refused(self) -> list[tuple[int, Step]]:
        return [
            (at, step)
            for at, step in self.steps
            if step.kind == ToolKind.WRITE and step.status is Status.FAILED
        ]

    @cached_property
    def found(self) -> int:
        """The first step that opened a file of the fix, or a search that showed it; 0: none."""
        return next((at for at, step in self.steps if _shows(step, self.gold)), 0)

    @cached_property
    def touched(self) -> frozenset[str]:
        return files_of(self.patch)

    @property
    def files(self) -> str:
        """Of the fix, for a person."""
        more = f" and {len(self.gold) - _SHOWN} more" if len(self.gold) > _SHOWN else ""
        return ", ".join(sorted(self.gold)[:_SHOWN]) + more


def why(run: Run, instance: Instance, graded: Graded, patch: str) -> Why | None:
    """None where it is resolved, or was not judged."""
    if graded.verdict in UNEXPLAINED:
        return None
    known = Known(run, files_of(instance.patch), graded, patch)
    fault = graded.fault or _UNTOLD.get(graded.verdict)
    if fault and fault.kind is not Kind.TESTS_FAIL:
        step = 0 if fault.kind.is_infrastructure else _last(known.edits)
        return Why(fault.kind, step, headline(fault.text, _LINE))
    return next(found for rule in RULES if (found := rule(known)))


def fault_of(state: State) -> Fault | None:
    """Of a run that was ended from outside; a model that refuses to answer has failed itself."""
    reason = headline(state.stop_reason, _LINE)
    if state.stop is Stop.MODEL_FAILED and not state.stop_reason.startswith(REFUSES):
        return Fault(Verdict.CRASHED, Kind.ENDPOINT, reason)
    if state.stop is Stop.INTERRUPTED:
        return Fault(Verdict.CRASHED, Kind.WORKER, f"it was interrupted {reason}")
    return None


def files_of(patch: str) -> frozenset[str]:
    """As they were called before it; of a patch that only makes files, those."""
    files = read_git_diff(patch)
    return frozenset(file.old for file in files if file.old) or frozenset(
        file.path for file in files
    )


def _shows(step: Step, files: Iterable[str]) -> bool:
    if step.tool in _LISTS:
        return False
    if any(path in files for path in map(_plain, step.paths)):
        return True
    return step.kind in _SEARCHES and any(_names(step.seen.text, path) for path in files)


def _plain(path: str) -> str:
    return path.removeprefix("./")


def _names(text: str, path: str) -> bool:
    """And not a longer path that ends in it."""
    at = text.find(path)
    while at >= 0:
        before = text[at - 1 : at] if at else ""
        after = text[at + len(path) : at + len(path) + 1]
        if not _goes_on(before) and not (after.isalnum() or after == "_"):
            return True
        at = text.find(path, at + 1)
    return False


def _goes_on(before: str) -> bool:
    return before.isalnum() or before in ("_", "-", ".")


def _broke(known: Known) -> Why | None:
    """What it was to fix is fixed."""
    tests = known.graded.tests
    if not tests.broken or tests.not_fixed:
        return None
    words = f"{_some(tests.broken)} passed before it"
    return Why(Kind.BROKE_OTHERS, _last(known.edits), words)


def _unreadable(known: Known) -> Why | None:
    """A row of replies that can't be read ends a run as stuck."""
    state = known.run.state
    last = known.steps[-1][1] if known.steps else None
    is_last = last is not None and last.said.turn.kind is Reply.MALFORMED
    if not is_last or state.stop is None or state.stop.is_final:
        return None
    return Why(Kind.UNREADABLE, known.last, headline(known.reason, _LINE))


def _stuck(known: Known) -> Why | None:
    if known.run.state.stop is not Stop.STUCK:
        return None
    first = min((min(t.steps) for t in known.run.state.troubles if t.steps), default=known.last)
    return Why(Kind.STUCK, first, headline(known.reason, _LINE))


def _exhausted(known: Known) -> Why | None:
    if known.run.state.stop is not Stop.PROMPT_EXHAUSTED:
        return None
    return Why(Kind.PROMPT_EXHAUSTED, known.last, headline(known.reason, _LINE))


def _out_of_budget(known: Known) -> Why | None:
    stop = known.run.state.stop
    if stop not in _BUDGETS:
        return None
    words = f"{stop.replace('_', ' ')}: {known.reason}"
    return Why(Kind.OUT_OF_BUDGET, known.last, headline(words, _LINE))


def _gave_up(known: Known) -> Why | None:
    state = known.run.state
    if state.stop not in (Stop.GAVE_UP, Stop.MODEL_FAILED):
        return None
    return Why(Kind.GAVE_UP, known.last, headline(state.conclusion or known.reason, _LINE))


def _not_believed(known: Known) -> Why | None:
    """The log of the tests, which says nothing of each."""
    if not (fault := known.graded.fault):
        return None
    return Why(fault.kind, _last(known.edits) or known.last, headline(fault.text, _LINE))


def _refused(known: Known) -> Why | None:
    if known.graded.verdict is Verdict.PATCH_FAILED:
        return Why(Kind.PATCH_REFUSED, _last(known.edits), "its patch does not apply to the base")
    if known.edits or not known.refused or known.touched & known.gold:
        return None
    at, step = known.refused[-1]
    return Why(Kind.PATCH_REFUSED, at, headline(step.seen.text, _LINE))


def _never_found(known: Known) -> Why | None:
    if not (known.gold and known.steps) or known.touched & known.gold or known.found:
        return None
    return Why(Kind.NEVER_FOUND, known.last, f"no step shows {known.files}")


def _no_change(known: Known) -> Why | None:
    """Of what others have predicted there is nothing but the patch."""
    if known.run.entries or known.patch.strip():
        return None
    return Why(Kind.NO_CHANGE, 0, "there is no change to judge")


def _not_edited(known: Known) -> Why | None:
    if known.touched & known.gold or (known.touched and not known.gold):
        return None
    if not known.gold:
        return Why(Kind.NOT_EDITED, known.last, "nothing was changed")
    others = f"; it changed {_some(sorted(known.touched), 'file')}" if known.touched else ""
    return Why(Kind.NOT_EDITED, known.found, f"{known.files} was not changed{others}")


def _tests_fail(known: Known) -> Why:
    tests = known.graded.tests
    also = f"; it broke {counted(len(tests.broken), 'other')}" if tests.broken else ""
    fail = "fails" if len(tests.not_fixed) == 1 else "fail"
    failing = f"{_some(tests.not_fixed)} still {fail}" if tests.not_fixed else "the tests fail"
    return Why(Kind.TESTS_FAIL, _last(known.edits) or known.last, headline(failing + also, _LINE))


def _some(names: Sequence[str], what: str = "test") -> str:
    if len(names) == 1:
        return headline(names[0], _LINE // 2)
    return f"{headline(names[0], _LINE // 2)} and {counted(len(names) - 1, f'other {what}')}"


def _last(steps: Sequence[tuple[int, Step]]) -> int:
    return steps[-1][0] if steps else 0


Rule = Callable[[Known], Why | None]
RULES: tuple[Rule, ...] = (
    *(_broke, _unreadable, _stuck, _exhausted, _out_of_budget, _gave_up, _not_believed),
    *(_refused, _never_found, _no_change, _not_edited, _tests_fail),
)
