"""The command line. A command's module is imported when that command is called."""

import importlib
import os
import sys
from collections.abc import Mapping
from typing import Annotated

import typer
from typer.core import TyperGroup

from react_agent.tools.errors import ReactAgentError

COMMANDS: Mapping[str, str] = {
    "solve": "turn an issue into a branch",
    "demo": "watch it work on a small repository, with no model and no key",
    "show": "read the transcript of a run",
    "resume": "take up a run from whatever its transcript now says",
    "replay": "do a run again and say where it differs",
    "tools": "the tools: offered, hidden, and how each answers",
}
_EPILOG = """\
Example: react-agent solve issue.md --repo . --model replay/transcript.txt

Exit codes: 0 done, 1 the run ended without a branch (or differs), 2 what was asked for can't be
done, 3 this machine lacks something, 130 interrupted."""


class _Commands(TyperGroup):
    def list_commands(self, ctx: typer.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx, cmd_name):  # type: ignore[no-untyped-def, override]
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"react_agent.cli.{cmd_name}").command
        app = typer.Typer(rich_markup_mode=None, add_completion=False)
        app.command(cmd_name)(command)
        return typer.main.get_command(app)

    def format_commands(self, ctx, formatter):  # type: ignore[no-untyped-def, override]
        """From the table: the top-level help imports no command."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


app = typer.Typer(
    cls=_Commands,
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=_EPILOG,
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(version("react-agent"))
        raise typer.Exit


@app.callback()
def react_agent(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version")
    ] = False,
) -> None:
    """Turn an issue into a pull request, with any model that can write text."""


def main() -> None:
    """One line and an exit code for whatever a person can act on."""
    try:
        app()
    except ReactAgentError as error:
        print(f"react-agent: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print("react-agent: interrupted", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
