"""The plan of a run, changed by the model: tasks are added, and get other states.

What these tools answer is not kept anywhere: the fold reads the same input again.
"""

from collections.abc import Callable, Mapping
from functools import partial

from react_agent.parsers.plan import Plan
from react_agent.parsers.plan_added import added
from react_agent.parsers.plan_request import Replanned
from react_agent.parsers.plan_states import modified
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools.context import Context
from react_agent.tools.observation import Observation, failed
from react_agent.tools.registry import Kind, Tool

Change = Callable[[Plan, str], Replanned | Unreadable]

_NOTHING = "the plan stays as it is"


def _change(change: Change, text: str, context: Context) -> Observation:
    if context.plan is None:
        return failed("there is no plan here")
    came = change(context.plan, text)
    if isinstance(came, Unreadable):
        return failed(f"{came.reason}; {_NOTHING}")
    return Observation(came.text)


ADD_TASK = Tool(
    "add_task",
    "add a task to the plan; input: the id of its parent on the first line, its goal on the next, "
    "and its subtasks below, each behind `- `",
    Kind.PLAN,
    partial(_change, added),
)
MODIFY_TASK = Tool(
    "modify_task",
    "set the state of a task; input: its id and the state, as 0.1 in_progress (you start now), "
    "completed (done), verified (you have seen that it was successful), abandoned (given up for "
    "good), open (put aside for now)",
    Kind.PLAN,
    partial(_change, modified),
)
CHANGES: Mapping[str, Change] = {ADD_TASK.name: added, MODIFY_TASK.name: modified}
