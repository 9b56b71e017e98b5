"""Arguments and options that several commands take."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from react_agent.errors import UsageError
from react_agent.issue_to_pr.target import COMMENT, DRAFT, DRY, FORK, PULL
from react_agent.models.endpoint import KNOWN, spelled
from react_agent.tools.sandbox.sandbox import WORDS

Issue = Annotated[
    str,
    typer.Argument(
        metavar="ISSUE", help="a file, -, the text itself, an address, OWNER/REPO#12 or #12"
    ),
]
Repository = Annotated[
    Path, typer.Option("--repo", metavar="DIR", help="the repository, or a folder in it")
]
Moved = Annotated[
    Path | None, typer.Option("--repo", metavar="DIR", help="the repository, where it has moved")
]
Base = Annotated[
    str | None,
    typer.Option("--base", metavar="REV", help="where to start; with --pr a branch of the remote"),
]
Into = Annotated[
    str | None, typer.Option("--base", metavar="BRANCH", help="the branch that the change is for")
]
Pr = Annotated[bool, typer.Option("--pr", help="push the branch and open a pull request")]
Draft = Annotated[bool, typer.Option("--draft", help="open it as a draft, whatever tests say")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="print what would be sent, and send nothing")
]
Fork = Annotated[bool, typer.Option("--fork", help="push to a fork of yours")]
Comment = Annotated[
    bool, typer.Option("--comment", help="where a run fails, say on the issue how far it got")
]
CommentOnPull = Annotated[
    bool, typer.Option("--comment", help="where a run fails, say below how far it got")
]
RemoteName = Annotated[
    str | None,
    typer.Option("--remote", metavar="NAME", help="the remote, or its address; usually origin"),
]
Run = Annotated[
    str,
    typer.Argument(
        metavar="RUN", help="its folder, its transcript, the start of its name, or `last`"
    ),
]
ModelName = Annotated[
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
Prepare = Annotated[
    str | None,
    typer.Option(
        "--prepare",
        metavar="auto",
        help="auto: make an environment for the tests from the project's lock file or extras, "
        "in the sandbox, with the network for that one command",
    ),
]
Plain = Annotated[
    bool,
    typer.Option("--plain", help="nothing is drawn twice, no colours (or REACT_AGENT_PLAIN=1)"),
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

Window = Annotated[
    str | None,
    typer.Option("--window", metavar="N", help="tokens of a prompt with its reply, at most"),
]
Attempts = Annotated[
    str | None,
    typer.Option("--attempts", metavar="N", help="independent runs; the best becomes the branch"),
]
Profile = Annotated[
    str | None,
    typer.Option(
        "--profile", metavar="NAME", help="a name of `react-agent inspect profiles`, or a file"
    ),
]

Procedure = Annotated[
    str | None,
    typer.Option(
        "--procedure", metavar="NAME", help="roles that take turns: issue, review or FILE"
    ),
]


def spec_of(model: str | None, base_url: str | None, key: str | None) -> str:
    """The model in one line, with where it is."""
    if not model:
        raise UsageError("no model: name one with --model, or in the settings file")
    return spelled(model, base_url, key)


def other_spec(model: str | None, base_url: str | None, key: str | None) -> str | None:
    """None where a run keeps the model that it has."""
    return spec_of(model, base_url, key) if model or base_url or key else None


_MOST_ATTEMPTS = 20
_DIGITS = 20


def attempts_of(given: str | None) -> int:
    return 1 if given is None else whole("--attempts", given, _MOST_ATTEMPTS)


def whole(option: str, given: str, most: int) -> int:
    """Numbers are taken as texts, so that one line says what they may be."""
    is_number = given.isascii() and given.isdecimal() and len(given) <= _DIGITS
    if not is_number or not 0 < int(given) <= most:
        raise UsageError(f"{option} is a whole number from 1 to {most}, not {given!r}")
    return int(given)


def budget(**given: str | None) -> dict[str, str]:
    """Those that were given."""
    return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Sending:
    base: Base = None
    pr: Pr = False
    draft: Draft = False
    dry_run: DryRun = False
    fork: Fork = False
    comment: Comment = False
    remote: RemoteName = None

    @property
    def named(self) -> str:
        """The remote; empty: the usual one."""
        return self.remote or ""

    @property
    def way(self) -> tuple[str, ...]:
        """How a change is sent, in words; none where nothing goes to a forge."""
        if (self.draft or self.fork) and not (self.pr or self.dry_run):
            option = "--draft" if self.draft else "--fork"
            raise UsageError(f"{option} is about a pull request: add --pr")
        is_sent = self.pr and not self.dry_run
        given = {
            PULL: is_sent,
            DRY: self.dry_run,
            DRAFT: self.draft,
            FORK: self.fork,
            COMMENT: self.comment,
        }
        return tuple(word for word, is_given in given.items() if is_given)
