"""The guided run: what is cheap and certain the agent does itself, and the model writes a function.

    run = look examples? try* end
    look = the file of the function that the issue points at is read
    examples = the issue's examples are run, to see what they give
    try = the model's edit, then the tests, then the examples; taken back unless it is good
    end = a conclusion after a good try, or after the best one is made again; else giving up

Each step of its own is an ordinary step that says so, and all it knows is in the transcript.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

from react_agent.guards.means import Means
from react_agent.guards.progress import failing_ids
from react_agent.models.contract import Begun, View
from react_agent.parsers.issue.examples import Change, examples_of, judged, results_in, session
from react_agent.parsers.repo.function_rank import Function, functions_in, modules_in, ranked
from react_agent.parsers.text.gist import headline
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Entry, Event, Said
from react_agent.parsers.transcript.facts import read_list, write_list
from react_agent.parsers.transcript.labels import DEFAULT, Label
from react_agent.parsers.transcript.quoting import quote_world
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.state.state import State
from react_agent.state.steps import RETRACTED, Step, compressed_event
from react_agent.tools.observation import Status
from react_agent.tools.registry import Kind as ToolKind

GUIDE = "guide"
_DOES, _FUNCTIONS = "does", "functions"  # facts of its own steps
LOOK, EXAMPLES, TESTS, BASE, AGAIN = "look", "examples", "tests", "base", "again"
_MOST = 3  # functions
_REASON = 300  # characters
_SPARE = 1.3  # of the time that the longest try took
_ROOM = 150  # tokens, beside twice those that the function has
_NOTHING_GOOD = "no function that was written passes the tests and changes the examples"
_FENCE, _LEAD = "```", "# Fixed:"


class Way(NamedTuple):
    """How a try asks for a function."""

    target: int  # the likeliest function is 0
    is_explained: bool  # its body begins with a comment, so that the model says what it changes
    draw: int  # the higher, the hotter


_WAYS = (
    *(Way(0, False, 0), Way(0, True, 1), Way(0, False, 2), Way(1, False, 0), Way(0, True, 2)),
    *(Way(1, True, 1), Way(0, True, 3), Way(0, False, 4), Way(0, True, 5), Way(2, False, 0)),
)


class Worth(IntEnum):
    """What is known of a try, without the hidden tests."""

    NOTHING = 0  # not applied, or tests fail
    SAME = 1  # the examples give what they gave
    UNKNOWN = 2  # there is no example
    CHANGED = 3  # the examples give something else
    EXPECTED = 4  # and it is what the issue names


@dataclass(frozen=True, slots=True)
class Try:
    """A step of the model, with the steps that tested it."""

    steps: tuple[Step, ...]

    @property
    def edit(self) -> Step:
        return self.steps[0]

    @property
    def stands(self) -> bool:
        return self.edit.stands

    @property
    def seconds(self) -> float:
        facts = (facts for one in self.steps for facts in (one.said.facts, one.seen.facts))
        return sum(float(one.get("seconds", "0")) for one in facts)

    def step(self, does: str) -> Step | None:
        return next((one for one in self.steps if _does(one) == does), None)


def guide(state: State, means: Means) -> Sequence[Entry]:
    """Return the next step that the agent takes itself; none if it is the model's turn."""
    if state.hint:
        return ()
    course = Course(state, means.files, means.profile.limits.window_lines)
    if not course.targets:
        return _look(state.objective or "", means)
    last = course.tries[-1] if course.tries else None
    if last and last.stands:
        return course.judge(last)
    if found := course.overlooked:
        return course.make_again(found)
    if course.is_short_of_time(means.budget.seconds):
        return course.give_up("no time is left for another try")
    return course.give_up(_NOTHING_GOOD) if course.is_over else course.next_try()


def _look(issue: str, means: Means) -> Sequence[Entry]:
    found = ranked(issue, means.files)[:_MOST]
    if not found:
        return ()
    names = [f"`{one.name}()` in {one.path}" for one in found]
    thought = f"The words of the issue point at {', then at '.join(names)}. I read the first file."
    functions = write_list([f"{one.path}:{one.name}" for one in found])
    lines = _lines_of(found[0], means.profile.limits.window_lines)
    return [_said(thought, "read_file", lines, LOOK, **{_FUNCTIONS: functions})]


def _lines_of(function: Function, window: int) -> str:
    """Return the file, or the lines around the function if the file is too long to be shown."""
    if function.of <= window:
        return function.path
    size = function.text.count("\n") + 1
    first = max(function.first - max(window - size, 0) // 2, 1)
    return f"{function.path}:{first}-{first + window - 1}"


@dataclass(frozen=True)
class Course:
    """The guided run so far."""

    state: State
    files: Mapping[str, str]
    window: int = 0  # lines of a file that are shown at once

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """The functions that the issue points at, as PATH:NAME, the likeliest first."""
        looks = (one for one in self.state.standing if _FUNCTIONS in one.said.facts)
        return next((read_list(one.said.facts[_FUNCTIONS]) for one in looks), ())

    @cached_property
    def tries(self) -> list[Try]:
        found = list[list[Step]]()
        for step in self.state.steps:
            if _does(step) in ("", AGAIN):
                found.append([step])
            elif found and _does(step) in (TESTS, EXAMPLES):
                found[-1].append(step)
        return [Try(tuple(one)) for one in found]

    def first(self, does: str) -> Step | None:
        """Return the first standing step of this kind, outside of any try."""
        return next((one for one in self.state.standing if _does(one) == does), None)

    @property
    def is_over(self) -> bool:
        return len(self.tries) >= len(_WAYS)

    def is_short_of_time(self, seconds: float) -> bool:
        longest = max((one.seconds for one in self.tries), default=0.0)
        return self.state.spent.seconds + _SPARE * longest > seconds

    @property
    def way(self) -> Way:
        """How the next try asks."""
        return _WAYS[min(len(self.tries), len(_WAYS) - 1)]

    @cached_property
    def target(self) -> Function | None:
        """The function that the next try is about."""
        path, _, name = self.targets[min(self.way.target, len(self.targets) - 1)].rpartition(":")
        found = functions_in(path, self.files[path]) if path in self.files else ()
        return next((one for one in found if one.name == name), None)

    def next_try(self) -> Sequence[Entry]:
        """Show what the model needs to see, then ask it for the function."""
        last = self.tries[-1] if self.tries else None
        tests = last.step(TESTS) if last else None
        if tests and tests.status is Status.FAILED and not self.first(BASE):
            thought = "These tests may have failed before. I run them without the change."
            return [_said(thought, "run_tests", "", BASE)]
        if not self.first(EXAMPLES) and (examples := self._examples()):
            thought = "I run the examples of the issue, to see what they give now."
            return [_said(thought, "run", examples, EXAMPLES)]
        if self.target is None:
            return self.give_up("the function is not there any more")
        path = self.target.path
        if not any(path in one.paths for one in self.state.standing if _does(one) == LOOK):
            thought = f"The fault may be in `{self.target.name}()`, so I read its file."
            lines = _lines_of(self.target, self.window)
            return [_said(thought, "read_file", lines, LOOK)]
        return [Event("hint", self.asked(f"{self.target.name}()"))]

    def asked(self, name: str) -> str:
        """Return what the model is asked for, in a line."""
        last = self.reason(self.tries[-1]) if self.tries else ""
        reason = f"{_sentence(last)} " if last else ""
        wanted = f"Write the whole corrected function `{name}` in one {_FENCE}python fence"
        return f"{reason}{wanted}, and nothing else."

    def _examples(self) -> str:
        names = modules_in(self.files)
        found = examples_of(self.state.objective or "", names)
        return session(found, names) if found else ""

    def judge(self, last: Try) -> Sequence[Entry]:
        """Test a try, then conclude or take it back."""
        edit, before = last.edit, self.first(EXAMPLES)
        if edit.kind in (ToolKind.READ, ToolKind.SEARCH) and edit.status is Status.OK:
            return self.next_try()
        if not edit.has_written or (_does(edit) != AGAIN and self.is_repeated(last)):
            return self._taken_back(last)
        if last.step(TESTS) is None:
            return [_said("I run the tests on it.", "run_tests", "", TESTS)]
        if self.worth(last) is Worth.NOTHING:
            return self._taken_back(last)
        if before and last.step(EXAMPLES) is None:
            again = before.said.turn.input
            return [_said("Now the examples of the issue again.", "run", again, EXAMPLES)]
        is_good = self.worth(last) > Worth.SAME
        return self.conclude(last) if is_good else self._taken_back(last)

    def is_repeated(self, last: Try) -> bool:
        return any(_is_same(one, last) for one in self.tries if one is not last)

    def worth(self, one: Try) -> Worth:
        tests, examples = one.step(TESTS), one.step(EXAMPLES)
        if not one.edit.has_written or tests is None or self._breaks(tests):
            return Worth.NOTHING
        if examples is None:
            return Worth.UNKNOWN
        return {
            Change.NONE: Worth.SAME,
            Change.WRONG: Worth.NOTHING,
            Change.SOME: Worth.CHANGED,
            Change.NAMED: Worth.EXPECTED,
        }[self._change(examples)]

    def _change(self, examples: Step) -> Change:
        before = self.first(EXAMPLES)
        then = results_in(before.seen.text) if before else {}
        return judged(self.state.objective or "", then, results_in(examples.seen.text))

    def _breaks(self, tests: Step) -> bool:
        """Return whether tests fail that did not fail without the change."""
        if tests.status is not Status.FAILED:
            return False
        base, now = self.first(BASE), failing_ids(tests)
        return not (base and now and set(now) <= set(failing_ids(base)))

    def reason(self, one: Try) -> str:
        """Return why a try was not good."""
        tests, examples = one.step(TESTS), one.step(EXAMPLES)
        if examples:
            then = results_in(examples.seen.text)
            shown = "; ".join(f"{code} gave {result}" for code, result in then.items() if result)
            return f"With your last change, {shown}"
        if tests:
            lines = [line.strip() for line in tests.seen.text.split("\n")[1:] if line.strip()]
            return f"With your last change, tests failed: {' '.join(lines)}"
        return ""

    def _taken_back(self, last: Try) -> Sequence[Entry]:
        numbers = [one.number for one in last.steps]
        return [compressed_event(RETRACTED, numbers, "", by=GUIDE)]

    @property
    def overlooked(self) -> Try | None:
        """The try that was taken back for tests that fail without it, too."""
        again = [one for one in self.tries if _does(one.edit) == AGAIN]
        others = (one for one in self.tries if not any(_is_same(one, each) for each in again))
        return next((one for one in others if self.worth(one) > Worth.SAME), None)

    def make_again(self, one: Try) -> Sequence[Entry]:
        turn = one.edit.said.turn
        thought = f"Those tests fail without step {one.edit.number}, too, so I make it again."
        return [_said(thought, turn.action, turn.input, AGAIN)]

    def give_up(self, why: str) -> Sequence[Entry]:
        turn = Turn(Kind.CONCLUSION, _sentence(why), conclusion=f"I give up because {why}.")
        return [Said(turn, None, {"by": GUIDE})]

    def conclude(self, last: Try) -> Sequence[Entry]:
        examples = last.step(EXAMPLES)
        shown = results_in(examples.seen.text) if examples else {}
        told = "".join(f" {code} gives {result}." for code, result in shown.items() if result)
        tests = last.step(TESTS)
        is_ok = tests is not None and tests.status is Status.OK
        tested = "The tests pass." if is_ok else "The tests that fail, fail without it, too."
        text = f"I have corrected {', '.join(last.edit.paths)}. {tested}{told}"
        turn = Turn(Kind.CONCLUSION, "The change is made and tested.", conclusion=text)
        return [Said(turn, None, {"by": GUIDE})]


def guided(shown: View, state: State, files: Mapping[str, str]) -> View:
    """Return the view of a turn that asks for a function: what was seen, and no tools."""
    course = Course(state, files)
    if not course.targets or course.target is None:
        return shown
    seen = "".join(_block(step) for step in state.standing if _does(step))
    task = (
        f"{(state.objective or '').strip()}\n\n{state.told}{seen}{course.asked(course.target.name)}"
    )
    begun = begun_of(course.target, is_explained=course.way.is_explained)
    draw = shown.draw + course.way.draw
    tail = DEFAULT.write(Label.THOUGHT)
    return replace(shown, instead=View("", f"{task}\n\n", (), tail, draw, begun))


def _block(step: Step) -> str:
    """Return what a step of the guide showed, for the prompt."""
    title, language = _TITLES[_does(step)]
    text = quote_world(step.seen.text.partition("\n")[2].strip("\n"))
    path = next(iter(step.paths), "")
    return f"{title.format(path)}:\n\n{_FENCE}{language}\n{text}\n{_FENCE}\n\n" if text else ""


_TITLES = {
    LOOK: ("The file {}", "python"),
    EXAMPLES: ("What the examples of the issue give now", ""),
    BASE: ("Tests that fail now", ""),
}


def begun_of(function: Function, *, is_explained: bool) -> Begun:
    action, given = DEFAULT.write(Label.ACTION), DEFAULT.write(Label.INPUT)
    thought = f" I write `{function.name}()` again, corrected."
    labels = f"{thought}\n{action} replace\n{given} {function.path}\n"
    lead = _LEAD if is_explained else ""
    head = function.documented + " " * function.depth + lead if lead else function.signature
    room = 2 * estimate_tokens(function.text) + _ROOM
    return Begun(labels, f"{_FENCE}python\n{head}", _FENCE, room, function.indent, lead)


def _said(thought: str, action: str, given: str, does: str, **facts: str) -> Said:
    turn = Turn(Kind.ACTION, thought, action, given)
    return Said(turn, None, {"by": GUIDE, _DOES: does, **facts})


def _does(step: Step) -> str:
    """Return what a step of the guide is for; empty for a step of the model."""
    facts = step.said.facts
    return facts.get(_DOES, "") if facts.get("by") == GUIDE else ""


def _is_same(one: Try, other: Try) -> bool:
    return one.edit.said.turn[1:4] == other.edit.said.turn[1:4]


def _sentence(text: str) -> str:
    bare = headline(text, _REASON).rstrip(".")
    return f"{bare[:1].upper()}{bare[1:]}."
