"""The Python that the commands of a run get, and short questions to it."""

import os
from pathlib import Path

from react_agent.tools.context import Context
from react_agent.tools.shell import confined, process, programs
from react_agent.tools.shell.process import Done

QUESTION_S = 20.0
_NAMES = ("python3", "python")


def interpreter(context: Context) -> str | None:
    """That of the virtual environment in use, of the workspace's own, else the first on PATH."""
    active = context.environment.get("VIRTUAL_ENV")
    folders = [Path(active)] if active else []
    for folder in (*folders, context.root / ".venv"):
        program = folder / "bin" / "python"
        if os.access(program, os.X_OK) and program.is_file():
            return str(program)
    path = context.environment.get("PATH", os.defpath)
    return next((found for name in _NAMES if (found := programs.found(name, path=path))), None)


def ask(python: str, code: str, context: Context, *arguments: str) -> Done:
    """Let it run a few lines in the workspace. Raises CannotStart."""
    seconds = min(QUESTION_S, context.limits.command_seconds)
    return confined.run([python, "-c", code, *arguments], context, timeout_s=seconds)


def can_import(python: str, module: str, context: Context) -> bool:
    code = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"
    try:
        done = ask(python, code, context, module)
    except process.CannotStart:
        return False
    return done.code == 0 and not done.timed_out
