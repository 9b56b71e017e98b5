"""The end of a command that runs an agent: what is printed, and what goes to a forge."""

from pathlib import Path

from rich.console import Console

from react_agent.cli.reviewed import reviewed
from react_agent.cli.streams import give
from react_agent.cli.summary import print_rows, print_summary
from react_agent.forges.contract import Pull
from react_agent.issue_to_pr.delivery import (
    Outlet,
    commented,
    forge_for,
    kept,
    outlet_for,
    ready,
    said_of_failure,
    send,
)
from react_agent.issue_to_pr.target import COMMENT, DRAFT, DRY, FORK, Target, target_of
from react_agent.runs.outcome import Outcome
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.surroundings import Surroundings
from react_agent.tools.git.repository import in_repository


def finished(outcome: Outcome, around: Surroundings, console: Console) -> Pull | None:
    """Printed first: whatever comes of the forge, one sees what there is."""
    print_summary(outcome, console)
    header = outcome.state.header
    target, repository = target_of(header), Path(header["repository"])
    if target is None:
        return None
    if target.pull:
        return reviewed(outcome, target, repository, around, console)
    if outcome.is_success:
        return _sent(outcome, target, repository, around, console)
    if COMMENT in target.way:
        _say_why(outcome, target, repository, around, console)
    return None


def _sent(
    outcome: Outcome, target: Target, repository: Path, around: Surroundings, console: Console
) -> Pull | None:
    if not target.is_sent_or_shown:
        return None
    is_kept = f"the branch {outcome.branch} is kept"
    later = f"{is_kept}: react-agent pr {outcome.folder.path.name}"
    with kept(later, around.tell, f"; {is_kept}"):
        outlet = outlet_for(repository, target.url, around)
        if DRY in target.way:
            console.print()
            print_what_would_be_sent(outcome.folder, target, outlet, around)
            return None
        made = ready(outcome.folder, target, outlet, around)
        pull = send(outcome.folder, made, target, outlet, target.way, around)
    print_pull(pull, console)
    return pull


def _say_why(
    outcome: Outcome, target: Target, repository: Path, around: Surroundings, console: Console
) -> None:
    if DRY in target.way:
        console.print()
        give(said_of_failure(outcome, around).encode(errors="surrogateescape"))
        return
    address = commented(outcome, forge_for(repository, target.url, around), around)
    print_rows([("comment", address)] if address else [], console)


def print_pull(pull: Pull, console: Console) -> None:
    print_rows([("pull", f"{pull.url}{' (draft)' if pull.is_draft else ''}")], console)


def print_what_would_be_sent(
    folder: RunFolder,
    target: Target,
    outlet: Outlet,
    around: Surroundings,
    moved: Path | None = None,
) -> None:
    """To the letter."""
    made = ready(folder, target, outlet, around, moved)
    branch = target.branch if outlet.access else made.branch
    place = "a fork of yours" if FORK in target.way else target.url
    lines = (
        f"branch: {branch} -> {target.into}{f' at {place}' if place else ''}",
        f"draft: {'yes' if made.is_draft or DRAFT in target.way else 'no'}",
        *(f"reviewers: {', '.join(names)}" for names in (around.settings.reviewers,) if names),
        *(f"labels: {', '.join(names)}" for names in (around.settings.labels,) if names),
        *(f"refused: {why}" for why in made.refused),
        f"commit: {_commit(made.repository, made.branch)}",
        f"title: {made.title}\n",
        made.body.rstrip(),
    )
    give("".join(f"{line}\n" for line in lines).encode(errors="surrogateescape"))


def _commit(repository: Path, branch: str) -> str:
    """Its name and its message."""
    if not branch:
        return "none\n"
    with in_repository(repository) as git:
        shown = git.ask("log", "-1", "--format=%H%n%n%B", f"refs/heads/{branch}", "--")
    return shown.out.decode(errors="replace").rstrip("\n") + "\n"
