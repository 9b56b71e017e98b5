"""What a run made goes to the forge: its branch is pushed, and a pull request opened or updated.

Each thing that reached the forge is written down in the run's transcript as soon as it has.
"""

from collections.abc import Callable
from dataclasses import dataclass

from react_agent.errors import ReactAgentError, UsageError
from react_agent.forges.contract import ForgeError, Pull, Wanted
from react_agent.issue_to_pr.outlet import Outlet, source_of
from react_agent.issue_to_pr.pull_request import Prepared
from react_agent.issue_to_pr.target import Target
from react_agent.loop import transcript as transcripts
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import write_facts
from react_agent.runs.run_folder import RunFolder
from react_agent.tools.git.access import Access
from react_agent.tools.git.door import Git
from react_agent.tools.git.remote import push, standing, tips
from react_agent.tools.git.repository import in_repository

PUSHED, PULL = "pushed", "pull"  # events


@dataclass(frozen=True, slots=True)
class How:
    is_draft: bool = False  # in any case
    by_fork: bool = False
    reviewers: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


class NotSent(ReactAgentError):
    """What was made is not sent, with what to do about it; it is kept."""

    exit_code = 1


def check_ready(ready: Prepared) -> None:
    """Raises NotSent."""
    if ready.refused:
        raise NotSent(f"no pull request: {'; '.join(ready.refused)}")


def send(
    folder: RunFolder,
    ready: Prepared,
    target: Target,
    outlet: Outlet,
    how: How,
    tell: Callable[[str], None],
) -> Pull:
    """Raises what is kept: the branch is in the repository, and can be sent later."""
    check_ready(ready)
    source = source_of(outlet, by_fork=how.by_fork)
    if source.access:
        pushed(folder, ready, target, source.access, outlet.access)
    pull = outlet.forge.propose(
        Wanted(
            ready.title,
            ready.body,
            target.branch if source.access else ready.branch,
            target.into,
            is_draft=how.is_draft or ready.is_draft,
            source=source.fork,
        )
    )
    noted(folder, Event(PULL, pull.url))
    if how.reviewers or how.labels:
        try:
            outlet.forge.ask_for(pull.number, how.reviewers, how.labels)
        except ForgeError as error:  # it is open: nothing of it is lost
            tell(str(error))
    return pull


def pushed(
    folder: RunFolder, ready: Prepared, target: Target, access: Access, upstream: Access | None
) -> str:
    """The commit that the branch is at there now."""
    with in_repository(ready.repository) as git:
        commit = git.line("rev-parse", "--verify", f"refs/heads/{ready.branch}^{{commit}}")
        _check_base(git, upstream or access, target.into)
        stands = standing(git, access, target.branch, target.into, upstream)
        push(git, commit, access, stands)
    noted(folder, Event(PUSHED, write_facts({"commit": commit, "branch": target.branch})))
    return commit


def _check_base(git: Git, access: Access, into: str) -> None:
    """Nothing is pushed of which no pull request can be made."""
    there = tips(git, access)
    if f"refs/heads/{into.removeprefix('refs/heads/')}" not in there.refs:
        now = f": its default branch is {there.default}, say --base" if there.default else ""
        raise UsageError(f"{access.shown} has no branch {into}{now}")


def noted(folder: RunFolder, event: Event) -> None:
    transcript, _ = transcripts.reopen(folder.transcript)
    try:
        transcript.append(event)
    finally:
        transcript.close()
