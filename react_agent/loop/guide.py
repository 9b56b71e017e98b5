"""The guided run: the agent itself takes the routine steps, and the model only writes a function.

    run = look examples? (edit tests? examples?)* end
    look = read the file with the function that the issue is probably about
    examples = run the examples of the issue
    edit = a step by the model, which is undone together with its tests unless it is good
    end = conclude after a good edit, or give up

The steps that the agent takes itself are ordinary steps marked with `by=guide`. The guide keeps no
state outside the transcript. After a message from the user, it begins again.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from react_agent.guards.means import Means
from react_agent.guards.stuck import failing_ids
from react_agent.models.contract import Begun, View
from react_agent.parsers.issue.examples import are_better, examples_of, results_in, session
from react_agent.parsers.repo.function_rank import Function, functions_in, modules_in, ranked
from react_agent.parsers.text.gist import headline
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Entry, Event, Said
from react_agent.parsers.transcript.facts import read_list, write_list
from react_agent.parsers.transcript.labels import DEFAULT, Label
from react_agent.parsers.transcript.quoting import quote_world
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.prompt.view import limits_now
from react_agent.state.state import State
from react_agent.state.steps import RETRACTED, Spent, Step, compressed_event, since_told
from react_agent.tools.observation import Status
from react_agent.tools.registry import Kind as ToolKind

GUIDE = "guide"
_DOES, _FUNCTIONS = "does", "functions"  # facts of its own steps
LOOK, EXAMPLES, TESTS, BASE, AGAIN, END = "look", "examples", "tests", "base", "again", "end"
_MOST = 3  # functions that are tried
_REASON = 300  # characters
_SPARE = 1.3  # of the time that the longest try took
_ROOM = 150  # tokens, beside twice those that the function has
_NO_TIME = "no time is left for another try"
_NOTHING_GOOD = "no function that was written passes the tests and changes the examples"
_WORD = re.compile(r"\w+")
_FENCE, _LEAD = "```", "# Fixed:"
_TITLES = {  # of what its steps showed, in the prompt, with the language of the fence
    LOOK: ("The file {}", "python"),
    EXAMPLES: ("What the examples of the issue give now", ""),
    BASE: ("Tests that fail now", ""),
}


class Way(NamedTuple):
    """The way in which an attempt requests a function from the model."""

    target: int  # 0 is the likeliest function
    is_explained: bool  # its body begins with a comment, so that the model says what it changes
    draw: int  # the higher, the hotter


_WAYS = (
    *(Way(0, False, 0), Way(0, True, 1), Way(0, False, 2), Way(1, False, 0), Way(0, True, 2)),
    *(Way(1, True, 1), Way(0, True, 3), Way(0, False, 4), Way(0, True, 5), Way(2, False, 0)),
)


class Try(NamedTuple):
    """An attempt: an edit, and the steps that tested the edit."""

    edit: Step
    tests: Step | None
    examples: Step | None

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(filter(None, self))

    @property
    def undone(self) -> Sequence[Entry]:
        numbers = [one.number for one in self.steps]
        return [compressed_event(RETRACTED, numbers, "", by=GUIDE)]

    @property
    def seconds(self) -> float:
        spent = Spent()
        for one in self.steps:
            spent.add(one.said.facts)
            spent.add(one.seen.facts)
        return spent.seconds

    def is_like(self, other: "Try") -> bool:
        one, two = self.edit.said.turn, other.edit.said.turn
        return (one.action, one.input) == (two.action, two.input)  # whatever was thought


def guide(state: State, means: Means) -> Sequence[Entry]:
    """Return the next step for the agent to take itself, or nothing if it is the model's turn."""
    limits = limits_now(means.profile.limits, means.profile, state)
    course = Course(state, since_told(state.steps), means.files, limits.window_lines)
    if not course.targets:
        return _interrupted(course.before) or course.look()
    if state.hint:
        return ()
    if course.tries and course.tries[-1].edit.stands:
        return course.judge(course.tries[-1])
    longest = max((one.seconds for one in course.tries), default=0.0)
    is_late = state.spent.seconds + _SPARE * longest > means.budget.seconds
    target = None if len(course.tries) >= len(_WAYS) else course.target
    is_last = is_late or target is None  # then a change that mends no test is better than none
    if found := next((one for one in course.overlooked if is_last or course.is_better(one)), None):
        turn = found.edit.said.turn
        thought = f"Those tests fail without step {found.edit.number}, too, so I make it again."
        return [_said(thought, turn.action, turn.input, AGAIN)]
    if is_late:
        return _concluded(f"I give up because {_NO_TIME}.")
    return course.prepare(target) if target else _concluded(f"I give up because {_NOTHING_GOOD}.")


def guided(shown: View, state: State, files: Mapping[str, str]) -> View:
    """Return the prompt that requests a function, with the earlier results but without tools."""
    course = Course(state, since_told(state.steps), files)
    if not course.targets or course.target is None:
        return shown
    seen = "".join(_block(step) for step in course.standing if _does(step) in _TITLES)
    issue = (state.objective or "").strip()
    task = f"{issue}\n\n{state.all_told}{seen}{course.asked(course.target.name)}\n\n"
    begun = begun_of(course.target, is_explained=course.way.is_explained)
    draw = shown.draw + course.way.draw
    return replace(shown, instead=View("", task, (), DEFAULT.write(Label.THOUGHT), draw, begun))


def is_guided(state: State) -> bool:
    """Return whether the model is asked for a function in place of a step."""
    return bool(state.hint and Course(state, since_told(state.steps), {}).targets)


@dataclass(frozen=True)
class Course:
    """The progress of a guided run since the user's last message, derived from its state."""

    state: State
    steps: Sequence[Step]
    files: Mapping[str, str]
    window: int = 0  # lines of a file that are shown at once

    @cached_property
    def standing(self) -> list[Step]:
        return [step for step in self.steps if step.stands]

    @cached_property
    def before(self) -> "Course":
        """The progress up to the user's last message."""
        steps = self.state.steps[: len(self.state.steps) - len(self.steps)]
        return replace(self, steps=steps)

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """The functions that the issue is probably about, as PATH:NAME, the most likely first."""
        found = (one.said.facts.get(_FUNCTIONS, "") for one in self.standing)
        return next((read_list(written) for written in found if written), ())

    @cached_property
    def tries(self) -> list[Try]:
        found = list[Try]()
        for step in self.steps:
            if _does(step) in ("", AGAIN):
                found.append(Try(step, None, None))
            elif found and _does(step) == TESTS:
                found[-1] = found[-1]._replace(tests=step)
            elif found and _does(step) == EXAMPLES:
                found[-1] = found[-1]._replace(examples=step)
        return found

    @property
    def way(self) -> Way:
        """The way in which the next attempt requests the function."""
        return _WAYS[min(len(self.tries), len(_WAYS) - 1)]

    @cached_property
    def target(self) -> Function | None:
        """The function that the next attempt should change, or None if it no longer exists."""
        path, _, name = self.targets[min(self.way.target, len(self.targets) - 1)].rpartition(":")
        found = functions_in(path, self.files[path]) if path in self.files else ()
        return next((one for one in found if one.name == name), None)

    def first(self, does: str) -> Step | None:
        """Return the first step for this purpose that was not undone."""
        return next((one for one in self.standing if _does(one) == does), None)

    def look(self) -> Sequence[Entry]:
        """Read the file with the function that the issue is most likely about, if there is one.

        Functions that the user's last message names come first.
        """
        steps = self.before.steps
        last = steps[-1].messages if steps else self.state.told
        found = ranked(f"{self.state.objective}\n{self.state.all_told}", self.files)
        found = sorted(found, key=lambda one: one.name not in last)[:_MOST]
        if not found:
            return ()
        names = ", then at ".join(f"`{one.name}()` in {one.path}" for one in found)
        thought = f"The words of the issue point at {names}. I read the first file."
        functions = write_list([f"{one.path}:{one.name}" for one in found])
        lines = _lines_of(found[0], self.window)
        return [_said(thought, "read_file", lines, LOOK, **{_FUNCTIONS: functions})]

    def prepare(self, target: Function) -> Sequence[Entry]:
        """Take the steps that gather information for the model, then request the function."""
        tests = self.tries[-1].tests if self.tries else None
        if tests and tests.status is Status.FAILED and not self.first(BASE):
            thought = "These tests may have failed before. I run them without the change."
            return [_said(thought, "run_tests", "", BASE)]
        if not self.first(EXAMPLES):
            modules = modules_in(self.files)
            if examples := examples_of(_wanted(self.state), modules):
                thought = "I run the examples of the issue, to see what they give now."
                return [_said(thought, "run", session(examples, modules), EXAMPLES)]
        read = {path for one in self.state.standing if _does(one) == LOOK for path in one.paths}
        if target.path not in read:
            thought = f"The fault may be in `{target.name}()`, so I read its file."
            return [_said(thought, "read_file", _lines_of(target, self.window), LOOK)]
        return [Event("hint", self.asked(f"{target.name}()"))]

    def asked(self, name: str) -> str:
        """Return the request to the model as a single line."""
        reason = self._reason(self.tries[-1]) if self.tries else ""
        wanted = f"Write the whole corrected function `{name}` in one {_FENCE}python fence"
        return f"{reason}{wanted}, and nothing else."

    def judge(self, last: Try) -> Sequence[Entry]:
        """Test an edit, then either conclude the run or undo the edit."""
        edit, before = last.edit, self.first(EXAMPLES)
        if edit.kind in (ToolKind.READ, ToolKind.SEARCH) and self.target:
            return self.prepare(self.target)
        is_known = _does(edit) != AGAIN and any(last.is_like(one) for one in self.tries[:-1])
        if edit.has_written and not is_known:
            if last.tests is None:
                return [_said("I run the tests on it.", "run_tests", "", TESTS)]
            if before and self.passes(last) and last.examples is None:
                again = before.said.turn.input
                return [_said("Now the examples of the issue again.", "run", again, EXAMPLES)]
            is_chosen = _does(edit) == AGAIN and last.examples is None
            if self.passes(last) and (is_chosen or self.is_better(last)):
                return _concluded(_told(last))
        return last.undone

    @property
    def overlooked(self) -> list[Try]:
        """The attempts that were undone although their failing tests also fail without them."""
        again = [one for one in self.tries if _does(one.edit) == AGAIN]
        others = (one for one in self.tries if one.tests and not one.examples)
        found = (one for one in others if not any(one.is_like(each) for each in again))
        return [one for one in found if self.passes(one)]

    def passes(self, one: Try) -> bool:
        """Return whether every failing test also fails without the change."""
        if one.tests is None or one.tests.status is not Status.FAILED:
            return one.tests is not None
        now = _failing(one.tests)
        return bool(now) and now <= _failing(self.first(BASE))

    def is_better(self, one: Try) -> bool:
        """Return whether the issue's examples give better results than before.

        Without examples: whether a test that failed before passes, if such tests name a function.
        """
        before, base = self.first(EXAMPLES), self.first(BASE)
        if before is None and base and one.tests:
            names = {target.rpartition(":")[2] for target in self.targets}
            is_shown = not names.isdisjoint(_WORD.findall(base.seen.text))
            return not is_shown or not _failing(base) <= _failing(one.tests)
        if before is None or one.examples is None:
            return True
        then, now = results_in(before.seen.text), results_in(one.examples.seen.text)
        return are_better(_wanted(self.state), then, now)

    def _reason(self, one: Try) -> str:
        """Return a sentence about the problem with an attempt, if the attempt was tested."""
        if one.examples:
            return f"With your last change, {headline(_results(one.examples), _REASON)}. "
        lines = one.tests.seen.text.split("\n")[1:] if one.tests else []
        failed = headline(" ".join(line.strip() for line in lines), _REASON)
        return f"With your last change, tests failed: {failed}. " if failed else ""


def _wanted(state: State) -> str:
    """Return the objective and the user's messages, or the messages since a conclusion."""
    said = (state.objective or "") + state.told
    for step in state.steps:
        if step.messages:
            has_ended = step.said.turn.kind is Kind.CONCLUSION
            said = step.messages if has_ended else f"{said}\n{step.messages}"
    return said


def _interrupted(before: Course) -> Sequence[Entry]:
    """Undo an edit after which the user sent a message before the run ended."""
    is_open = before.targets and before.tries and before.tries[-1].edit.stands
    if not is_open or before.steps[-1].said.turn.kind is Kind.CONCLUSION:
        return ()
    return before.tries[-1].undone


def begun_of(function: Function, *, is_explained: bool) -> Begun:
    action, given = DEFAULT.write(Label.ACTION), DEFAULT.write(Label.INPUT)
    thought = f" I write `{function.name}()` again, corrected."
    labels = f"{thought}\n{action} replace\n{given} {function.path}\n"
    lead = _LEAD if is_explained else ""
    head = function.documented + " " * function.depth + lead if lead else function.signature
    room = 2 * estimate_tokens(function.text) + _ROOM
    return Begun(labels, f"{_FENCE}python\n{head}", _FENCE, room, function.indent, lead)


def _block(step: Step) -> str:
    """Return the output of a step that the guide took, formatted for the prompt."""
    title, language = _TITLES[_does(step)]
    text = quote_world(step.seen.text.partition("\n")[2].strip("\n"))
    path = next(iter(step.paths), "")
    return f"{title.format(path)}:\n\n{_FENCE}{language}\n{text}\n{_FENCE}\n\n" if text else ""


def _lines_of(function: Function, window: int) -> str:
    """Return the file's path, with a line range around the function if the file is too long."""
    if function.of <= window:
        return function.path
    size = function.text.count("\n") + 1
    first = max(function.first - max(window - size, 0) // 2, 1)
    return f"{function.path}:{first}-{first + window - 1}"


def _said(thought: str, action: str, given: str, does: str, **facts: str) -> Said:
    turn = Turn(Kind.ACTION, thought, action, given)
    return Said(turn, None, {"by": GUIDE, _DOES: does, **facts})


def _concluded(text: str) -> Sequence[Entry]:
    turn = Turn(Kind.CONCLUSION, "This is where the run ends.", conclusion=text)
    return [Said(turn, None, {"by": GUIDE, _DOES: END})]


def _does(step: Step) -> str:
    """Return the purpose of a step that the guide took, or an empty string for other steps."""
    facts = step.said.facts
    return facts.get(_DOES, "") if facts.get("by") == GUIDE else ""


def _failing(tests: Step | None) -> set[str]:
    return set(failing_ids(tests) if tests else ())


def _results(examples: Step) -> str:
    found = results_in(examples.seen.text)
    return "; ".join(f"{code} gives {result}" for code, result in found.items() if result)


def _told(one: Try) -> str:
    is_ok = one.tests is not None and one.tests.status is not Status.FAILED
    tested = "The tests pass" if is_ok else "The tests that fail, fail without it, too"
    results = f" Of the issue's examples, {_results(one.examples)}." if one.examples else ""
    return f"I have corrected {', '.join(one.edit.paths)}. {tested}.{results}"
