"""Replies of a scripted model that many runs are made of."""

from title_patch import TITLE_PATCH

from react_agent.models.contract import View

DONE = " done\nConclusion: it is done"
LOOK = " look\nAction: list_files\nAction Input:\n"
TITLE = " a change\nAction: apply_patch\nAction Input: " + TITLE_PATCH
UNDO = " back\nAction: undo\nAction Input:\n"


def call(tool: str, given: str, thought: str = "so") -> str:
    return f" {thought}\nAction: {tool}\nAction Input: {given}\n"


def run(command: str, tool: str = "run") -> str:
    return call(tool, command, "go")


def interrupt(view: View) -> str:
    raise KeyboardInterrupt
