"""Options that several commands share.

This module imports only typer and names, so that `--help` and completion stay fast.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from react_agent.errors import ConfigError, UsageError
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.sandbox.sandbox import KINDS, WORDS, is_kind

_PULL_REQUEST, _LIMITS, _OTHER = "Pull request", "Limits", "Other options"


Names = Callable[[], Iterable[str]]


def words_of(names: Names) -> Callable[[str], list[str]]:
    """Return a function that completes a value, without names that a shell would change.

    If the names can't be read, the function offers none instead of an error.
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


def option(
    name: str, metavar: str, about: str, *, complete: Names | None = None, heading: str = ""
) -> Any:
    return typer.Option(
        name,
        metavar=metavar,
        help=about,
        rich_help_panel=heading or None,
        autocompletion=complete and words_of(complete),
    )


def flag(name: str, about: str, *, heading: str = "") -> Any:
    return typer.Option(name, help=about, rich_help_panel=heading or None)


def argument(metavar: str, about: str, *, complete: Names | None = None) -> Any:
    return typer.Argument(
        metavar=metavar, help=about, autocompletion=complete and words_of(complete)
    )


def _runs() -> Iterator[str]:
    """Return the names of all runs, newest first."""
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
        raise UsageError(f"--sandbox must be {WORDS}, not {given!r}")
    return given


Issue = Annotated[
    str,
    argument("ISSUE", "a file, - for standard input, the text itself, a URL, OWNER/REPO#12 or #12"),
]
Repository = Annotated[Path, option("--repo", "DIR", "the repository, or a folder in it")]
Moved = Annotated[Path | None, option("--repo", "DIR", "the repository, if it has moved")]
Base = Annotated[
    str | None,
    option("--base", "REV", "where to start; with --pr a branch of the remote"),
]
Into = Annotated[str | None, option("--base", "BRANCH", "the target branch of the pull request")]
Pr = Annotated[bool, flag("--pr", "push the branch and open a pull request")]
DryRun = Annotated[bool, flag("--dry-run", "print what would be sent, and send nothing")]
Draft = Annotated[
    bool,
    flag("--draft", "open it as a draft, even if the tests pass", heading=_PULL_REQUEST),
]
Fork = Annotated[bool, flag("--fork", "push to your fork", heading=_PULL_REQUEST)]
Comment = Annotated[
    bool,
    flag(
        "--comment",
        "if the run fails, comment on the issue to report its progress",
        heading=_PULL_REQUEST,
    ),
]
CommentOnPull = Annotated[bool, flag("--comment", "if the run fails, comment on the pull request")]
RemoteName = Annotated[
    str | None,
    option(
        "--remote", "NAME", "the remote, or its address; default: origin", heading=_PULL_REQUEST
    ),
]
_RUN = "its folder, its transcript, the start of its name, or `last`"
Run = Annotated[str, argument("RUN", _RUN, complete=_runs)]
OneRun = Annotated[
    str | None,
    argument("RUN", f"a run to continue ({_RUN}); if omitted, a new one", complete=_runs),
]
_RUNS = "folders, transcripts, or starts of names"
Runs = Annotated[list[str], argument("RUN", _RUNS, complete=_runs)]
AnyRuns = Annotated[list[str] | None, argument("RUN", _RUNS, complete=_runs)]
ModelName = Annotated[
    str | None,
    option(
        "--model",
        "MODEL",
        "anthropic/NAME, openai/NAME, completions/NAME, responses/NAME, gguf/FILE, "
        "replay/FILE, or a name from your settings",
        complete=_models,
    ),
]
BaseUrl = Annotated[
    str | None,
    option("--base-url", "URL", "the URL of the endpoint, if it is not the provider's own"),
]
Key = Annotated[
    str | None,
    option("--key", "VARIABLE", "the environment variable that holds the key"),
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
Network = Annotated[bool, flag("--network", "let commands reach the network and install packages")]
Prepare = Annotated[
    str | None,
    option(
        "--prepare",
        "auto",
        "make an environment for the tests from the project's lock file or extras, in the "
        "sandbox, with the network for that one command",
        heading=_OTHER,
    ),
]
Plain = Annotated[
    bool,
    flag("--plain", "no colours and no redrawing (or REACT_AGENT_PLAIN=1)", heading=_OTHER),
]


def _limit(name: str, about: str) -> Any:
    """Return an option for a limit. It stays text: one place checks limits from all sources."""
    return option(name, "N", about, heading=_LIMITS)


Steps = Annotated[str | None, _limit("--steps", "the maximum number of steps")]
Seconds = Annotated[str | None, _limit("--seconds", "the maximum number of seconds")]
Tokens = Annotated[str | None, _limit("--tokens", "the maximum number of prompt tokens in total")]
Money = Annotated[str | None, _limit("--money", "the maximum cost, if the price is known")]
Window = Annotated[
    str | None,
    _limit("--window", "the maximum number of tokens of a prompt and its reply together"),
]
Attempts = Annotated[
    str | None,
    option("--attempts", "N", "independent runs; the best becomes the branch", heading=_OTHER),
]
Profile = Annotated[
    str | None,
    option(
        "--profile",
        "NAME",
        "a profile that `react-agent inspect profiles` lists, or a file",
        complete=_profiles,
    ),
]
ProfileNamed = Annotated[
    str | None,
    argument("NAME", "a profile's name, or a file; default: list all", complete=_profiles),
]


@dataclass(frozen=True, slots=True)
class ModelAndBudget:
    """The model that works, and its limits."""

    model: ModelName = None
    base_url: BaseUrl = None
    key: Key = None
    steps: Steps = None
    seconds: Seconds = None
    tokens: Tokens = None
    money: Money = None
    window: Window = None

    @property
    def budget(self) -> dict[str, str]:
        """Return the limits that were given. Raises UsageError that names the option."""
        from react_agent.profiles.profile import Budget, with_limits

        limits = {
            "steps": self.steps,
            "seconds": self.seconds,
            "prompt_tokens": self.tokens,
            "money": self.money,
            "window": self.window,
        }
        given = {name: value for name, value in limits.items() if value is not None}
        try:
            with_limits(Budget(), given)
        except ConfigError as error:
            told = str(error).removeprefix("[budget] ").removeprefix("prompt_")
            raise UsageError(f"--{told}") from None
        return given


@dataclass(frozen=True, slots=True)
class Running(ModelAndBudget):
    """The options of every command that runs an agent."""

    sandbox: Sandbox = None
    network: Network = False
    prepare: Prepare = None
    plain: Plain = False


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
    """Return the model, its address and its key variable in one line. Raises UsageError."""
    from react_agent.models.endpoint import spelled

    if not model:
        raise UsageError("no model: name one with --model, or find one with `react-agent init`")
    return spelled(model, base_url, key)


_DIGITS = 20


def whole(option: str, given: str, most: int) -> int:
    """Return a number from 1 to `most`, given as text so that one error tells the range."""
    is_number = given.isascii() and given.isdecimal() and len(given) <= _DIGITS
    if not is_number or not 0 < int(given) <= most:
        raise UsageError(f"{option} must be a whole number from 1 to {most}, not {given!r}")
    return int(given)
