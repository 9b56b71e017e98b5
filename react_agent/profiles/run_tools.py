"""Tools that operate on the run itself: its plan, its earlier steps, and a sub-agent for edits.

The plan tools do not store the plan. It is recomputed from the inputs of the recorded steps.
"""

from functools import partial

from react_agent.parsers.values.arguments import Unreadable
from react_agent.parsers.values.targets import parse_recall_request, read_edit_request
from react_agent.state.state import PLAN_CHANGES
from react_agent.tools.context import Context
from react_agent.tools.files.file_list import listing, near_it
from react_agent.tools.files.paths import Cause, Refused, named_place, open_inside, refused
from react_agent.tools.observation import Observation, failed, read_as
from react_agent.tools.registry import Kind, Tool

_NOTHING = "the plan stays as it is"


def _change(change: str, text: str, context: Context) -> Observation:
    if context.plan is None:
        return failed("there is no plan here")
    came = PLAN_CHANGES[change](context.plan, text)
    if isinstance(came, Unreadable):
        return failed(f"{came.reason}; {_NOTHING}")
    return Observation(came.text)


ADD_TASK = Tool(
    "add_task",
    "add a task to the plan; input: the id of its parent on the first line, its goal on the next, "
    "and its subtasks below, each behind `- `",
    Kind.PLAN,
    partial(_change, "add_task"),
)
MODIFY_TASK = Tool(
    "modify_task",
    "set the state of a task; input: its id and the state, as 0.1 in_progress (you start now), "
    "completed (done), verified (you have seen that it was successful), abandoned (given up for "
    "good), open (put aside for now)",
    Kind.PLAN,
    partial(_change, "modify_task"),
)


def _recall(text: str, context: Context) -> Observation:
    if context.recall is None:
        return failed("recall is off in this run: only the steps above are available")
    request = parse_recall_request(text)
    if isinstance(request, Unreadable):
        return failed(request.reason)
    said = f"left out: {', '.join(request.left_out)}" if request.left_out else ""
    return read_as(said, context.recall(request, context))


RECALL = Tool(
    "recall",
    "find again what earlier steps showed; input: words, or the number of a step (7, or 7:40-80 "
    "for lines of it)",
    Kind.READ,
    _recall,
)


def _update_file(text: str, context: Context) -> Observation:
    request = read_edit_request(text)
    if isinstance(request, Unreadable):
        return failed(request.reason)
    if context.delegate is None:
        return failed("it can't be delegated here: change the file yourself")
    place = named_place(context.root, request.path)
    if isinstance(place, Refused):
        return refused(place)
    opened = open_inside(place)
    if not isinstance(opened, Refused):
        opened.close()
        return context.delegate(place.name, request.description, context)
    near = near_it(place.name, listing(context).files) if opened.cause is Cause.MISSING else ""
    return refused(opened, near)


UPDATE_FILE = Tool(
    "update_file",
    "have one existing file changed for you; input: its PATH on the first line, then in words what "
    "to change and why",
    Kind.WRITE,
    _update_file,
)
