"""Make several attempts at one issue, one after the other, and turn the best one into a branch.

Each attempt is a separate run from the same base commit and does not see the other attempts.
The folders of all attempts are kept.
"""

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from react_agent.errors import ReactAgentError
from react_agent.models.endpoint import is_replay
from react_agent.parsers.repo.file_roles import is_of_tests
from react_agent.parsers.repo.similarity import ChangedLines, changed_lines
from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import write_facts
from react_agent.procedure.course import as_one_run
from react_agent.procedure.play import play
from react_agent.runs.commands import Surroundings
from react_agent.runs.finish import finish
from react_agent.runs.report import Outcome
from react_agent.runs.run_setup import Names, Request, Run, begin, checkout, names_of
from react_agent.runs.verification import Verdict, unanswered
from react_agent.state.state import Stop
from react_agent.tools.git import change
from react_agent.tools.observation import Status
from react_agent.tools.testing.run_tests import RUN_TESTS

_FIRST_HEAT, _MORE_HEAT, _MOST_HEAT = 0.4, 0.3, 1.0


def drawn(number: int, spec: str) -> str:
    """Return the model of an attempt. All but the first have a higher temperature and a seed."""
    settings = spec.rpartition(" key=")[2].partition(" ")[2]
    if number == 1 or "=" in settings or is_replay(spec):
        return spec
    heat = min(_FIRST_HEAT + _MORE_HEAT * (number - 2), _MOST_HEAT)
    return f"{spec} temperature={heat:g} seed={number}"


@dataclass(frozen=True, slots=True)
class Candidate:
    number: int  # of the attempt
    run: Run
    stop: Stop
    patch: str
    open_points: int = 0  # how many the gate found
    tests: Verdict = Verdict.UNKNOWN  # on the repository's tests
    lines: ChangedLines = field(default=frozenset(), repr=False)  # of code

    @property
    def can_win(self) -> bool:
        return self.stop is Stop.CONCLUDED and bool(self.patch)


def candidate(number: int, run: Run) -> Candidate:
    state = as_one_run(run.folder, run.transcript.state)
    proposal = change.propose(run.workspace, state.wrote)
    patch = change.show(run.workspace, proposal.tree)[0].decode(errors="replace")
    made = Candidate(number, run, state.stop or Stop.INTERRUPTED, patch)
    if not made.can_win:
        return made
    tests = _tests(run, proposal.tree)
    code = frozenset(one for one in changed_lines(patch) if not is_of_tests(one[0]))
    points = len(unanswered(state.open, tests))
    return replace(made, open_points=points, tests=tests, lines=code)


def _tests(run: Run, tree: str) -> Verdict:
    """Run the repository's tests in a fresh checkout of the result."""
    is_configured = bool(run.project.settings.commands.get("test", ""))
    seconds = run.project.profile.limits.final_tests_seconds
    with checkout(run, tree) as (context, _):
        limits = replace(context.limits, command_seconds=seconds)
        seen = RUN_TESTS.call("", replace(context, limits=limits))
    if not is_configured and "tests" not in seen.facts:  # no test ran
        return Verdict.UNKNOWN
    return Verdict.FAILED if seen.status is Status.FAILED else Verdict.PASSED


_TESTS = {  # from the worst
    Verdict.FAILED: "tests fail",
    Verdict.UNKNOWN: "tests can't be run",
    Verdict.PASSED: "tests pass",
}


def choose(candidates: Sequence[Candidate]) -> Candidate | None:
    able = [one for one in candidates if one.can_win]
    agreeing = Counter(one.lines for one in able if one.lines)

    def rank(one: Candidate) -> tuple[int, ...]:
        measured = not one.open_points, [*_TESTS].index(one.tests), agreeing[one.lines]
        return *measured, -len(one.patch), -one.number

    return max(able, key=rank, default=None)


def standing(one: Candidate, candidates: Sequence[Candidate]) -> str:
    """Describe an attempt in a line."""
    if not one.can_win:
        return f"{one.stop}, {'with a change' if one.patch else 'no change'}"
    points = f"{counted(one.open_points, 'point')} open, " if one.open_points else ""
    same = sum(other.can_win and other.lines == one.lines for other in candidates) - 1
    is_told = bool(one.lines and same)  # changes of tests alone have no lines of code to compare
    told = f", the same change as {counted(same, 'other attempt')}" if is_told else ""
    return points + _TESTS[one.tests] + told


ATTEMPT, CHOSEN = "attempt", "chosen"  # events


@dataclass(frozen=True, slots=True)
class Attempted:
    outcomes: tuple[Outcome, ...]  # of each
    best: Outcome  # the winner; where none came to a change, the last one
    winner: int | None = None  # the number of the attempt
    standings: Sequence[str] = ()  # of each, in a line; empty: it was interrupted, and none chosen


def attempt(request: Request, count: int, around: Surroundings) -> Attempted:
    names, opened = request.names or names_of(request.issue, around, request.model), list[Run]()
    with contextlib.ExitStack() as stack:
        stack.enter_context(_told_if_it_fails(opened, around))
        for number in range(1, count + 1):
            model, own = drawn(number, request.model), Names(f"{names.run}-{number}", names.branch)
            around.tell(f"attempt {number} of {count}: {model}")
            opened.append(begin(replace(request, model=model, names=own), around))
            stack.callback(opened[-1].transcript.close)
            stack.callback(opened[-1].close)
            which = {"n": str(number), "of": str(count)}
            opened[-1].transcript.append(Event(ATTEMPT, write_facts(which)))
            stop = play(opened[-1], around)
            opened[-1].close()  # else running commands would change the files
            if stop is Stop.INTERRUPTED:
                # Nothing is chosen; all are kept, and those that ended can be resumed.
                for one in opened[:-1]:
                    run = one.folder.path.name
                    around.tell(f"ended, and not published: react-agent resume {run}")
                outcome = finish(opened[-1], around, publish=False, keep=True)
                return Attempted((outcome,), outcome)
        return _chosen(request, opened, around)


@contextlib.contextmanager
def _told_if_it_fails(opened: Sequence[Run], around: Surroundings) -> Iterator[None]:
    """If an error ends the attempts, tell how to continue each that has no outcome yet."""
    try:
        yield
    except (OSError, ReactAgentError, KeyboardInterrupt):
        for one in opened:
            if not one.transcript.state.is_complete:
                run = one.folder.path.name
                around.tell(f"kept, and not published: react-agent resume {run}")
        raise


def _chosen(request: Request, opened: Sequence[Run], around: Surroundings) -> Attempted:
    around.tell("choosing: running the tests on each attempt, which may take a while")
    found = [candidate(number, one) for number, one in enumerate(opened, 1)]
    winner, standings = choose(found), [standing(one, found) for one in found]
    outcomes = list[Outcome]()
    for one, told in zip(found, standings, strict=True):
        facts = write_facts({"is": "yes" if one is winner else "no"})
        one.run.transcript.append(Event(CHOSEN, f"{facts} {told}"))
        publish = request.publish and one is winner
        outcomes.append(finish(one.run, around, publish=publish, keep=request.keep))
    number = winner.number if winner else None
    return Attempted(tuple(outcomes), outcomes[(number or 0) - 1], number, standings)
