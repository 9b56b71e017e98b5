"""The states of a task, as models write them: a word is here if it can mean one state only."""

from react_agent.parsers.plan.plan import STATES, TaskState
from react_agent.parsers.plan.request import quoted
from react_agent.parsers.values.unreadable import Unreadable

_WRITTEN = {
    TaskState.OPEN: (
        *("open", "todo", "to do", "pending", "not started", "reopen", "reopened", "re-opened"),
        *("paused", "pause", "stopped for now", "later"),
    ),
    TaskState.IN_PROGRESS: (
        *("in progress", "inprogress", "started", "start", "starting", "doing", "current", "wip"),
        *("working", "working on", "work in progress", "active", "ongoing", "now", "begun"),
    ),
    TaskState.COMPLETED: ("completed", "complete", "done", "finished", "finish"),
    TaskState.ABANDONED: (
        *("abandoned", "abandon", "dropped", "drop", "cancelled", "canceled", "cancel"),
        *("given up", "give up", "gave up"),
    ),
    TaskState.VERIFIED: ("verified", "checked", "tested", "confirmed"),
}
_MEANT = {word: state for state, words in _WRITTEN.items() for word in words}
MARKS = "[](){}:,;.=<>-→–—|*\"'`!"  # stand around a word and mean nothing


def state_of(written: str) -> TaskState | Unreadable:
    """` Completed`, `done` and `in-progress` can mean one state only."""
    state = _MEANT.get(_folded(written))
    return state or Unreadable(
        f"{quoted(written)} is no state: a task is one of {', '.join(STATES)}"
    )


def _folded(written: str) -> str:
    spaced = written.casefold().replace("_", " ").replace("in-", "in ")
    return " ".join(spaced.split()).strip(MARKS + " ")
