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
COMMANDS: Mapping[str, Command] = {
    "solve": Command(
        "turn an issue into a branch or a pull request",
        "run:solve_issue",
        _FIRST,
        (ask.Solve, Sending, Running),
    ),
    "chat": Command(
        "talk with a model about a repository, and let it make changes",
        "terminal.chat:command",
        _FIRST,
        (ask.Chat, Running),
    ),
    "runs": Command(
        "list the runs, or remove old ones", "reading.runs:command", _FIRST, (ask.ListRuns,)
    ),
    "show": Command("read the transcript of a run", "reading.show:show_run", _FIRST, (ask.Show,)),
    "pr": Command(
        "send the branch of a run as a pull request", "deliver:send_run", _FIRST, (ask.SendRun,)
    ),
    "init": Command(
        "find a model, save it in your settings, and try it", "set_up:init", _FIRST, (ask.Init,)
    ),
    "doctor": Command(
        "check this machine and a model, and suggest fixes",
        "set_up:doctor",
        _FIRST,
        (ask.Doctor,),
    ),
    "demo": Command(
        "watch it work on a small repository, without a model or a key", "", _MORE, (ask.Demo,)
    ),
    "resume": Command(
        "continue a run from its transcript", "run:resume_run", _MORE, (ask.Resume, Running)
    ),
    "fork": Command(
        "start a new run from a step of an earlier one",
        "run:fork_run",
        _MORE,
        (ask.ForkRun, Running),
    ),
    "replay": Command(
        "repeat a run and report differences", "run:replay_run", _MORE, (ask.Replay,)
    ),
    "page": Command(
        "write a run as one HTML file to read, search and share",
        "reading.page:command",
        _MORE,
        (ask.Page,),
    ),
    "audit": Command(
        "list what a run read, wrote, ran and reached, and was refused",
        "reading.show:audit_runs",
        _MORE,
        (ask.Audit,),
    ),
    "review": Command(
        "answer the review of a pull request", "deliver:review", _DELIVER, (ask.Review, Running)
    ),
    "ci": Command("act on the event that started a CI job", "", _DELIVER, (ask.Ci, Running)),
    "hook": Command(
        "let commits and pushes start runs in the background", "", _DELIVER, (ask.Hook,)
    ),
    "eval": Command(
        "solve a set of issues, judge, report and compare",
        "react_agent.eval.cli.group:app",
        _MEASURE,
    ),
    "repair": Command(
        "turn a patch that a model wrote into one that applies", "", _TOOLS, (ask.Repair,)
    ),
    "inspect": Command(
        "show profiles, tools, procedures and wishes", "commands:inspect_app", _TOOLS
    ),
    "endpoint": Command(
        "play the model yourself: an endpoint that you answer by hand", "", _TOOLS, (ask.Endpoint,)
    ),
}
INSPECT: Mapping[str, Command] = {
    "profiles": Command(
        "the prompt, tools and limits of each profile",
        "reading.inspect:profiles",
        options=(ask.Profiles,),
    ),
    "tools": Command(
        "the tools, offered and hidden, and what each does",
        "reading.inspect:tools",
        options=(ask.Tools,),
    ),
    "procedures": Command(
        "roles that take turns: list the procedures, or check a file",
        "reading.inspect:procedures",
        options=(ask.Procedures,),
    ),
    "wishes": Command(
        "tools that agents asked for and that do not exist",
        "reading.inspect:wishes",
        options=(ask.Wishes,),
    ),
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
    "react_agent.cli",
    INSPECT,
    "Show the profiles and tools, and the missing tools that models asked for.",
    "react-agent inspect profiles small",
    "react-agent inspect tools why grep",
)
app = app_of("react_agent.cli", COMMANDS, _EPILOG, completes=True)


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
        raise NotACommandLine(f"{told} (see {asked} --help)") from None


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
