"""A line of a shell, as a command of a run or as ourselves: what doctor tries walls with."""

from dataclasses import replace

from react_agent.errors import MachineError, ReactAgentError
from react_agent.tools.context import Context
from react_agent.tools.sandbox.sandbox import unconfined
from react_agent.tools.shell import shell
from react_agent.tools.shell.process import CommandResult

SECONDS = 30.0


def outside(context: Context) -> Context:
    """The same without walls."""
    return replace(context, sandbox=unconfined)


def tried(line: str, context: Context, seconds: float = SECONDS) -> CommandResult:
    try:
        return shell.run_sandboxed(shell.words(line), context, timeout_s=seconds)
    except ReactAgentError as error:
        raise MachineError(f"walls can't be tried here: {error}") from error
