"""The page of all commands, out of their own help: `cli_page.py FILE`."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import typer

from react_agent.cli.commands import app
from react_agent.cli.group import HEADINGS

NAME = "react-agent"
WIDE = 1000  # columns: no sentence of typer's is broken
HEAD = """\
# Commands

Made from the help of each command (`--help`, or `-h`). [Settings](settings.md) has the exit codes,
and what can stand in a file instead of an option.
"""


@dataclass(slots=True)
class Help:
    """What a command says of itself."""

    usage: str = ""
    paragraphs: list[str] = field(default_factory=list)
    literal: list[tuple[str, str]] = field(default_factory=list)  # `Example:`, and lines below it
    lists: dict[str, list[tuple[str, str]]] = field(default_factory=dict)


def read_help(text: str) -> Help:
    """Blocks with empty lines between them; paragraphs that are broken by hand are one line."""
    found = Help()
    for block in text.strip("\n").split("\n\n"):
        first, *others = block.split("\n")
        if first.startswith("Usage: "):
            found.usage = " ".join((first.removeprefix("Usage: "), *map(str.strip, others)))
        elif not first.startswith(" "):
            found.lists[first.rstrip(":")] = list(_rows(others))
        elif first.endswith(":") and others and all(line.startswith("    ") for line in others):
            found.literal.append((first.strip(), dedent("\n".join(others))))
        else:
            found.paragraphs.append(" ".join(line.strip() for line in (first, *others)))
    return found


def _rows(lines: list[str]) -> Iterator[tuple[str, str]]:
    """A name, two blanks, what it is; lines that are further in go on with that."""
    rows: list[list[str]] = []
    for line in lines:
        if re.match(r"  \S", line):
            name, _, said = line.strip().partition("  ")
            rows.append([name, said.strip()])
        else:
            rows[-1][1] = f"{rows[-1][1]} {line.strip()}".strip()
    return ((name, said) for name, said in rows)


def cli_page() -> str:
    return "\n".join((HEAD, *(_section(name, said) for name, said in helps())))


def helps() -> Iterator[tuple[str, Help]]:
    """By the words that call them."""
    return _helps(typer.main.get_command(app), NAME, None)


def _helps(command: Any, name: str, parent: typer.Context | None) -> Iterator[tuple[str, Help]]:
    """Of a command, and of those below it."""
    last = name.split()[-1]
    context = typer.Context(
        command, parent=parent, info_name=last, terminal_width=WIDE, max_content_width=WIDE
    )
    yield name, read_help(command.get_help(context))
    for inner in command.list_commands(context) if hasattr(command, "list_commands") else ():
        yield from _helps(command.get_command(context, inner), f"{name} {inner}", context)


def _section(name: str, said: Help) -> str:
    parts = [f"## {name}", f"    {said.usage}", *map(_text, said.paragraphs)]
    for title, rows in said.lists.items():
        parts += _table(title, [row for row in rows if not row[0].endswith("--help")], name)
    for title, lines in said.literal:
        parts += (title, indent(lines, "    "))
    return "\n\n".join(parts) + "\n"


def _table(title: str, rows: list[tuple[str, str]], command: str) -> Iterator[str]:
    if not rows:
        return
    shown, head = "`{0}`", title.lower().removesuffix("s")
    if title not in HEADINGS:  # commands
        shown, head = f"[`{{0}}`](#{command.replace(' ', '-')}-{{0}})", title
    lines = (f"| {shown.format(name)} | {_cell(said)} |" for name, said in rows)
    yield "\n".join((f"| {head} | |", "|---|---|", *lines))


def _cell(said: str) -> str:
    said = said.removesuffix("[required]").rstrip()
    said = re.sub(r" +\[default: (.*)]$", r" (without it: `\1`)", said)
    return _text(said).replace("|", "\\|")


def _text(said: str) -> str:
    """As Markdown; what stands in backticks is code there, too."""
    code = said.split("`")
    return "`".join(
        part if at % 2 else re.sub(r"([<*\\])", r"\\\1", part) for at, part in enumerate(code)
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(cli_page(), encoding="utf-8")
