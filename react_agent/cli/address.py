"""react-agent address"""

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from react_agent.cli.delivery import finished
from react_agent.cli.options import CommentOnPull, DryRun, Remote, Repository
from react_agent.cli.running import Running
from react_agent.cli.screen import Screen
from react_agent.cli.summary import exit_code
from react_agent.errors import UsageError
from react_agent.issue_to_pr.delivery import outlet_for
from react_agent.issue_to_pr.issue import Issue
from react_agent.issue_to_pr.review import asked, review_of
from react_agent.issue_to_pr.target import COMMENT, DRY, PULL
from react_agent.parsers.forge.ci_event import PHRASE
from react_agent.parsers.issue.reference import Reference, read_reference
from react_agent.parsers.text.counted import counted
from react_agent.runs.outcome import Outcome
from react_agent.runs.run_setup import Request
from react_agent.runs.solve import solve
from react_agent.runs.surroundings import Surroundings

PullRequest = Annotated[
    str, typer.Argument(metavar="PR", help="its number, OWNER/REPO#7, or its address")
]


def command(
    pull_request: PullRequest,
    *,
    repo: Repository = Path(),
    remote: Remote = None,
    dry_run: DryRun = False,
    comment: CommentOnPull = False,
    running: Running,
) -> None:
    """Answer the review of a pull request: change what it asks for, or say why not.

    Works on the branch of the pull request, pushes one commit to it, and answers each thread that
    somebody whose word counts has written to and that is not settled.

    \b
    Example:
      react-agent address 7 --model anthropic/NAME
    """
    screen, around = running.watched()
    ways = {PULL: not dry_run, DRY: dry_run, COMMENT: comment}
    way = tuple(word for word, is_given in ways.items() if is_given)
    request = requested(_reference(pull_request), repo, remote or "", way, running, around)
    if request is None:
        return
    outcome = addressed(request, around, screen)
    finished(outcome, around, screen.console)
    raise typer.Exit(exit_code(outcome))


def requested(
    reference: Reference,
    repo: Path,
    remote: str,
    way: tuple[str, ...],
    running: Running,
    around: Surroundings,
    phrase: str = PHRASE,
) -> Request | None:
    """None where nothing is to be answered, which is said."""
    outlet = outlet_for(repo, remote, around, reference)
    review = review_of(outlet.forge, reference.number, around, phrase)
    if not review.threads:
        around.tell(f"pull request {reference.number} has no thread that waits for an answer")
        return None
    if review.later:
        around.tell(f"{counted(review.later, 'thread')} more: they wait for the next run")
    spec, keep = running.spec(around), running.keep or around.settings.keep
    request = Request(Issue("", ""), repo, "HEAD", spec, running.budget, keep=keep)
    return asked(request, review, outlet, way, around)


def addressed(request: Request, around: Surroundings, screen: Screen) -> Outcome:
    with closing(around), screen.live():
        return solve(request, around)


def _reference(words: str) -> Reference:
    found = read_reference(f"#{words}" if words.isascii() and words.isdecimal() else words)
    if found is None:
        raise UsageError(f"{words!r} is no pull request: give its number, OWNER/REPO#7 or address")
    if found.host and not found.is_pull:
        raise UsageError(f"{words} is the address of an issue, and has no review")
    return found
