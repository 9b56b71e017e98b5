"""The table of all commands, and the function that runs a command line."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from react_agent.cli import arguments as ask
from react_agent.cli.group import Command, app_of, group_of, help_if_alone
from react_agent.cli.options import Running, Sending
from react_agent.cli.terminal.streams import say
from react_agent.gone import COMMANDS as RENAMED
from react_agent.gone import OPTIONS as GONE_OPTIONS
from react_agent.parsers.settings.errors import did_you_mean
from react_agent.tools import variables
from react_agent.tools.errors import ReactAgentError

_NAME, _COMPLETES = "react-agent", "_REACT_AGENT_COMPLETE"


_FIRST, _MORE, _DELIVER = "Most used", "More about runs", "Deliver"
_MEASURE, _TOOLS = "Measure", "Tools"


def _command(heading: str, place: str, *options: type) -> Command:
    return Command(f"cli.{place}", "", heading, options)


COMMANDS: Mapping[str, Command] = {
    "solve": _command(_FIRST, "run:solve_issue", ask.Solve, Sending, Running),
    "chat": _command(_FIRST, "terminal.chat:command", ask.Chat, Running),
    "runs": _command(_FIRST, "reading.runs:command", ask.ListRuns),
    "show": _command(_FIRST, "reading.show:show_run", ask.Show),
    "pr": _command(_FIRST, "deliver:send_run", ask.SendRun),
    "init": _command(_FIRST, "set_up:init", ask.Init),
    "doctor": _command(_FIRST, "set_up:doctor", ask.Doctor),
    "demo": _command(_MORE, "demo:command", ask.Demo),
    "resume": _command(_MORE, "run:resume_run", ask.Resume, Running),
    "fork": _command(_MORE, "run:fork_run", ask.ForkRun, Running),
    "replay": _command(_MORE, "run:replay_run", ask.Replay),
    "page": _command(_MORE, "reading.page:command", ask.Page),
    "audit": _command(_MORE, "reading.show:audit_runs", ask.Audit),
    "review": _command(_DELIVER, "deliver:review", ask.Review, Running),
    "ci": _command(_DELIVER, "ci:command", ask.Ci, Running),
    "hook": _command(_DELIVER, "hook:command", ask.Hook),
    "eval": Command(
        "eval.cli.group:app", "solve a set of issues, judge, report and compare", _MEASURE
    ),
    "repair": _command(_TOOLS, "repair:command", ask.Repair),
    "inspect": Command(
        "cli.commands:inspect_app", "show profiles, tools, procedures and wishes", _TOOLS
    ),
    "endpoint": _command(_TOOLS, "endpoint:command", ask.Endpoint),
}
INSPECT: Mapping[str, Command] = {
    "profiles": _command("Commands", "reading.inspect:profiles", ask.Profiles),
    "tools": _command("Commands", "reading.inspect:tools", ask.Tools),
    "procedures": _command("Commands", "reading.inspect:procedures", ask.Procedures),
    "wishes": _command("Commands", "reading.inspect:wishes", ask.Wishes),
}
# click does not wrap text after \b, as Markdown does not wrap a code block.
_EPILOG = """\
\b
Example:
  react-agent solve issue.md --repo . --model openai/gpt-6

\b
Exit codes:
  0    done
  1    the run made no branch, or its tests failed; its change was not sent;
       a replay differs; doctor found a fault; a patch was refused; a
       transcript does not record all that an audit needs
  2    the request is wrong or can't be carried out
  3    something is missing on this machine
  130  interrupted"""

inspect_app = group_of(
    INSPECT,
    "Show profiles, tools and procedures, and the missing tools that models asked for.",
    "react-agent inspect profiles small",
    "react-agent inspect tools why grep",
)
app = app_of(COMMANDS, _EPILOG, completes=True)


class NotACommandLine(ReactAgentError):
    """The command line names an unknown command or option, or an argument is missing."""


def _version(wanted: bool) -> None:
    if wanted:
        from react_agent.tools import package_data  # imported here because nothing else needs it

        typer.echo(package_data.version())
        raise typer.Exit


@app.callback()
def react_agent(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version")
    ] = False,
) -> None:
    """Turn an issue into a pull request, with any model that can write text."""
    help_if_alone(context)


def called(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code."""
    if arguments and (now := RENAMED.get(arguments[0])):
        say([f"react-agent {arguments[0]} is now called react-agent {now}"])
        arguments = (*now.split(), *arguments[1:])
    try:
        _refuse_gone(arguments[:1])
        return app(list(arguments), prog_name=_NAME, standalone_mode=False) or 0
    except SystemExit as ended:
        if variables.value(_COMPLETES):
            return int(ended.code or 0)  # fish reads from it whether files may come next
        raise
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)  # an option without its argument has none
        named = [word for word in arguments if word in COMMANDS][:1]
        asked = context.command_path if context else " ".join((_NAME, *named))
        option = getattr(error, "option_name", "")
        _refuse_gone([option, f"{asked.partition(' ')[2]} {option}"])
        is_unknown = context and hasattr(error, "possibilities")
        told = _unknown_option(option, context, arguments) if is_unknown else error.format_message()
        raise NotACommandLine(f"{told.removesuffix('.')} (see {asked} --help)") from None


def _unknown_option(option: str, context: Any, words: Sequence[str]) -> str:
    """Return an error message that suggests a similar option or the right place for this one."""
    command, place = context.command, context.command_path
    for word in words:
        if word in getattr(command, "commands", ()):
            command, place = command.get_command(context, word), f"{place} {word}"
    known = [name for one in command.get_params(context) for name in one.opts]
    if option in known:
        return f"{option} is an option of a command: write it after `{place}`"
    meant = did_you_mean(option, (name for name in known if name not in ("-h", "--help")))
    return f"No such option: {option}{meant}"


def _refuse_gone(words: Sequence[str]) -> None:
    for word in words:
        if word in GONE_OPTIONS:
            raise NotACommandLine(f"{word} is gone: {GONE_OPTIONS[word]}") from None
