"""What a scripted model says in many whole runs."""

from collections.abc import Callable

from title_patch import TITLE_PATCH

from react_agent.models.contract import View

DONE = " done\nConclusion: it is done"
LOOK = " look\nAction: list_files\nAction Input:\n"
READ = " look\nAction: read_file\nAction Input: README.md\n"
TITLE = " a change\nAction: apply_patch\nAction Input: " + TITLE_PATCH
UNDO = " back\nAction: undo\nAction Input:\n"
ADD = """ a file
Action: apply_patch
Action Input: --- /dev/null
+++ b/new.py
@@ -0,0 +1 @@
+NEW = True
"""
ASK = " ask\nAction: update_file\nAction Input: README.md\nBegin the title with a capital.\n"
CHANGED = " done\nConclusion: The title begins with a capital."


def call(tool: str, given: str = "x", thought: str = "x") -> str:
    return f" {thought}\nAction: {tool}\nAction Input: {given}\n"


def replaced(path: str, old: str, new: str, thought: str = "x") -> str:
    block = f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE"
    return call("replace", f"{path}\n{block}", thought)


def run(command: str, tool: str = "run") -> str:
    return call(tool, command, "go")


def noted(views: list[View], reply: str) -> Callable[[View], str]:
    """A reply that keeps what the model saw."""

    def answer(view: View) -> str:
        views.append(view)
        return reply

    return answer


def interrupt(view: View) -> str:
    raise KeyboardInterrupt
