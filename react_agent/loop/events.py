"""What an event of the transcript changes in the state; and what a step has made."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from react_agent.guards.points import OPEN, read_point
from react_agent.loop.more_before import more_before
from react_agent.loop.spent import whole_number
from react_agent.loop.steps import (
    COMPRESSED,
    CONDENSED,
    CUT,
    HISTORY,
    MAINTAINER,
    RECALL,
    RETRACTED,
    SHELVED,
    Step,
    reason_in,
    renumbered,
    reshown,
    stage_of,
    told,
    told_line,
)
from react_agent.loop.stop import Stop
from react_agent.loop.troubles import STUCK, read_trouble
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import read_facts
from react_agent.prompt.plan_steps import plan_for, replanned
from react_agent.tools.context import LastEdit
from react_agent.tools.registry import named

if TYPE_CHECKING:  # it takes the events by the table below
    from react_agent.loop.state import State

ASKED, OVERFLOW = "asked", "overflow"  # events
PROFILE_FILE, PROFILE_TEXT = "profile file", "profile text"  # events
REDONE = "redone"
_OTHERWISE = "(since then done again on other files: look at what it left before you rely on it)\n"
START, SHORT = "start", 12  # of the files of a run; characters that name a tree in short
ANSWER = "answer"  # a fact of the first: what the model said
CONDENSING = "condense"  # what a model may be asked for
VIEW = (COMPRESSED, CUT, CONDENSED, SHELVED)  # events that change what a prompt shows
BACKGROUND_GONE = "the run was broken off here: what ran in the background has ended"
THREAD = "thread"  # of a review
_RESULTS = ("branch", "tests", "left out", "diff", "subject", "dropped", "refused", "checks")


@dataclass(frozen=True, slots=True)
class Rest:
    """A tool that is demoted: this very call of it is answered with a reason instead."""

    until: int  # the last step of it
    given: str  # the input
    tree: str = ""  # of the files: once they are others, it may return something else


def take_done(state: "State", step: Step) -> None:
    """What a step has made of the files, of the plan and of the place where commands run."""
    facts = step.seen.facts
    before, state.tree = state.tree, facts.get("tree", state.tree)
    state.cwd = facts.get("cwd", state.cwd)
    state.plan = replanned(state.plan, step)
    if step.has_written:
        state.wrote.update(step.paths)
        start = before or state.header.get("base", "")
        _take_edit(state, step, LastEdit(step.number, step.paths, start, state.tree))


def _take_edit(state: "State", step: Step, edit: LastEdit) -> None:
    if "undid" not in step.seen.facts:
        state.edits.append(edit)
    elif state.edits:
        state.edits.pop()


def _done_again(state: "State") -> None:
    """As if the steps that were taken back had not been made."""
    state.tree, state.cwd, state.plan = "", ".", plan_for(state.objective)
    state.edits.clear()
    state.wrote.clear()
    for step in state.standing:
        take_done(state, step)


def astray(state: "State", may_have_written: Callable[[Step], bool]) -> Step | None:
    """The first step that was made on other files than the steps that stand before it leave.

    A person has left out one, or has had one taken back, or stand again; or it was never made."""
    before = START
    for step in state.standing:
        if may_have_written(step):
            return step
        if step.tree:
            if step.seen.facts.get("on", before) != before:
                return step
            before = step.tree[:SHORT]
    return None


def on_which(state: "State") -> str:
    """The files that the next step is made on, in short."""
    return state.tree[:SHORT] or START


def _take_redone(state: "State", event: Event) -> None:
    """A step was done again, and has left other files."""
    facts = read_facts(event.text)
    number = whole_number(facts.pop("n", None))
    if 0 < number <= len(state.steps):
        step = state.steps[number - 1]
        is_other = bool(step.tree) and facts.get("tree", step.tree) != step.tree
        if is_other and step.stands and not step.told.endswith(_OTHERWISE):
            step = told(step, _OTHERWISE)
            state.prompt_tokens += estimate_tokens(_OTHERWISE)
        seen = replace(step.seen, facts={**step.seen.facts, **facts})
        state.steps[number - 1] = replace(step, seen=seen)
        _done_again(state)


def _take_hint(state: "State", event: Event) -> None:
    state.hint = event.text


def _take_demoted(state: "State", event: Event) -> None:
    facts = read_facts(event.text)
    given = next((step.said.turn.input for step in reversed(state.standing)), "")
    rest = Rest(whole_number(facts.get("until")), given, state.tree)
    state.demoted[facts.get("tool", "")] = rest


def _take_trouble(state: "State", event: Event) -> None:
    state.troubles.append(read_trouble(event.text, len(state.steps)))


def _take_model(state: "State", event: Event) -> None:
    """Another one counts anew."""
    state.window, state.counted, state.too_long = None, 0, 0


def _take_profile(state: "State", event: Event) -> None:
    state.profile.append(event)


def _take_thread(state: "State", event: Event) -> None:
    state.threads.append(event.text)


def _take_about(state: "State", event: Event) -> None:
    state.about.append(event.text)


def _take_procedure(state: "State", event: Event) -> None:
    state.procedure.append(event.text)


def _take_recalled(state: "State", event: Event) -> None:
    state.recalled.append(event.text)


def _take_open(state: "State", event: Event) -> None:
    state.open.append(read_point(event.text))


def _take_told(state: "State", event: Event) -> None:
    """It stands behind what there is now, in every prompt from now on."""
    line = told_line(event.text)
    if state.steps:
        state.steps[-1] = told(state.steps[-1], line)
    else:
        state.told += line
    state.prompt_tokens += estimate_tokens(line)


def _take_result(state: "State", event: Event) -> None:
    if state.objective is not None:  # what stands above it was meant, not made
        state.result[event.name] = event.text


def _take_overflow(state: "State", event: Event) -> None:
    facts = read_facts(event.text)
    state.window = whole_number(facts.get("window")) or state.window
    state.too_long = whole_number(facts.get("prompt")) or state.prompt_tokens
    if "estimated" not in facts and (counted := whole_number(facts.get("prompt"))):
        state.counted, state.counted_at = counted, state.prompt_tokens


def _take_asked(state: "State", event: Event) -> None:
    """A model was asked for something else than a step."""
    facts = read_facts(event.text)
    state.spent.add(facts)
    state.asked[facts.get("for", "")] = len(state.steps)
    if facts.get("for") == CONDENSING:
        state.asked_in_vain += 1
        state.asked_at = len(state.steps)


def _take_view(state: "State", event: Event) -> None:
    """The transcript keeps what the prompt leaves out."""
    tokens = state.prompt_tokens
    _show_again(state, event)
    if event.name == CONDENSED:
        state.asked_in_vain = 0
    if event.name == SHELVED:
        _say_before(state, can_recall=RECALL in read_facts(event.text))
    if stage_of(event) != HISTORY and (taken := tokens - state.prompt_tokens) > 0:
        state.taken += taken
        state.compressed.add(len(state.steps) + 1)


def _say_before(state: "State", *, can_recall: bool) -> None:
    state.prompt_tokens -= estimate_tokens(state.before)
    state.before = more_before(state.steps, can_recall=can_recall)
    state.prompt_tokens += estimate_tokens(state.before)


def _show_again(state: "State", event: Event) -> list[Step]:
    changed = reshown(state.steps, event)
    for number, step in changed.items():
        state.prompt_tokens += step.tokens - state.steps[number - 1].tokens
        state.steps[number - 1] = step
    return list(changed.values())


def _take_back(state: "State", event: Event) -> None:
    """Files, folder and background as they were without these steps; why is told from now on."""
    gone = [step for step in _show_again(state, event) if not step.stands]
    if not gone:
        return
    state.hint = ""
    state.troubles.clear()
    if reason := reason_in(event.text):
        state.dead_ends.append(reason)
    _done_again(state)
    _say_before(state, can_recall=named(RECALL) in state.before)
    state.running = still_running(state, gone)


def started_in(state: "State", steps: Iterable[Step]) -> list[str]:
    """Numbers of the background commands that they started, and that may run still.

    What ran when the run was broken off does not, and its numbers are given anew."""
    since = (step for step in steps if step.number > state.taken_up)
    return [number for step in since if (number := step.seen.facts.get("background"))]


def still_running(state: "State", gone: Iterable[Step]) -> tuple[str, ...]:
    """Without what these steps have started."""
    ended = tuple(f"{number}:" for number in started_in(state, gone))
    return tuple(line for line in state.running if not line.startswith(ended))


def _take_resumed(state: "State", event: Event) -> None:
    is_called = state.pending is not None and bool(state.pending.turn.action)  # a tool, not a model
    if not is_called and state.stop in (None, Stop.INTERRUPTED):
        state.spent.unknown += 1
    state.stop, state.stop_reason = None, ""
    state.taken_up = len(state.steps)
    state.troubles.clear()
    if state.running:
        state.hint, state.running = BACKGROUND_GONE, ()
    state.result.clear()
    state.steps[:] = renumbered(state.steps)
    state.open.clear()


def _take_stop(state: "State", event: Event) -> None:
    word, _, reason = event.text.partition(" ")
    state.stop = Stop(word) if word in tuple(Stop) else None
    state.stop_reason = reason


EVENTS: Mapping[str, Callable[["State", Event], None]] = {
    "hint": _take_hint,
    "demote": _take_demoted,
    STUCK: _take_trouble,
    "stop": _take_stop,
    "resumed": _take_resumed,
    "model": _take_model,
    "about": _take_about,
    THREAD: _take_thread,
    PROFILE_FILE: _take_profile,
    PROFILE_TEXT: _take_profile,
    "procedure": _take_procedure,
    "recalled": _take_recalled,
    OVERFLOW: _take_overflow,
    ASKED: _take_asked,
    RETRACTED: _take_back,
    OPEN: _take_open,
    MAINTAINER: _take_told,
    REDONE: _take_redone,
    **dict.fromkeys(VIEW, _take_view),
    **dict.fromkeys(_RESULTS, _take_result),
}
