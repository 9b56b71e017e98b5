"""react-agent completion"""

from typing import Annotated

import typer

from react_agent.cli import streams
from react_agent.errors import UsageError
from react_agent.tools import package_data

SHELLS = ("bash", "zsh", "fish")


def command(
    shell: Annotated[str, typer.Argument(metavar="SHELL", help=f"one of {', '.join(SHELLS)}")],
) -> None:
    """Print what makes a shell complete commands, options, runs, profiles and models.

    \b
    Example:
      react-agent completion bash >> ~/.bashrc
    """
    if shell not in SHELLS:
        raise UsageError(f"there is no completion for {shell!r}; there is for {', '.join(SHELLS)}")
    streams.give(package_data.text("react_agent.cli", f"completion.{shell}").encode())
