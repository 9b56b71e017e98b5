"""A review that is to be answered, as a run: begun at the tip of the pull request's branch."""

from dataclasses import dataclass, replace
from functools import partial

from react_agent.address.objective import objective, title
from react_agent.address.threads import MOST, thread_events, waiting
from react_agent.address.voices import Voices
from react_agent.errors import UsageError
from react_agent.forges.contract import Forge, Pull, Thread
from react_agent.issue_to_pr.issue import Issue
from react_agent.issue_to_pr.outlet import Outlet
from react_agent.issue_to_pr.target import Target, target_event
from react_agent.parsers.transcript.quoting import escape
from react_agent.runs.run_setup import Names, Request, names_of
from react_agent.runs.surroundings import Surroundings
from react_agent.tools.git.access import Access
from react_agent.tools.git.cut import base_of
from react_agent.tools.git.remote import fetched_base
from react_agent.tools.git.repository import Base, file_at, top_of

_FULL = "refs/"


@dataclass(frozen=True, slots=True)
class Review:
    pull: Pull
    voices: Voices
    threads: tuple[Thread, ...]  # that wait for an answer
    later: int = 0  # that are more than one run should answer


def review_of(forge: Forge, number: int, around: Surroundings, phrase: str) -> Review:
    """Raises UsageError where nothing can be changed any more."""
    pull = forge.pull(number)
    check_open(pull)
    voices = Voices(forge.me(), pull.author, around.settings.speak, phrase)
    threads = waiting(forge.threads(number), voices)
    return Review(pull, voices, tuple(threads[:MOST]), max(len(threads) - MOST, 0))


def check_open(pull: Pull) -> None:
    if pull.state != "open":
        raise UsageError(
            f"pull request {pull.number} is {pull.state}: there is nothing to change in it"
        )
    if pull.branch.startswith(_FULL):  # which would be read as the name of another branch
        raise UsageError(f"no branch called {escape(pull.branch)} is worked on")


def branch_of(pull: Pull, outlet: Outlet) -> Access | None:
    """Where its branch is: in this repository, or in a fork that may be gone. None: in a folder."""
    if outlet.access is None:
        return None
    if not pull.source_url:
        raise UsageError(f"the fork that pull request {pull.number} came from is gone")
    if not pull.source:
        return outlet.access
    return outlet.access_to(pull.source_url)


def asked(
    request: Request, review: Review, outlet: Outlet, way: tuple[str, ...], around: Surroundings
) -> Request:
    """The same request, for the review."""
    pull, base = review.pull, _base(request, review.pull, outlet, around)
    issue = Issue(
        title(pull), objective(pull, review.threads, review.voices, partial(file_at, base))
    )
    target = Target(outlet.url, pull.base, pull.branch, pull=str(pull.number), way=way)
    return replace(
        request,
        issue=issue,
        names=Names(names_of(issue, around, request.model).run, pull.branch),
        revision=base.commit,
        also=(target_event(target), *thread_events(review.threads, review.voices)),
    )


def _base(request: Request, pull: Pull, outlet: Outlet, around: Surroundings) -> Base:
    top, at = top_of(request.repository), branch_of(pull, outlet)
    if at is None:
        return base_of(top, f"refs/heads/{pull.branch}", around.cuts)
    if not pull.source and not outlet.hosted.can_push:
        raise UsageError(f"this token may not push to {outlet.hosted.path}")
    return fetched_base(top, at, pull.branch, around.cuts)
