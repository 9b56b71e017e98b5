"""What a prompt ends with: all that changes from one to the next, and nothing that is kept.

Each part stands in brackets, none of its lines reads as a label, and the hint is the last of them.
"""

from typing import TYPE_CHECKING

from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.quoting import escape
from react_agent.prompt.hints import ANSWER, PLAN, hint
from react_agent.prompt.plan_block import plan_block

if TYPE_CHECKING:  # the state weighs what is said here
    from react_agent.loop.state import State

MANY = 10**9  # steps, where nothing says how many there may be
_FEW_STEPS = 3


def told(state: "State", left: int) -> str:
    """`left` is how many steps there may still be."""
    last = _in_one_line(state.hint) or hint(state)
    parts = (
        *(f"dead end, taken back: {_in_one_line(reason)}" for reason in state.dead_ends),
        *(f"from memory: {_in_one_line(line)}" for line in state.recalled),
        f"running in the background: {_in_one_line('; '.join(state.running))}"
        if state.running
        else "",
        plan_block(state.plan, last) if state.plan and PLAN in state.shown else "",
        state.header.get("last", ""),  # of a role, in a procedure
        _few(left, state) if left <= _FEW_STEPS else "",
        last,
    )
    return "".join(f"({part})\n" for part in parts if part)


def _few(left: int, state: "State") -> str:
    told = f"{counted(left, 'step')} left: "
    if ANSWER not in state.shown:
        return f"{told}finish, and conclude"
    return told + ("answer with the whole change" if left == 1 else "look, then answer")


def _in_one_line(text: str) -> str:
    """Where a person has written that event, it may hold anything."""
    return escape(text.replace("\n", " "))
