"""The command line. A command's module is imported when that command is called."""

import importlib
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer
from typer.core import TyperCommand, TyperGroup

from react_agent.cli import streams
from react_agent.tools.errors import ReactAgentError

COMMANDS: Mapping[str, str] = {
    "solve": "turn an issue into a branch",
    "demo": "watch it work on a small repository, with no model and no key",
    "show": "read the transcript of a run",
    "resume": "take up a run from whatever its transcript now says",
    "replay": "do a run again and say where it differs",
    "tools": "the tools: offered, hidden, and how each answers",
    "wishes": "what agents asked for that there is not",
    "doctor": "what this machine and a model can do, and what to do about the rest",
}
INTERRUPTED = 130
_HELP = {"help_option_names": ["-h", "--help"]}
# Not filled again: \b is for click what a code block is for Markdown.
_EPILOG = """\
\b
Example:
  react-agent solve issue.md --repo . --model openai/gpt-6

\b
Exit codes:
  0    done
  1    the run ended without a branch, a replay differs, doctor found a fault
  2    what was asked for can't be done
  3    this machine lacks something
  130  interrupted"""


class _Command(TyperCommand):
    def get_help(self, ctx):  # type: ignore[no-untyped-def]
        """`ISSUE`, and not `{ISSUE} <str>`, as typer has it whatever the metavar is."""
        return re.sub(r"\{([A-Z]+)\}| <str>| <list\[str\]>", r"\1", super().get_help(ctx))


class _Commands(TyperGroup):
    def list_commands(self, ctx):  # type: ignore[no-untyped-def]
        return list(COMMANDS)

    def get_command(self, ctx, cmd_name):  # type: ignore[no-untyped-def]
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"react_agent.cli.{cmd_name}").command
        app = typer.Typer(rich_markup_mode=None, add_completion=False)
        app.command(cmd_name, cls=_Command)(command)
        return typer.main.get_command(app)

    def format_commands(self, ctx, formatter):  # type: ignore[no-untyped-def]
        """From the table: the top-level help imports no command."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


app = typer.Typer(
    cls=_Commands,
    rich_markup_mode=None,
    add_completion=False,
    invoke_without_command=True,
    context_settings=_HELP,
    epilog=_EPILOG,
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(version("react-agent"))
        raise typer.Exit


@app.callback()
def react_agent(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version")
    ] = False,
) -> None:
    """Turn an issue into a branch, with any model that can write text."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)


def main(arguments: Sequence[str] | None = None) -> None:
    """One line and an exit code for whatever a person can act on."""
    streams.show_what_they_cannot_encode()
    given = sys.argv[1:] if arguments is None else list(arguments)
    sys.exit(_exit_code(given))


def _exit_code(arguments: list[str]) -> int:
    code = 0
    try:
        code = app(arguments, prog_name="react-agent", standalone_mode=False) or 0
        streams.flush()
    except ReactAgentError as error:
        return streams.complain(str(error), error.exit_code)
    except typer.TyperException as error:
        command = next((word for word in arguments if word in COMMANDS), "")
        asked = " ".join(filter(None, ("react-agent", command, "--help")))
        return streams.complain(f"{error.format_message()} (see {asked})", 2)
    except (BrokenPipeError, SystemExit):  # typer's answer to `| head`, which has seen enough
        return streams.leave(_told(code))
    except OSError as error:
        return streams.leave(streams.complain(streams.reason(error), 3))
    return _told(code)


def _told(code: int) -> int:
    return streams.complain("interrupted", code) if code == INTERRUPTED else code
