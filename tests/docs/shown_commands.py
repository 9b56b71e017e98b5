"""Lines of a document that call `react-agent`, held against the commands and options there are."""

import re
import shlex
from collections.abc import Iterator, Sequence

import typer

from react_agent.cli import repair
from react_agent.cli.group import app
from react_agent.errors import UsageError

_CALL = re.compile(r"(?:^|(?<=[\s/`(]))react-agent (?=[a-z-]+(?:\s|$))(?!.*\[OPTIONS])(.*)")
_REMARK = re.compile(r" {2,}\S.*| #.*")
_ENDS = frozenset(("|", "||", "&&", ";", "&", ">", ">>", "<", "2>", ")"))


def bare(line: str) -> str:
    """Without the remark that stands behind it, two blanks or more away."""
    return _REMARK.sub("", line)


def calls_in(text: str) -> Iterator[list[str]]:
    """The arguments of each call, as a shell would hand them over."""
    joined = re.sub(r"\\\n *", "", text)
    for line in joined.split("\n"):
        for found in _CALL.finditer(bare(line)):
            yield list(_until_its_end(found[1]))


def _until_its_end(text: str) -> Iterator[str]:
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    for word in lexer:
        if word in _ENDS or set(word) <= set("<>|&;()"):
            return
        yield word


def objection(arguments: Sequence[str]) -> str:
    """What our own command line says of them; nothing is run. What is lacking is not looked at."""
    if arguments[0] == "repair":
        return _objection_of_repair(arguments[1:])
    group, words = typer.main.get_command(app), list(arguments)
    context = group.make_context("react-agent", [])
    try:
        while hasattr(group, "get_command"):
            name = words.pop(0) if words else ""
            if name.startswith("-") or not name:
                return "" if not name else _objection_of(group, [name, *words])
            command = group.get_command(context, name)
            if command is None:
                return f"there is no command {name!r}"
            group = command
    except IndexError:
        return ""
    return _objection_of(group, words)


def _objection_of(command: object, words: list[str]) -> str:
    try:
        command.make_context("react-agent", words)  # type: ignore[attr-defined]
    except typer.Exit:  # --help, --version
        return ""
    except typer.TyperException as error:
        lacks = type(error).__name__ == "MissingParameter"
        return "" if lacks else error.format_message()
    return ""


def _objection_of_repair(words: Sequence[str]) -> str:
    try:
        repair.main([*words, "--help"])
    except UsageError as error:
        return str(error)
    return ""
