"""What a run found out, in Markdown: worth reading most when it failed."""

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import replace

from react_agent.guards.points import refused_for
from react_agent.loop.concluding import refused
from react_agent.loop.state import State
from react_agent.loop.steps import Step
from react_agent.loop.stop import Stop
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.plan.plan import Plan, write_plan
from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.facts import read_list
from react_agent.parsers.transcript.quoting import escape
from react_agent.prompt.plan_steps import is_used
from react_agent.report.going_on import forking, resuming
from react_agent.report.report_files import relevant
from react_agent.report.report_tried import hypothesis, tried
from react_agent.report.wishes import wishes
from react_agent.runs.outcome import Outcome

_MOST_FILES = 15


def report(outcome: Outcome) -> str:
    state = outcome.state
    parts = (
        f"# {title_of(state.objective or '')}",
        _ending(outcome),
        _section("What the agent said", [state.conclusion or _last_words(state)]),
        _section("Its last hypothesis", _hypothesis(state)),
        _section("Plan", _plan(state.plan)),
        _section("Turns", (f"- {line}" for line in outcome.turns)),
        _section(
            "Change",
            [
                f"Branch `{outcome.branch}`" if outcome.branch else "",
                _indented(outcome.diff),
                _patch(outcome),
            ],
        ),
        _section("Runs automatically", (f"- `{a.path}`: {a.why}" for a in outcome.automatic)),
        _section("Tests", [outcome.tests, _indented(outcome.tests_said)]),
        _section("Still open", _open(state)),
        _section("Taken back", (f"- {reason}" for reason in state.dead_ends)),
        _section("Left out of the change", (f"- `{path}`" for path in outcome.left_out)),
        _section("Dropped from the change", (f"- {line}" for line in outcome.dropped)),
        _section("Why it must not be sent", (f"- {line}" for line in outcome.refused)),
        _section("What it tried", [_indented("\n".join(tried(state)))]),
        _section("Files that seem to matter, and why", _relevant(state)),
        _section("Tools it wished for", _wishes(state)),
        _section("To go on", _going_on(outcome)),
    )
    return "\n\n".join(escape(part).strip() for part in parts if part) + "\n"


def _ending(outcome: Outcome) -> str:
    spent = outcome.state.spent
    cost = "" if spent.money is None else f", cost {spent.money:.4f}"
    why = f" ({outcome.state.stop_reason})" if outcome.state.stop_reason else ""
    steps = counted(len(outcome.state.steps), "step")
    tokens = f"{spent.prompt_tokens:,} + {counted(spent.reply_tokens, 'token')}"
    return (
        f"Ended as `{outcome.stop}`{why}: {steps}, {tokens}, {spent.seconds:.0f} s{cost}"
        f"{spent.not_known}."
        f"{_compressed(outcome.state)}"
    )


def _compressed(state: State) -> str:
    times = counted(len(state.compressed), "time")
    gone = f"{counted(state.taken, 'token')} taken out of it"
    return f"\nIts prompt was compressed {times}, {gone}." if state.compressed else ""


def _section(title: str, lines: Iterable[str]) -> str:
    body = "\n".join(line for line in lines if line).strip("\n")
    return f"## {title}\n\n{body}" if body else ""


def _indented(text: str) -> str:
    """A block of code, in which nothing is Markdown or HTML."""
    return "\n" + textwrap.indent(text, "    ") if text else ""


def _last_words(state: State) -> str:
    before = refused(state)
    if before is None or "by" in before.said.facts:  # a guard said it
        return _last_thought(state)
    said = f"Its Conclusion of step {before.number}, not accepted: {before.said.turn.conclusion}"
    return "\n\n".join(filter(None, (said, _last_thought(state))))


def _last_thought(state: State) -> str:
    last = state.pending.turn.thought if state.pending else ""
    thoughts = [step.said.turn.thought for step in state.standing if step.said.turn.thought]
    last = last or "".join(thoughts[-1:])
    return f"Its last thought: {last}" if last else ""


def _open(state: State) -> Iterator[str]:
    """When it ended; of a run that had no time left to mend it, when it first concluded."""
    before = refused(state)
    if state.stop is Stop.CONCLUDED:
        yield from (f"- {point.text}" for point in state.open)
        if state.open and before and _is_new(state, before):
            yield f"\nNone of it is what the Conclusion of step {before.number} was refused for."
    elif before:
        yield from (f"- {line}" for line in refused_for(before.seen))
        yield f"\nThis is as it was in step {before.number}, when it first concluded."


def _is_new(state: State, before: Step) -> bool:
    checks = read_list(before.seen.facts.get("open", ""))
    return {point.check for point in state.open}.isdisjoint(checks)


def _plan(plan: Plan | None) -> list[str]:
    if plan is None or not is_used(plan):
        return []
    root = replace(plan.root, goal=title_of(plan.main_goal))
    return [textwrap.indent(write_plan(Plan(root)), "    ")]


def _hypothesis(state: State) -> Iterator[str]:
    """Of a run that has come to nothing, unless it is its last thought and shown as such."""
    number, thought = hypothesis(state)
    is_shown = not state.conclusion and _last_thought(state).endswith(f": {thought}")
    if thought and not is_shown and state.stop is not Stop.CONCLUDED:
        yield f"From step {number}:"
        yield _indented(thought)


def _patch(outcome: Outcome) -> str:
    """Where the change is that became no branch."""
    return f"\nThe change so far: `{outcome.folder.patch}`" if _is_left(outcome) else ""


def _is_left(outcome: Outcome) -> bool:
    return bool(outcome.diff) and not outcome.branch


def _going_on(outcome: Outcome) -> Iterator[str]:
    if not outcome.is_success:
        commands = filter(None, (resuming(outcome), forking(outcome)))
        yield from (_indented(command) for command in commands)


def _relevant(state: State) -> list[str]:
    return [f"- `{one.path}`: {one.why}" for one in relevant(state)[:_MOST_FILES]]


def _wishes(state: State) -> Iterator[str]:
    """With lines of settings that would answer them."""
    found = wishes([state])
    yield from (f"- {wish.name} ({wish.times})" for wish in found)
    if entries := [wish.entry for wish in found if wish.entry]:
        yield "\nWhat you agree with, put into your settings:"
        yield _indented("\n".join(("[react_agent:hidden]", *entries)))
