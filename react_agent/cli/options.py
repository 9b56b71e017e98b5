"""Arguments and options that several commands take."""

from pathlib import Path
from typing import Annotated

import typer

from react_agent.errors import UsageError
from react_agent.models.endpoint import spelled
from react_agent.models.spec import KNOWN
from react_agent.tools.sandbox import WORDS

Issue = Annotated[
    str, typer.Argument(metavar="ISSUE", help="a file, - for standard input, or the text itself")
]
Repository = Annotated[
    Path, typer.Option("--repo", metavar="DIR", help="the repository, or a folder in it")
]
Moved = Annotated[
    Path | None, typer.Option("--repo", metavar="DIR", help="the repository, where it has moved")
]
Base = Annotated[str, typer.Option("--base", metavar="REV", help="the revision to start from")]
Run = Annotated[
    str,
    typer.Argument(metavar="RUN", help="its folder, its transcript, or the start of its name"),
]
Model = Annotated[
    str | None,
    typer.Option("--model", metavar="MODEL", help=KNOWN),
]
BaseUrl = Annotated[
    str | None,
    typer.Option("--base-url", metavar="URL", help="where the model is, if not at its maker's"),
]
Key = Annotated[
    str | None,
    typer.Option("--key", metavar="VARIABLE", help="the environment variable that holds the key"),
]
Keep = Annotated[bool, typer.Option("--keep", help="keep the workspace when the run has ended")]
Sandbox = Annotated[
    str | None,
    typer.Option(
        "--sandbox",
        metavar="KIND",
        envvar="REACT_AGENT_SANDBOX",
        show_envvar=False,
        help=f"what commands run in: {WORDS}",
    ),
]
Network = Annotated[
    bool, typer.Option("--network", help="let commands reach the network and install packages")
]
# Texts: one place says what a budget may be, be it given here, in a file or in a profile.
Steps = Annotated[str | None, typer.Option("--steps", metavar="N", help="at most so many steps")]
Seconds = Annotated[
    str | None, typer.Option("--seconds", metavar="N", help="at most so many seconds")
]
Tokens = Annotated[
    str | None, typer.Option("--tokens", metavar="N", help="at most so many prompt tokens in all")
]
Money = Annotated[
    str | None, typer.Option("--money", metavar="N", help="at most so much, where a price is known")
]


def spec_of(model: str | None, base_url: str | None, key: str | None) -> str:
    """The model in one line, with where it is."""
    if not model:
        raise UsageError("no model: name one with --model, or in the settings file")
    return spelled(model, base_url, key)


def budget(
    steps: str | None, seconds: str | None, tokens: str | None, money: str | None
) -> dict[str, str]:
    given = {"steps": steps, "seconds": seconds, "prompt_tokens": tokens, "money": money}
    return {name: value for name, value in given.items() if value is not None}
