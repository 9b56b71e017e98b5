"""A critic reads the Thoughts of a run that is stuck, and names the step where it went wrong.

It is asked once each time the ladder says to go back and nothing is proved. It sees the Thoughts
alone: what tools printed would lead it to where the run is, not to why.
"""

from collections.abc import Sequence

from react_agent.guards.means import Means
from react_agent.loop.findings import BACK
from react_agent.loop.state import State
from react_agent.loop.steps import RETRACTED, Step, compressed_event
from react_agent.models.contract import View
from react_agent.parsers.answers.labelled import Criticism, read_criticism
from react_agent.parsers.text.gist import headline, one_line
from react_agent.parsers.transcript.entries import Entry, Event
from react_agent.parsers.transcript.quoting import escape

CRITIC = "critic"  # what a model is asked for
SYSTEM = """\
An agent works on a repository, step by step, and is stuck. You are given what it was asked and what
it thought at each step. Somewhere it took a wrong turn: it believed what was not shown, or began
to try what could not work, and all that follows rests on it.

Name the first step that went wrong, and why, in exactly two lines:

Step: its number
Reason: one line, which says what was wrong and what to do otherwise

"""
_TAIL = "\nThe two lines:\n"
_OBJECTIVE, _THOUGHT = 600, 240  # characters
_ROOM = 300  # tokens of an answer
_FEWEST = 2  # steps


def criticised(state: State, means: Means) -> Sequence[Entry]:
    standing = [step for step in state.standing if step.said.turn.thought]
    is_wanted = means.profile.back.critic and is_sent_back(state)
    if not is_wanted or means.ask is None or len(standing) < _FEWEST:
        return ()
    answer, problem = means.ask(_view(state, standing), _ROOM, CRITIC)
    if problem:
        return (_note(f"could not be asked: {problem}"),)
    found = read_criticism(answer)
    if found is None:
        return (_note(f"named no step: {headline(answer)}"),)
    gone = [step for step in state.standing if step.number >= found.step]
    if not gone or gone[0].number != found.step:
        return (_note(f"named step {found.step}, which does not stand"),)
    return (_back(gone, found),)


def is_sent_back(state: State) -> bool:
    """The ladder said so, of this very step."""
    if state.asked.get(CRITIC) == len(state.steps):
        return False
    last = state.troubles[-1] if state.troubles else None
    return last is not None and last.answer == BACK and last.at == len(state.steps)


def _view(state: State, standing: Sequence[Step]) -> View:
    objective = _line(state.objective or "", _OBJECTIVE)
    thoughts = "\n".join(f"{s.number}. {_line(s.said.turn.thought, _THOUGHT)}" for s in standing)
    return View(
        SYSTEM, f"The agent was asked: {objective}\n\nIts thoughts:\n\n{thoughts}\n", (), _TAIL
    )


def _line(text: str, most: int) -> str:
    return escape(headline(one_line(text), most))


def _note(text: str) -> Event:
    return Event("note", escape(f"critic: {text}"))


def _back(gone: Sequence[Step], found: Criticism) -> Event:
    thought = _line(gone[0].said.turn.thought, 100)
    reason = _line(found.reason, _THOUGHT)
    line = f'"{thought}" led nowhere' + (f": {reason}" if reason else "")
    facts = {"by": CRITIC, "at": str(found.step)}
    return compressed_event(RETRACTED, [step.number for step in gone], line, **facts)
