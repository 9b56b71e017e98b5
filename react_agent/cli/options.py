"""Options that several commands take.

Nothing is imported here but typer and names: whoever asks for `--help` or completes a word waits.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from react_agent.errors import UsageError
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.sandbox.sandbox import KINDS, WORDS, is_kind

_PULL_REQUEST, _LIMITS, _OTHER = "Pull request", "Limits", "Other options"


def words_of(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """What completes a value; names that a shell would read otherwise than they stand are left out.

    It is no time to complain: what can't be read has no names.
    """

    def complete(incomplete: str) -> list[str]:
        try:
            found = list(names())
        except (ReactAgentError, OSError):
            return []
        plain = "@%+=:,./-_"
        return [
            name
            for name in found
            if name.startswith(incomplete)
            and name.isascii()
            and all(letter.isalnum() or letter in plain for letter in name)
        ]

    return complete


def _runs() -> Iterator[str]:
    """The newest first."""
    from react_agent.places import runs_folder

    folder = runs_folder()
    names = (path.name for path in folder.iterdir()) if folder.is_dir() else ()
    return (name for name in sorted(names, reverse=True) if not name.startswith("."))


def _profiles() -> list[str]:
    from react_agent.places import settings_file
    from react_agent.tools import package_data

    own = settings_file().parent / "profiles"
    found = {file.stem for file in list(own.glob("*.cfg"))} if own.is_dir() else set()
    return sorted({*package_data.names("react_agent.profiles", ".cfg"), *found})


def _models() -> list[str]:
    from react_agent.places import settings_file
    from react_agent.profiles.settings import read_settings

    settings = read_settings(settings_file())
    return sorted({*settings.models, *filter(None, (settings.model,))})


def _checked_sandbox(given: str | None) -> str | None:
    if given is not None and not is_kind(given):
        raise UsageError(f"--sandbox is {WORDS}, not {given!r}")
    return given


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
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="print what would be sent, and send nothing")
]
Draft = Annotated[
    bool,
    typer.Option(
        "--draft", help="open it as a draft, whatever tests say", rich_help_panel=_PULL_REQUEST
    ),
]
Fork = Annotated[
    bool, typer.Option("--fork", help="push to a fork of yours", rich_help_panel=_PULL_REQUEST)
]
Comment = Annotated[
    bool,
    typer.Option(
        "--comment",
        help="if the run fails, comment on the issue how far it got",
        rich_help_panel=_PULL_REQUEST,
    ),
]
CommentOnPull = Annotated[
    bool, typer.Option("--comment", help="if the run fails, comment on the pull request")
]
RemoteName = Annotated[
    str | None,
    typer.Option(
        "--remote",
        metavar="NAME",
        help="the remote, or its address; usually origin",
        rich_help_panel=_PULL_REQUEST,
    ),
]
_RUN = "its folder, its transcript, the start of its name, or `last`"
Run = Annotated[str, typer.Argument(metavar="RUN", help=_RUN, autocompletion=words_of(_runs))]
_RUNS = "folders, transcripts, or starts of names"
Runs = Annotated[
    list[str], typer.Argument(metavar="RUN", help=_RUNS, autocompletion=words_of(_runs))
]
AnyRuns = Annotated[
    list[str] | None, typer.Argument(metavar="RUN", help=_RUNS, autocompletion=words_of(_runs))
]
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="MODEL",
        help="anthropic/NAME, openai/NAME, completions/NAME, responses/NAME, replay/FILE, or a "
        "name of yours",
        autocompletion=words_of(_models),
    ),
]
BaseUrl = Annotated[
    str | None,
    typer.Option("--base-url", metavar="URL", help="where the model is, if not at its maker's"),
]
Key = Annotated[
    str | None,
    typer.Option("--key", metavar="VARIABLE", help="the environment variable that holds the key"),
]
Sandbox = Annotated[
    str | None,
    typer.Option(
        "--sandbox",
        metavar="KIND",
        envvar="REACT_AGENT_SANDBOX",
        show_envvar=False,
        help=f"what commands run in: {WORDS}",
        callback=_checked_sandbox,
        autocompletion=words_of(lambda: KINDS),
    ),
]
Network = Annotated[
    bool, typer.Option("--network", help="let commands reach the network and install packages")
]
Plain = Annotated[
    bool,
    typer.Option(
        "--plain",
        help="no colours, nothing is drawn again (or REACT_AGENT_PLAIN=1)",
        rich_help_panel=_OTHER,
    ),
]


def _limit(option: str, about: str) -> typer.models.OptionInfo:
    """Texts: one place says what a limit may be, be it given here, in a file or in a profile."""
    found: typer.models.OptionInfo = typer.Option(
        option, metavar="N", help=about, rich_help_panel=_LIMITS
    )
    return found


Steps = Annotated[str | None, _limit("--steps", "at most so many steps")]
Seconds = Annotated[str | None, _limit("--seconds", "at most so many seconds")]
Tokens = Annotated[str | None, _limit("--tokens", "at most so many prompt tokens in all")]
Money = Annotated[str | None, _limit("--money", "at most so much, where a price is known")]
Window = Annotated[str | None, _limit("--window", "tokens of a prompt with its reply, at most")]
Attempts = Annotated[
    str | None,
    typer.Option(
        "--attempts",
        metavar="N",
        help="independent runs; the best becomes the branch",
        rich_help_panel=_OTHER,
    ),
]
Profile = Annotated[
    str | None,
    typer.Option(
        "--profile",
        metavar="NAME",
        help="a name of `react-agent inspect profiles`, or a file",
        autocompletion=words_of(_profiles),
    ),
]
ProfileNamed = Annotated[
    str | None,
    typer.Argument(
        metavar="NAME",
        help="a profile's name, or a file; none: all",
        autocompletion=words_of(_profiles),
    ),
]


@dataclass(frozen=True, slots=True)
class Running:
    """Of every command that runs an agent."""

    model: ModelName = None
    base_url: BaseUrl = None
    key: Key = None
    sandbox: Sandbox = None
    network: Network = False
    steps: Steps = None
    seconds: Seconds = None
    tokens: Tokens = None
    money: Money = None
    window: Window = None
    plain: Plain = False

    @property
    def budget(self) -> dict[str, str]:
        return budget(
            steps=self.steps,
            seconds=self.seconds,
            prompt_tokens=self.tokens,
            money=self.money,
            window=self.window,
        )


@dataclass(frozen=True, slots=True)
class Sending:
    pr: Pr = False
    dry_run: DryRun = False
    base: Base = None
    draft: Draft = False
    fork: Fork = False
    comment: Comment = False
    remote: RemoteName = None


def spec_of(model: str | None, base_url: str | None, key: str | None) -> str:
    """The model in one line, with where it is."""
    from react_agent.models.endpoint import spelled

    if not model:
        raise UsageError("no model: name one with --model, or in the settings file")
    return spelled(model, base_url, key)


_DIGITS = 20


def whole(option: str, given: str, most: int) -> int:
    """Numbers are taken as texts, so that one line says what they may be."""
    is_number = given.isascii() and given.isdecimal() and len(given) <= _DIGITS
    if not is_number or not 0 < int(given) <= most:
        raise UsageError(f"{option} is a whole number from 1 to {most}, not {given!r}")
    return int(given)


def budget(**given: str | None) -> dict[str, str]:
    """Those that were given."""
    return {name: value for name, value in given.items() if value is not None}
