"""Options that several commands share.

This module imports little besides typer, so that `--help` and completion stay fast.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from shlex import quote
from typing import Any

import typer

from react_agent.errors import ConfigError, UsageError
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.sandbox.sandbox import KINDS, WORDS, is_kind

_PULL_REQUEST, _LIMITS, _OTHER = "Pull request", "Limits", "Other options"

HOOK_WORDS = ("install", "status", "run", "uninstall")
_HOOKS = ("post-commit", "pre-push")
SHOWN_RUNS = 20  # without --all
MOST_STEPS = 10**6  # of a run


Names = Callable[[], Iterable[str]]


def words_of(names: Names) -> Callable[[str], list[str]]:
    """Return a completion function that leaves out names that need quoting in a shell.

    If the names can't be read, the function offers none instead of raising an error.
    """

    def complete(incomplete: str) -> list[str]:
        try:
            found = list(names())
        except (ReactAgentError, OSError):
            return []
        return [name for name in found if name.startswith(incomplete) and quote(name) == name]

    return complete


def option(*words: str, complete: Names | None = None, heading: str = "") -> Any:
    """Return an option with its name (if it is not that of its field), placeholder and help."""
    *name, metavar, about = words
    return typer.Option(
        *name,
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


_RUN = "its folder, its transcript, the start of its name, or `last`"
_RUNS = "folders, transcripts, or starts of names"
# All options and arguments of `arguments.py`, by the names of their fields. Where a name has
# another meaning in one command, the command stands before it.
OPTIONS: Mapping[str, Any] = {
    "repo": option("DIR", "the repository, or a folder in it"),
    "base": option("REV", "where to start; with --pr a branch of the remote"),
    "pr": flag("--pr", "push the branch and open a pull request"),
    "dry_run": flag("--dry-run", "print what would be sent, and send nothing"),
    "draft": flag("--draft", "open it as a draft, even if the tests pass", heading=_PULL_REQUEST),
    "fork": flag("--fork", "push to your fork", heading=_PULL_REQUEST),
    "comment": flag(
        "--comment",
        "if the run fails, comment on the issue to report its progress",
        heading=_PULL_REQUEST,
    ),
    "remote": option("NAME", "the remote, or its address; usually origin", heading=_PULL_REQUEST),
    "run": argument("RUN", _RUN, complete=_runs),
    "runs": argument("RUN", _RUNS, complete=_runs),
    "model": option(
        "MODEL",
        "anthropic/NAME, openai/NAME, completions/NAME, responses/NAME, gguf/FILE, "
        "replay/FILE, or a name from your settings",
        complete=_models,
    ),
    "base_url": option("URL", "the URL of the endpoint, if it is not the provider's own"),
    "key": option("VARIABLE", "the environment variable that holds the key"),
    "sandbox": typer.Option(
        "--sandbox",
        metavar="KIND",
        envvar="REACT_AGENT_SANDBOX",
        show_envvar=False,
        help=f"what commands run in: {WORDS}",
        callback=_checked_sandbox,
        autocompletion=words_of(lambda: KINDS),
    ),
    "network": flag("--network", "let commands reach the network and install packages"),
    "prepare": option(
        "auto",
        "make an environment for the tests from the project's lock file or extras, in the "
        "sandbox, with the network for that one command",
        heading=_OTHER,
    ),
    "plain": flag(
        "--plain", "no colours and no redrawing (or REACT_AGENT_PLAIN=1)", heading=_OTHER
    ),
    # Limits stay text: one place checks them from all sources.
    "steps": option("N", "the maximum number of steps", heading=_LIMITS),
    "seconds": option("N", "the maximum number of seconds", heading=_LIMITS),
    "tokens": option("N", "the maximum number of prompt tokens in total", heading=_LIMITS),
    "money": option("N", "the maximum cost in dollars, if the price is known", heading=_LIMITS),
    "window": option(
        "N", "the maximum number of tokens of a prompt and its reply together", heading=_LIMITS
    ),
    "profile": option(
        "NAME", "a profile that `react-agent inspect profiles` lists, or a file", complete=_profiles
    ),
    "issue": argument(
        "ISSUE", "a file, - for standard input, the text itself, a URL, OWNER/REPO#12 or #12"
    ),
    "attempts": option("N", "make N independent runs; the best becomes the branch", heading=_OTHER),
    "Chat.run": argument(
        "RUN", f"a run to continue ({_RUN}); if omitted, a new one", complete=_runs
    ),
    "moved": option("--repo", "DIR", "the repository, if it has moved"),
    "ForkRun.at": option(
        "N", "the last step to keep, numbered as in `react-agent show`; 0 for none"
    ),
    "say": option("WORDS", "what to tell the model after that step"),
    "Demo.folder": option("--dir", "DIR", "make the repository in this new folder"),
    "Init.name": option("NAME", "a short name for the model; default: derived from its full name"),
    "Init.yes": flag("--yes", "use the first model that is found, without asking"),
    "Show.at": argument("STEP", "the first step to show"),
    "full": flag("--full", "do not fold long observations"),
    "Show.only": option(
        "KINDS",
        "only thoughts, actions, errors, hidden or repairs; separate several with commas",
    ),
    "diff": flag("--diff", "show what each step changed in the files"),
    "step": option("N", "show exactly what the model saw at this step"),
    "raw": flag("--raw", "print the file as it is"),
    "out": option("DIR|FILE", "a folder (default: this one), or a file name that ends in .html"),
    "ListRuns.do": argument(
        "DO", "prune: remove the runs that the options select", complete=lambda: ("prune",)
    ),
    "outcome": option(
        "WORD",
        "only runs with this outcome: concluded, failed, running, stuck, ...",
    ),
    "ListRuns.repo": option("DIR", "only runs in this repository, or a folder in it"),
    "ListRuns.search": option("WORDS", "search names, issues, repositories and models"),
    "older_than": option("AGE", "only runs unchanged for this long: 30 (days), 12h, 2w, ..."),
    "every": flag("--all", f"list all runs, not only the newest {SHOWN_RUNS}"),
    "keep": option("N", "prune: keep the newest N"),
    "ListRuns.yes": flag("--yes", "prune: really remove the runs; without it, only list them"),
    "Audit.only": option("PART", "only one of read, wrote, ran, reached, refused, missing"),
    "SendRun.base": option("BRANCH", "the target branch of the pull request"),
    "pull_request": argument("PR", "its number, OWNER/REPO#7, or its address"),
    "Review.comment": flag("--comment", "if the run fails, comment on the pull request"),
    "label": option("NAME", "the label that starts work on an issue"),
    "phrase": option("WORD", "the word that starts work, at the beginning of a comment"),
    "Hook.do": argument("DO", "install, status, run or uninstall", complete=lambda: HOOK_WORDS),
    "hooks": argument("HOOK...", ", ".join(_HOOKS), complete=lambda: _HOOKS),
    "again": option("JOB", "queue a failed job again"),
    "background": typer.Option("--background", hidden=True),
    "state": typer.Option("--state", hidden=True),
    "top": typer.Option("--top", hidden=True),
    "files": argument("FILE", "a file that contains a patch; default: standard input"),
    "Repair.repo": option("DIR", "the folder that contains the files, a repository or not"),
    "by_hand": flag("--by-hand", "you write the replies (the default)"),
    "Endpoint.port": option("N", "the port to listen on; 0: any free port"),
    "Profiles.name": argument(
        "NAME", "a profile's name, or a file; default: all", complete=_profiles
    ),
    "Tools.do": argument(
        "DO", "try or why; default: list the tools", complete=lambda: ("try", "why")
    ),
    "Tools.name": argument("NAME", "the name of a tool"),
    "Procedures.name": argument("NAME", "a built-in procedure or a file; default: list them"),
}


@dataclass(frozen=True, slots=True)
class ModelAndBudget:
    """The model that a run uses, and the limits of the run."""

    model: str | None = None
    base_url: str | None = None
    key: str | None = None
    steps: str | None = None
    seconds: str | None = None
    tokens: str | None = None
    money: str | None = None
    window: str | None = None

    @property
    def budget(self) -> dict[str, str]:
        """Return the limits that were given. Raises UsageError with the option's name."""
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

    sandbox: str | None = None
    network: bool = False
    prepare: str | None = None
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Sending:
    pr: bool = False
    dry_run: bool = False
    base: str | None = None
    draft: bool = False
    fork: bool = False
    comment: bool = False
    remote: str | None = None


def spec_of(model: str | None, base_url: str | None, key: str | None) -> str:
    """Return the model, its URL and its key variable as one spec. Raises UsageError."""
    from react_agent.models.endpoint import spelled

    if not model:
        raise UsageError("no model: name one with --model, or find one with `react-agent init`")
    return spelled(model, base_url, key)


_DIGITS = 20


def whole(option: str, given: str, most: int, least: int = 1) -> int:
    """Parse a whole number in a range. Raises UsageError that names this range."""
    is_number = given.isascii() and given.isdecimal() and len(given) <= _DIGITS
    if not is_number or not least <= int(given) <= most:
        raise UsageError(f"{option} must be a whole number from {least} to {most}, not {given!r}")
    return int(given)
