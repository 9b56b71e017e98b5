"""The end of a run that answers a review: what is printed, and what goes to the forge."""

from pathlib import Path

from rich.console import Console

from react_agent.cli.streams import give
from react_agent.cli.summary import print_rows
from react_agent.forges.contract import Pull
from react_agent.issue_to_pr.delivery import outlet_for, said_of_failure
from react_agent.issue_to_pr.review import answered, told_of_failure, what_would_be_sent
from react_agent.issue_to_pr.target import COMMENT, DRY, Target
from react_agent.runs.outcome import Outcome
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.surroundings import Surroundings


def reviewed(
    outcome: Outcome, target: Target, repository: Path, around: Surroundings, console: Console
) -> Pull | None:
    """The pull request, where it was answered."""
    is_dry = DRY in target.way
    if outcome.is_success and target.is_sent_or_shown:
        return sent(outcome.folder, target, repository, around, console, dry_run=is_dry)
    if outcome.is_success or COMMENT not in target.way:
        return None
    if is_dry:
        give(said_of_failure(outcome, around).encode(errors="surrogateescape"))
        return None
    outlet = outlet_for(repository, target.url, around)
    print_rows([("comment", told_of_failure(outcome, target, outlet, around))], console)
    return None


def sent(
    folder: RunFolder,
    target: Target,
    repository: Path,
    around: Surroundings,
    console: Console,
    *,
    dry_run: bool,
) -> Pull | None:
    """As far as it has not been."""
    outlet = outlet_for(repository, target.url, around)
    if dry_run:
        lines = what_would_be_sent(folder, target, outlet, around, repository)
        give("".join(f"{line}\n" for line in lines).encode(errors="surrogateescape"))
        return None

    def tell(line: str) -> None:
        print_rows([("review", line)], console)

    return answered(folder, target, outlet, around, tell, repository)
