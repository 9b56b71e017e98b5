"""Lines of a document that call `react-agent`, held against the commands and options there are."""

import re
import shlex
from collections.abc import Iterator, Sequence

import typer

from react_agent.cli.commands import app

# Not the name of a transcript's first event, and no usage.
_CALL = re.compile(
    r"(?:^|(?<=[\s/`(]))react-agent (?!transcript\b)(?=[a-z-]+(?:\s|$))(?!.*\[OPTIONS])(.*)"
)
_REMARK = re.compile(r" {2,}\S.*| #.*")


def bare(line: str) -> str:
    """Without the remark that stands behind it, two blanks or more away."""
    return _REMARK.sub("", line)


def calls_in(text: str) -> Iterator[list[str]]:
    """The arguments of each call, as a shell would hand them over."""
    for line in re.sub(r"\\\n *", "", text).split("\n"):
        for found in _CALL.finditer(bare(line)):
            yield list(_until_its_end(found[1]))


def _until_its_end(text: str) -> Iterator[str]:
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    for word in lexer:
        if set(word) <= set("<>|&;()"):
            return
        if not word.startswith("["):  # `[OPTIONS]` may be left out
            yield word


def objection(arguments: Sequence[str]) -> str:
    """What our own command line says of them; nothing is run. What is lacking is not looked at."""
    words = list(arguments)
    if words == ["--install-completion"]:  # to look at it is to do it
        return ""
    command = typer.main.get_command(app)
    context = command.make_context("react-agent", [])
    while hasattr(command, "get_command") and words and not words[0].startswith("-"):
        name = words.pop(0)
        if name.isupper():  # COMMAND
            return ""
        command = command.get_command(context, name)
        if command is None:
            return f"there is no command {name!r}"
    try:
        command.make_context("react-agent", words)
    except typer.Exit:  # --help, --version
        pass
    except typer.TyperException as error:
        return "" if type(error).__name__ == "MissingParameter" else error.format_message()
    return ""
