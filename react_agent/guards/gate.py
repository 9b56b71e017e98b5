"""The gate: a table of checks that are run when the model concludes.

A check yields one line, with its location, for each open point. It yields nothing if it passes.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import PurePosixPath

from react_agent.parsers.answers.labelled import gives_up, read_answers
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.plan.plan import Plan, TaskState, new_plan
from react_agent.parsers.plan.requests import apart_from_root
from react_agent.parsers.repo.file_roles import is_by_product, is_code, is_of_tests, is_scratch
from react_agent.parsers.repo.git_diff import FileDiff, Hunk, Line
from react_agent.parsers.testing.commands import only_runs_tests, runs_tests
from react_agent.parsers.testing.log import read_log
from react_agent.parsers.testing.repository import is_skip, named_test, skips_now
from react_agent.parsers.text.counted import counted, first_few
from react_agent.parsers.text.gist import headline
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.transcript.entries import Entry, Seen
from react_agent.parsers.transcript.facts import read_facts, write_list
from react_agent.parsers.values.arguments import Named
from react_agent.parsers.values.commands import COMMANDS, named_text
from react_agent.profiles.profile import Profile
from react_agent.prompt.plan_block import is_over
from react_agent.state.findings import GATE, Point, open_event, refusal
from react_agent.state.state import State, Stop, replanned, stop_event
from react_agent.state.steps import Step, since_told, whole_number
from react_agent.tools.git.change import Proposed, propose, proposed
from react_agent.tools.git.tree_diffs import differing_files
from react_agent.tools.git.workspace import Workspace
from react_agent.tools.observation import Status
from react_agent.tools.registry import How, Kind

UNTRIED = "untried"  # the only check for a conclusion that gives up
SCRATCH = "looks like a scratch file"
BY_PRODUCT = "looks like output that a tool left behind"


def litter(one: FileDiff, changes: Iterable[FileDiff], state: State, files: Proposed) -> str:
    """Return why a new file should not be part of the change, or an empty string.

    A file that the user named always belongs to the change.
    """
    path = one.new
    if not path or one.old or is_named_in(path, wanted(state)):
        return ""
    if is_scratch(path):
        word = PurePosixPath(path).stem if is_code(path) else PurePosixPath(path).name
        if all(other == path for other in files.mentions(word)):
            return SCRATCH
    if is_by_product(path) and path not in state.wrote:
        # The repository may have had by-products in the same folder before.
        new, folder = {one.new for one in changes if not one.old}, PurePosixPath(path).parent
        older = (PurePosixPath(other) for other in files.files() if other not in new)
        if not any(one.parent == folder and is_by_product(str(one)) for one in older):
            return BY_PRODUCT
    return ""


def wanted(state: State) -> str:
    """Return the title of the objective, and the user's messages."""
    return f"{title_of(state.objective or '')}\n{state.all_told}"


def is_named_in(path: str, text: str) -> bool:
    """Return whether a text contains the exact file name: `process.env` is no match for `.env`."""
    name = re.escape(PurePosixPath(path).name)
    return re.search(rf"(?<![\w.@+-]){name}(?![\w@+/-]|\.\w)", text) is not None


Fault = tuple[str, str]  # what is wrong, and what to do about it
Asked = Callable[[State], Sequence[Point]]


def came_of(conclusion: str, state: State, steps: int, gate: Asked | None) -> tuple[Entry, ...]:
    """Refuse the conclusion or stop the run. A conclusion in the last possible step is accepted."""
    by = "by the agent" if state.pending and "by" in state.pending.facts else "by the model"
    has_given_up = gives_up(conclusion)
    points = gate(state) if gate else ()
    if has_given_up:
        points = [point for point in points if point.check == UNTRIED]
    number = len(state.steps) + 1
    if points and refused(state) is None and number < steps:
        checks = write_list(dict.fromkeys(point.check for point in points))
        facts = {"n": str(number), "status": "failed", "kind": "none", "how": GATE, "open": checks}
        return (Seen(refusal(points), facts),)
    if has_given_up:
        return (stop_event(Stop.GAVE_UP, by),)
    return (*map(open_event, points), stop_event(Stop.CONCLUDED, by))


def refused(state: State) -> Step | None:
    """Return the first step whose conclusion was refused since the user last said something."""
    steps = since_told(state.steps)
    return next((step for step in steps if step.seen.facts.get("how") == GATE), None)


_SHOWN = 3
_WORDS = 100  # characters of a word


def listed(words: Sequence[str]) -> str:
    """Return the first few words, joined by commas, and the number of remaining words."""
    return first_few([headline(word, _WORDS) for word in words], _SHOWN)


@dataclass(frozen=True)
class Known:
    state: State
    changes: tuple[FileDiff, ...]
    holding: Proposed
    left_out: tuple[str, ...] = ()  # new files that will not be part of the change
    differing: Callable[[str, str], Sequence[str]] = lambda before, after: ()  # files that differ
    test_command: str = ""  # the configured command

    @cached_property
    def meant(self) -> tuple[FileDiff, ...]:
        """The changed files, excluding new scratch files."""
        return tuple(one for one in self.changes if one.old or not is_scratch(one.new))

    @cached_property
    def code(self) -> tuple[FileDiff, ...]:
        """The changed files that contain code and can therefore be tested."""
        return tuple(one for one in self.meant if is_code(one.path))

    @cached_property
    def of_tests(self) -> tuple[FileDiff, ...]:
        return tuple(one for one in self.meant if is_of_tests(one.path))

    @cached_property
    def has_tests(self) -> bool:
        if self.test_command:
            return True
        files = (*self.holding.files(), *(one.old for one in self.of_tests))
        return any(is_of_tests(path) and is_code(path) for path in files)


_MEND = {SCRATCH: "remove it, or give it a name that says what it is for", BY_PRODUCT: "remove it"}


def untried(known: Known) -> Iterator[Fault]:
    """Yield a fault if no step read, searched or edited. Small models often stop too early."""
    looked = (Kind.READ, Kind.SEARCH, Kind.WRITE)
    if not any(step.kind in looked and step.status is Status.OK for step in known.state.standing):
        how = "read the file that the objective is about, then change it"
        yield ("nothing was read and nothing was changed", how)


def empty(known: Known) -> Iterator[Fault]:
    if not known.changes and not known.state.threads:  # a review may be declined
        yield ("nothing was changed", "change what the objective asks for")


def left_out(known: Known) -> Iterator[Fault]:
    """Yield a fault for new files made only by commands, except build output and scratch files."""
    found = [path for path in known.left_out if not is_by_product(path) and not is_scratch(path)]
    if found:
        few = "it" if len(found) == 1 else "them"
        yield (
            f"only commands made {listed(found)}, so the change is without {few}",
            "git add the files that belong to it, and remove the rest",
        )


def scratch(known: Known) -> Iterator[Fault]:
    """Yield a fault for each new file that would be dropped at the end of the run."""
    for one in known.changes:
        if why := litter(one, known.changes, known.state, known.holding):
            yield (f"{one.new} is new and {why}, so the change will not include it", _MEND[why])


def tasks(known: Known) -> Iterator[Fault]:
    """Yield a fault for unfinished tasks of the plan. The root task is not checked."""
    plan = known.state.plan
    left = [task for task in plan.unfinished if task is not plan.root] if plan else []
    if left:
        shown = listed([f"{task.id} [{task.state}]" for task in left])
        yield (
            f"{counted(len(left), 'task')} of the plan neither done nor abandoned: {shown}",
            "finish the remaining tasks, or correct their states",
        )
    if plan and is_over(plan):
        yield from _never_begun(known.state.standing, plan)


def _never_begun(steps: Sequence[Step], plan: Plan) -> Iterator[Fault]:
    """Yield a fault for tasks that had not been started when the root task was closed."""
    before = now = new_plan(plan.main_goal)
    for step in steps:
        after = replanned(now, step) or now
        if is_over(after) and not is_over(now):
            before = apart_from_root(now, step.said.turn.input)
        now = after
    left = [
        task.id
        for task in before.unfinished
        if task is not before.root and task.state is TaskState.OPEN and not task.subtasks
    ]
    if left:
        yield (
            f"{counted(len(left), 'task')} of the plan not begun when task 0 was closed: "
            f"{listed(left)}",
            "finish the remaining tasks, or mark them abandoned",
        )


def threads(known: Known) -> Iterator[Fault]:
    facts = map(read_facts, known.state.threads)
    wanted = [number for fact in facts if (number := whole_number(fact.get("n")))]
    answers = read_answers(known.state.conclusion, max(wanted, default=0))
    left = [f"thread {number}" for number in wanted if number not in answers]
    if left:
        yield (
            f"no answer to {listed(left)}",
            "a line for each in the Conclusion, `Thread 1: what you did, or why not`",
        )


_LINE = 60  # characters


def no_test(known: Known) -> Iterator[Fault]:
    code = [one.path for one in known.code if any(one.added)]
    if code and not known.of_tests and known.has_tests:
        yield (f"{listed(code)} changed, but no test", "add one that fails without the change")


def only_tests(known: Known) -> Iterator[Fault]:
    if known.meant and known.of_tests == known.meant:
        changed = listed([one.path for one in known.of_tests])
        yield (f"only tests changed ({changed})", "change the code that they test")


def tests_gone(known: Known) -> Iterator[Fault]:
    """Yield a fault for deleted or skipped tests. Moved or renamed tests are not reported."""
    added = Counter(name for one in known.of_tests for name in _names(one.added))
    for one in known.of_tests:
        gone = [name for hunk in one.hunks for name in _gone(hunk, added)]
        if gone and is_code(one.path):
            where = one.path if one.new else f"{one.path}, which was deleted,"
            yield (f"{where} has lost {listed(gone)}", "bring back what still holds")
        yield from _passed_over(one, known)


def _gone(hunk: Hunk, added: Counter[str]) -> list[str]:
    """Return the deleted tests. A new test in the same hunk is assumed to be a renamed test."""
    removed = _names(hunk.removed)
    gone = [name for name in removed if not added[name]]
    new = [name for name in _names(hunk.added) if name not in removed]
    return gone[len(new) :]


def _names(lines: Iterable[Line]) -> list[str]:
    return [name for line in lines if (name := named_test(line.text))]


def _passed_over(one: FileDiff, known: Known) -> Iterator[Fault]:
    moved = {line.text.strip() for line in one.removed}
    for line in one.added:
        text = line.text.strip()
        if text not in moved and (is_skip(text) or _skips_at_once(one, line, known)):
            said = f"{one.path}:{line.number} skips a test ({headline(text, _LINE)})"
            yield (said, "let it run")


def _skips_at_once(one: FileDiff, line: Line, known: Known) -> bool:
    """Return whether the line unconditionally skips its test as the first statement."""
    if not skips_now(line.text):
        return False
    lines = (known.holding.now(one.new) or b"").decode(errors="replace").split("\n")
    return any(map(named_test, lines[max(line.number - 2, 0) : line.number - 1]))


_COULD_NOT = LatePattern(r"No module named|command not found|: not found|No such file or directory")
_COMMAND = 100  # characters


@dataclass(frozen=True, slots=True)
class RunOfTests:
    step: Step
    has_failed: bool
    said: str


def failing(known: Known) -> Iterator[Fault]:
    ran = _last_run(known)
    if ran and ran.has_failed and known.changes and not _changed_since(known, ran):
        yield (
            f"the last test run failed, in step {ran.step.number}, {ran.said}",
            "fix the failure, or say why this change is not the cause",
        )


def not_run(known: Known) -> Iterator[Fault]:
    """Yield a fault if code changed and the existing tests have not been run since then."""
    if not known.code or not known.has_tests:
        return
    ran = _last_run(known)
    if ran is None:
        changed = listed([one.path for one in known.code])
        yield (f"{changed} changed, and no test was run", "run the tests")
    elif since := _changed_since(known, ran):
        after = f"changed after the last test run, in step {ran.step.number}"
        yield (f"{listed(since)} {after}", "run them again")


def _last_run(known: Known) -> RunOfTests | None:
    runs = (run_of(step.ran, known.test_command) for step in reversed(known.state.standing))
    return next(filter(None, runs), None)


def run_of(step: Step, configured: str) -> RunOfTests | None:
    if step.kind == Kind.TEST:
        said = step.seen.facts.get("tests", "")
        is_run = said and step.status is not Status.EMPTY
        return RunOfTests(step, step.status is not Status.OK, said) if is_run else None
    if step.kind != Kind.RUN:
        return None
    lines = _lines(step)
    is_whole = bool(configured and configured in lines) or any(map(only_runs_tests, lines))
    return _read(step, is_whole=is_whole) if is_whole or any(map(runs_tests, lines)) else None


def _lines(step: Step) -> list[str]:
    """Return the command line that was run, and a variant that starts with the tool's alias."""
    turn = step.said.turn
    inner = named_text(turn.input, COMMANDS)
    line = (inner.text if isinstance(inner, Named) else turn.input).strip()
    is_alias = step.seen.facts.get("how") == How.ALIAS
    return [line, f"{turn.action} {line}"] if is_alias else [line]


def _read(step: Step, *, is_whole: bool) -> RunOfTests | None:
    """Parse the result from the output. The exit code is used if the command only ran tests."""
    report = read_log(step.seen.text)
    if report is None and step.status is Status.FAILED and _COULD_NOT.search(step.seen.text):
        return None
    broken = report.failed + report.errors if report else 0
    has_failed = bool(broken) or (is_whole and step.status is Status.FAILED)
    command = headline(step.said.turn.input, _COMMAND)
    ids = [one.id for one in report.failures] if report else []
    return RunOfTests(step, has_failed, f"{command} ({listed(ids)})" if ids else command)


def _changed_since(known: Known, ran: RunOfTests) -> list[str]:
    """Return the code files in the change that were modified after the test run."""
    code = {path for one in known.code for path in (one.old, one.new)}
    found, tree = dict[str, None](), ran.step.seen.facts.get("tree", "")
    for step in known.state.standing:
        if step.number > ran.step.number:
            after = step.seen.facts.get("tree", tree)
            found.update((path, None) for path in _written(known, step, tree, after))
            tree = after
    return [path for path in found if path in code]


def _written(known: Known, step: Step, before: str, after: str) -> Sequence[str]:
    if step.has_written:
        return step.paths
    is_other = step.kind == Kind.RUN and before and before != after
    return known.differing(before, after) if is_other else ()


ROWS: Mapping[str, Callable[[Known], Iterable[Fault]]] = {
    UNTRIED: untried,
    "empty": empty,
    "threads": threads,
    "tasks": tasks,
    "left_out": left_out,
    "only_tests": only_tests,
    "tests_gone": tests_gone,
    "failing": failing,
    "not_run": not_run,
    "no_test": no_test,
    "scratch": scratch,
}


def open_points(checks: Collection[str], known: Known) -> list[Point]:
    """Run the checks, and return the open points in table order, the most serious first."""
    return [Point(name, *fault) for name in ROWS if name in checks for fault in ROWS[name](known)]


def gate_for(profile: Profile, workspace: Workspace, commands: Mapping[str, str]) -> Asked | None:
    """Return a function that checks the workspace of a run and returns the open points."""
    if not profile.gate or not profile.checks:
        return None
    checks, test_command = profile.checks, commands.get("test", "").strip()

    def points(state: State) -> list[Point]:
        proposal = propose(workspace, state.wrote)
        seen = proposed(workspace, proposal.tree)
        differing = partial(differing_files, workspace.store)
        known = Known(state, seen.changes(), seen, proposal.left_out, differing, test_command)
        return open_points(checks, known)

    return points
