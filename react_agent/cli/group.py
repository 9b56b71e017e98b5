"""Build the typer commands from a table with the help, options and function of each command.

The module of a function is imported only when its command is called, so that `--help` and
completion stay fast.
"""

import importlib
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from inspect import Parameter
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_origin

import typer
from typer.core import TyperCommand, TyperGroup

from react_agent.cli.options import OPTIONS

HEADINGS = ("Arguments", "Options", "Pull request", "Limits", "Other options")
_HELP = {"help_option_names": ["-h", "--help"]}


class Command(NamedTuple):
    place: str  # of its function, or of a group of its own: `module:name` below react_agent
    help: str = ""  # else the first sentence about its options
    heading: str = "Commands"
    # Dataclasses of the options; the first has the help. Without them, the function's parameters.
    options: tuple[type, ...] = ()

    @property
    def about(self) -> str:
        first = inspect.getdoc(self.options[0]) if self.options else ""
        sentence = (first or "").partition(".\n")[0]
        return self.help or sentence[:1].lower() + sentence[1:]


def load(one: Command) -> Any:
    """Import the command's module and return its function, or its group of subcommands."""
    module, _, attribute = one.place.partition(":")
    return getattr(importlib.import_module(f"react_agent.{module}"), attribute)


def _function(one: Command) -> Any:
    """Return the function that typer turns into a command, with a parameter for each option."""
    command: Any = None if one.options else load(one)
    if isinstance(command, typer.Typer):  # a group of its own
        return command
    kind = Parameter.KEYWORD_ONLY  # so that a parameter without a default may come later
    parts = [Parameter(each.__name__, kind, annotation=each) for each in one.options]
    parts = parts or list(inspect.signature(command).parameters.values())

    def called(**given: Any) -> Any:
        values = []
        for part in parts:
            of = part.annotation
            if is_dataclass(of):
                own = {field.name: given[field.name] for field in fields(of)}
                values.append(of(**own))  # type: ignore[operator]
            else:
                values.append(given[part.name])
        return (command or load(one))(*values)

    flat = [each for part in parts for each in _flat(part)]
    called.__signature__ = inspect.Signature(flat)  # type: ignore[attr-defined]
    called.__annotations__ = {each.name: each.annotation for each in flat}
    called.__doc__ = (one.options[0] if one.options else command).__doc__
    return called


def _flat(part: Parameter) -> Iterator[Parameter]:
    """Yield a parameter for each field of a dataclass, or the parameter itself for other types."""
    kind, of = Parameter.KEYWORD_ONLY, part.annotation
    if not is_dataclass(of):
        yield part.replace(kind=kind)
        return
    for field in fields(of):
        default = Parameter.empty if field.default is MISSING else field.default
        known = field.type
        if get_origin(known) is not Annotated:
            own = OPTIONS.get(f"{of.__name__}.{field.name}")  # type: ignore[union-attr]
            known = Annotated[known, own or OPTIONS[field.name]]
        yield Parameter(field.name, kind, default=default, annotation=known)


class _AsGiven(NamedTuple):
    """A parameter type that bypasses typer's conversion, which would import pydantic."""

    is_path: bool

    def coerce(self, value: Any, param: object, ctx: object) -> Any:
        return Path(value) if self.is_path and value is not None else value


def _as_given(params: list[Any]) -> list[Any]:
    """Bypass typer's conversion for all parameters except lists of strings."""
    for one in params:
        kind = one.type_descriptor
        if kind.is_path or kind.annotation in (str, bool):
            one._runtime_param = _AsGiven(kind.is_path)
    return params


class _Command(TyperCommand):
    def get_params(self, ctx):  # type: ignore[no-untyped-def]
        return _as_given(super().get_params(ctx))

    def get_help(self, ctx):  # type: ignore[no-untyped-def]
        """Return the help with `ISSUE` where typer would print `{ISSUE} <str>`."""
        return _bare(super().get_help(ctx))

    def format_options(self, ctx, formatter):  # type: ignore[no-untyped-def]
        """Write the options under headings, with the most common options first."""
        headings: dict[str, list[tuple[str, str]]] = {heading: [] for heading in HEADINGS}
        for one in self.get_params(ctx):  # type: ignore[no-untyped-call]
            if record := one.get_help_record(ctx):
                heading = "Arguments" if one.param_type_name == "argument" else ""
                heading = heading or getattr(one, "rich_help_panel", None) or "Options"
                name, about = record
                headings[heading].append((_bare(name), about))
        for heading, records in headings.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


def _bare(text: str) -> str:
    return re.sub(r"\{([A-Z|]+)\}| <(?:str|path|list\[\w+\])>", r"\1", text)


class _Word(NamedTuple):
    """A completion for the command line, in the format that typer expects."""

    value: str
    help: str
    type: str = "plain"


def _commands_of(table: Mapping[str, Command]) -> type[TyperGroup]:
    class Commands(TyperGroup):
        def __init__(self, **options: Any) -> None:
            super().__init__(**options)
            # typer suggests these names after a typing mistake.
            self.commands = dict.fromkeys(table)  # type: ignore[assignment]

        def get_params(self, ctx):  # type: ignore[no-untyped-def]
            return _as_given(super().get_params(ctx))

        def list_commands(self, ctx):  # type: ignore[no-untyped-def]
            return list(table)

        def get_command(self, ctx, cmd_name):  # type: ignore[no-untyped-def]
            if cmd_name not in table:
                return None
            function = _function(table[cmd_name])
            if isinstance(function, typer.Typer):  # a group of its own
                return typer.main.get_command(function)
            app = typer.Typer(rich_markup_mode=None, add_completion=False)
            app.command(cmd_name, cls=_Command)(function)
            return typer.main.get_command(app)

        def format_commands(self, ctx, formatter):  # type: ignore[no-untyped-def]
            """List the commands from the table, so that the top-level help imports no command."""
            width = max(map(len, table))
            for heading, rows in groupby(table.items(), lambda row: row[1].heading):
                with formatter.section(heading):
                    formatter.write_dl([(f"{name:<{width}}", one.about) for name, one in rows])

        def shell_complete(self, ctx, incomplete):  # type: ignore[no-untyped-def]
            """Complete the names of commands from the table."""
            found = [name for name in table if name.startswith(incomplete)]
            words = [_Word(name, table[name].about) for name in found]
            return [*words, *super(TyperGroup, self).shell_complete(ctx, incomplete)]

    return Commands


def group_of(table: Mapping[str, Command], about: str, *examples: str) -> typer.Typer:
    """Return a group of subcommands that prints its help if no subcommand is given."""
    lines = "\n".join(f"  {one}" for one in examples)
    app = app_of(table, f"\b\nExample:\n{lines}")
    app.callback(help=about)(help_if_alone)
    return app


def app_of(table: Mapping[str, Command], epilog: str, *, completes: bool = False) -> typer.Typer:
    return typer.Typer(
        cls=_commands_of(table),
        rich_markup_mode=None,
        add_completion=completes,
        invoke_without_command=True,
        context_settings=_HELP,
        epilog=epilog,
    )


def help_if_alone(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)
