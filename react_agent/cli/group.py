"""All commands but the quick ones, in the words of typer."""

import functools
import importlib
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from inspect import Parameter
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from react_agent.cli.streams import say
from react_agent.cli.table import COMMANDS, INSPECT, Command
from react_agent.gone import COMMANDS as GONE
from react_agent.gone import OPTIONS as GONE_OPTIONS
from react_agent.tools.errors import ReactAgentError


def flattened(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same command; a parameter whose type is a dataclass stands for the fields of that."""
    groups: dict[str, Any] = {
        one.name: one.annotation
        for one in inspect.signature(command).parameters.values()
        if is_dataclass(one.annotation)
    }
    flat = list(_flat(inspect.signature(command)))

    @functools.wraps(command)
    def called(**given: Any) -> Any:
        made = {
            name: kind(**{field.name: given.pop(field.name) for field in fields(kind)})
            for name, kind in groups.items()
        }
        return command(**given, **made)

    called.__signature__ = inspect.Signature(flat)  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in flat}
    return called


def _flat(signature: inspect.Signature) -> Iterator[Parameter]:
    kind = Parameter.KEYWORD_ONLY  # so that one without a default may follow
    for one in signature.parameters.values():
        if is_dataclass(one.annotation):
            for field in fields(one.annotation):
                yield Parameter(field.name, kind, default=field.default, annotation=field.type)
        else:
            yield one.replace(kind=kind)


_NAME = "react-agent"
_HELP = {"help_option_names": ["-h", "--help"]}
# Not filled again: \b is for click what a code block is for Markdown.
_EPILOG = """\
\b
Example:
  react-agent solve issue.md --repo . --model openai/gpt-6

\b
Exit codes:
  0    done
  1    the run ended without a branch, its change was not sent, a replay
       differs, doctor found a fault, a patch was refused, a
       transcript does not tell all that an audit asks
  2    what was asked for can't be done
  3    this machine lacks something
  130  interrupted"""


class NotACommandLine(ReactAgentError):
    """An option or a command that there is not; what is missing."""


class _AsGiven(NamedTuple):
    """How typer makes a value of what was given; its own way imports pydantic, half of a start."""

    is_path: bool

    def coerce(self, value: Any, param: object, ctx: object) -> Any:
        return Path(value) if self.is_path and value is not None else value


def _as_given(params: list[Any]) -> list[Any]:
    """All but lists of texts."""
    for one in params:
        kind = one.type_descriptor
        if kind.is_path or kind.annotation in (str, bool):
            one._runtime_param = _AsGiven(kind.is_path)
    return params


class _Command(TyperCommand):
    def get_params(self, ctx):  # type: ignore[no-untyped-def]
        return _as_given(super().get_params(ctx))

    def get_help(self, ctx):  # type: ignore[no-untyped-def]
        """`ISSUE`, and not `{ISSUE} <str>`, as typer has it whatever the metavar is."""
        return re.sub(r"\{([A-Z|]+)\}| <str>| <list\[str\]>", r"\1", super().get_help(ctx))


def load(package: str, name: str, one: Command) -> Any:
    """A command, or a group of its own; its module is imported now."""
    place = one.place or f"{name.replace('-', '_')}:command"
    module, _, attribute = (place if "." in place else f"{package}.{place}").partition(":")
    return getattr(importlib.import_module(module), attribute)


def _commands_of(package: str, table: Mapping[str, Command]) -> type[TyperGroup]:
    """A command's module is imported when it is called."""

    class Commands(TyperGroup):
        def get_params(self, ctx):  # type: ignore[no-untyped-def]
            return _as_given(super().get_params(ctx))

        def list_commands(self, ctx):  # type: ignore[no-untyped-def]
            return list(table)

        def get_command(self, ctx, cmd_name):  # type: ignore[no-untyped-def]
            if cmd_name not in table:
                return None
            command = load(package, cmd_name, table[cmd_name])
            if isinstance(command, typer.Typer):  # a group of its own
                return typer.main.get_command(command)
            app = typer.Typer(rich_markup_mode=None, add_completion=False)
            app.command(cmd_name, cls=_Command)(flattened(command))
            return typer.main.get_command(app)

        def format_commands(self, ctx, formatter):  # type: ignore[no-untyped-def]
            """From the table: the top-level help imports no command."""
            width = max(map(len, table))
            for heading, rows in groupby(table.items(), lambda row: row[1].heading):
                with formatter.section(heading):
                    formatter.write_dl([(f"{name:<{width}}", one.about) for name, one in rows])

    return Commands


def group_of(package: str, table: Mapping[str, Command], about: str, *examples: str) -> typer.Typer:
    """Commands below a command, which tells of them where it is called alone."""
    lines = "\n".join(f"  {one}" for one in examples)
    app = _app(package, table, f"\b\nExample:\n{lines}")
    app.callback(help=about)(_help_if_alone)
    return app


def _app(package: str, table: Mapping[str, Command], epilog: str) -> typer.Typer:
    return typer.Typer(
        cls=_commands_of(package, table),
        rich_markup_mode=None,
        add_completion=False,
        invoke_without_command=True,
        context_settings=_HELP,
        epilog=epilog,
    )


def _help_if_alone(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)


inspect_app = group_of(
    "react_agent.cli",
    INSPECT,
    "Show what a model is offered, and what it asked for in vain.",
    "react-agent inspect profiles small",
    "react-agent inspect tools why grep",
)
app = _app("react_agent.cli", COMMANDS, _EPILOG)


def _version(wanted: bool) -> None:
    if wanted:
        from react_agent.tools import package_data  # costs what nothing else here does

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
    _help_if_alone(context)


def called(arguments: Sequence[str]) -> int:
    """The exit code."""
    if arguments and (now := GONE.get(arguments[0])):
        say([f"react-agent {arguments[0]} is now called react-agent {now}"])
        arguments = (*now.split(), *arguments[1:])
    try:
        return app(list(arguments), prog_name=_NAME, standalone_mode=False) or 0
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)  # an option without its argument has none
        named = [word for word in arguments if word in COMMANDS][:1]
        asked = context.command_path if context else " ".join((_NAME, *named))
        option = f"{asked.partition(' ')[2]} {getattr(error, 'option_name', '')}"
        if why := GONE_OPTIONS.get(option):
            raise NotACommandLine(f"{option} is gone: {why}") from None
        raise NotACommandLine(f"{error.format_message()} (see {asked} --help)") from None
