"""react-agent demo"""

import tempfile
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.syntax import Syntax

from react_agent.cli.screen import Screen
from react_agent.cli.summary import exit_code, print_summary
from react_agent.cli.surroundings import surroundings
from react_agent.demo.repository import make_repository
from react_agent.errors import UsageError
from react_agent.issue import Issue
from react_agent.outcome import Outcome
from react_agent.parsers.issue import title_of
from react_agent.run_setup import Request
from react_agent.solve import solve


def command(
    folder: Annotated[
        Path | None, typer.Option("--dir", help="make the repository here: a new folder")
    ] = None,
) -> None:
    """Watch an agent turn an issue into a branch, in a small repository made for it.

    Only the model's words are recorded; the repository, the tools and the tests are real.

    Example: react-agent demo --dir /tmp/stopwatch
    """
    screen = Screen(Console(highlight=False))
    # Silent about differences: another Python words its tracebacks in another way.
    around = surroundings(lambda line: None, screen.entry)
    place = _new_folder(folder)
    make_repository(place)
    console = screen.console
    console.print(f"A repository with an issue: {place}\n", soft_wrap=True)
    with resources.as_file(resources.files("react_agent.demo")) as files, screen.live():
        text = (files / "issue.md").read_text(encoding="utf-8").strip()
        model = f"replay/{files / 'transcript.txt'}"
        outcome = solve(Request(Issue(title_of(text), text), place, "HEAD", model), around)
    print_summary(outcome, console)
    _print_diff(outcome, console)
    run = outcome.folder.path.name
    text = _NEXT.format(place=place, branch=outcome.branch, run=run)
    console.print(text, markup=False, soft_wrap=True)
    raise typer.Exit(exit_code(outcome))


_NEXT = """\
Look at it:    git -C {place} log --stat {branch}
Read the run:  react-agent show {run}
Do it again:   react-agent replay {run}
Your own:      react-agent solve ISSUE --repo DIR --model MODEL   (react-agent solve --help)"""


def _new_folder(folder: Path | None) -> Path:
    if folder is None:
        return Path(tempfile.mkdtemp(prefix="react-agent-demo-"))
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise UsageError(f"{folder} is there already: name a new folder")
    return folder.absolute()


def _print_diff(outcome: Outcome, console: Console) -> None:
    diff = outcome.folder.patch.read_text(encoding="utf-8")
    console.print()
    console.print(
        Syntax(diff, "diff", background_color="default") if console.is_terminal else diff,
        markup=False,
    )
