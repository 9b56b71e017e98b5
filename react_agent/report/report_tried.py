"""What a run thought and tried, in a line each."""

from collections.abc import Iterator

from react_agent.loop.state import State
from react_agent.loop.steps import Step
from react_agent.parsers.answers.conclusion import says_cause
from react_agent.parsers.testing.commands import only_runs_tests
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import headline
from react_agent.tools.observation import Status
from react_agent.tools.registry import Kind

_MOST = 20
_LINE = 100
_NAMED = 3


def hypothesis(state: State) -> tuple[int, str]:
    """The last Thought that says something of a cause, else the last one, and its step."""
    thoughts = [(step.number, step.said.turn.thought) for step in state.standing]
    if state.pending:
        thoughts.append((len(state.steps) + 1, state.pending.turn.thought))
    thoughts = [(number, thought) for number, thought in thoughts if thought]
    causes = [one for one in thoughts if says_cause(one[1])]
    return (causes or thoughts or [(0, "")])[-1]


def tried(state: State, most: int = _MOST) -> list[str]:
    """Edits, and runs of tests with their results; of many, the last."""
    lines = [line for step in state.steps if (line := _line(step))]
    lines += [f"cut off in step {len(state.steps) + 1}: {_asked(state)}"] if _asked(state) else []
    if len(lines) <= most:
        return lines
    return [f"({counted(len(lines) - most + 1, 'line')} before that)", *lines[1 - most :]]


def _line(step: Step) -> str:
    what = next(_what(step), "")
    undone = "" if step.stands else " (taken back)"
    return f"step {step.number}: {what}{undone}" if what else ""


def _what(step: Step) -> Iterator[str]:
    command = headline(step.said.turn.input, _LINE)
    if step.kind == Kind.WRITE:
        more = f" and {len(step.paths) - _NAMED} more" if len(step.paths) > _NAMED else ""
        files = ", ".join(step.paths[:_NAMED]) + more
        if step.status is Status.OK:
            yield f"{step.tool} {files}: {headline(step.said.turn.thought, _LINE)}".rstrip(": ")
        else:
            yield f"{step.tool} failed: {headline(step.seen.text, _LINE)}"
    if step.kind == Kind.TEST:
        yield f"tests: {step.seen.facts.get('tests') or headline(step.seen.text, _LINE)}"
    if step.kind == Kind.RUN and only_runs_tests(step.said.turn.input):
        yield f"{'failed' if step.status is Status.FAILED else 'passed'}: {command}"


def _asked(state: State) -> str:
    """For what the run was cut off in, if it was."""
    if state.pending is None or not state.pending.turn.action:
        return ""
    turn = state.pending.turn
    return f"{turn.action} {headline(turn.input, _LINE)}".strip()
