"""Send the result of a run to the forge: push its branch, open or update a pull request.

A run for a forge also begins here, so that problems with sending its change are found before a
model is called. Each thing that reaches the forge is recorded in the run's transcript at once. A
run without a result leaves a comment on its issue.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from react_agent.errors import ReactAgentError, UsageError
from react_agent.forges.contract import Forge, ForgeError, Hosted, Pull, Wanted
from react_agent.forges.find import Outside, find_account, find_forge, place_of
from react_agent.issue_to_pr.pull_request import Prepared, prepared
from react_agent.issue_to_pr.target import DRAFT, DRY, FORK, ISSUE, PULL, Target, target_event
from react_agent.parsers.forge.remote import Remote, read_remote_url
from react_agent.parsers.issue.reference import Reference, read_reference
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import write_facts
from react_agent.places import runs_folder
from react_agent.runs.commands import Surroundings
from react_agent.runs.report import Outcome, failure_comment
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import Names, Request, names_of
from react_agent.state import transcript as transcripts
from react_agent.tools.git.access import Access
from react_agent.tools.git.door import Git
from react_agent.tools.git.remote import fetched_base, find_remote, push, standing, tips
from react_agent.tools.git.repository import (
    branches,
    find_base,
    in_repository,
    refuse_partial,
    top_of,
)

PUSHED, PULLED = "pushed", "pull"  # events
_WEB = ("https", "http")


class NotSent(ReactAgentError):
    """The result was kept but not sent. The message says what to do about it."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class Outlet:
    """The destination of a change: the remote and its forge."""

    forge: Forge
    hosted: Hosted
    environment: Mapping[str, str] = field(repr=False)
    access: Access | None = None  # None: the change stays in this repository, as a branch
    url: str = ""  # by which it is found again
    variable: str = ""  # of the environment, where a token is looked for
    host: str = ""  # of the forge, with its port
    token: str = field(default="", repr=False)

    def access_to(self, url: str) -> Access:
        """Return the credentials for a URL from the forge. Only the token's own host gets it.

        Raises ForgeError for a local folder or an ssh URL, which a forge must not return.
        """
        remote = read_remote_url(url)
        if remote is None or remote.scheme not in _WEB:
            raise ForgeError(f"{self.host} gives an address of the repository that can't be used")
        is_its = remote.forge_host == self.host
        return Access(remote, self.token if is_its else "", environment=self.environment)


def _push_to(outlet: Outlet, *, by_fork: bool) -> tuple[Access | None, str]:
    """Return the credentials for pushing, and the fork (created if missing) as OWNER/NAME or "".
    Raises UsageError if nothing can be pushed.
    """
    if outlet.access is None:
        return None, ""
    if not outlet.access.token:
        where = f": put one into {outlet.variable}" if outlet.variable else ""
        raise UsageError(f"{outlet.access.host}: opening a pull request needs a token{where}")
    refuse_archived(outlet.hosted)
    if by_fork:
        fork = outlet.forge.fork()
        return outlet.access_to(fork.clone_url), fork.path
    if not outlet.hosted.can_push:
        path = outlet.hosted.path
        raise UsageError(
            f"this token may not push to {path}: use --fork to push to a fork of yours"
        )
    return outlet.access, ""


def refuse_archived(hosted: Hosted) -> None:
    if hosted.is_archived:
        raise UsageError(f"{hosted.path} is archived: nothing can be sent to it")


def aimed(
    request: Request, outlet: Outlet, into: str, way: tuple[str, ...], around: Surroundings
) -> Request:
    """Return the request with its target, based on `into` or on our branch if others changed it."""
    names = request.names or names_of(request.issue, around, request.model)
    into, access = into or outlet.hosted.default_branch, outlet.access
    if PULL in way:
        access, _ = _push_to(outlet, by_fork=FORK in way)
    if outlet.access and access and {PULL, DRY} & set(way):
        top = top_of(request.repository)
        branch = ours_there(request.issue.reference, names.branch, access, top)
        with in_repository(top) as git:
            stands = standing(git, access, branch, into, outlet.access)
        at, start = (access, branch) if stands.foreign else (outlet.access, into)
        if stands.foreign:
            others = f"{branch} has commits of others at {access.shown}"
            around.tell(f"{others}: the run continues from them")
        base = fetched_base(top, at, start, around.cuts)
        names, request = Names(names.run, branch), replace(request, revision=base.commit)
    elif {PULL, DRY} & set(way):  # where there is no forge, as there
        refuse_partial(request.repository)
        check_target(request.repository, outlet, into, way)
    closes = closing(request.issue.reference, outlet)
    target = Target(outlet.url, into, names.branch, closes, way=way)
    return replace(request, names=names, also=(*request.also, target_event(target)))


def closing(reference: Reference | None, outlet: Outlet) -> str:
    """Return the issue as a pull request refers to it: `#12`, `owner/name#12`, or its URL."""
    if reference is None:
        return ""
    if reference.host and reference.host != outlet.host:
        return str(reference)
    elsewhere = reference.path if reference.path.lower() != outlet.hosted.path.lower() else ""
    return f"{elsewhere}#{reference.number}"


def ours_there(reference: Reference | None, branch: str, access: Access, top: Path) -> str:
    """Return `branch`, or the branch of an earlier run if the issue's title has changed."""
    if reference is None:
        return branch
    with in_repository(top) as git:
        heads = tips(git, access).refs
    stem = f"refs/heads/react-agent/{reference.number}-"
    known = [ref.removeprefix("refs/heads/") for ref in heads if ref.startswith(stem)]
    return branch if branch in known or len(known) != 1 else known[0]


@dataclass(frozen=True, slots=True)
class Delivery:
    """The result of a run and its destination."""

    folder: RunFolder
    target: Target
    outlet: Outlet
    around: Surroundings
    repository: Path  # where it is now

    @property
    def secrets(self) -> list[str]:
        """The secrets that must not occur in anything that is sent."""
        token = self.outlet.access.token if self.outlet.access else ""
        redaction = self.around.redaction()
        return [*redaction.known, *redaction.named, *filter(None, [token])]

    def prepared(self) -> Prepared:
        """Return the pull request exactly as it would be sent."""
        closes, known = self.target.issue, self.secrets
        return prepared(self.folder, moved=self.repository, closes=closes, known=known)

    def note(self, event: Event) -> None:
        transcript, _ = transcripts.reopen(self.folder.transcript)
        with contextlib.closing(transcript):
            transcript.append(event)

    def note_pushed(self, commit: str) -> None:
        facts = {"commit": commit, "branch": self.target.branch}
        self.note(Event(PUSHED, write_facts(facts)))


def check_ready(made: Prepared, otherwise: str = "no pull request") -> None:
    """Raise NotSent if the change must not be sent."""
    if made.refused:
        raise NotSent(f"{otherwise}: {'; '.join(made.refused)}")


def check_target(repository: Path, outlet: Outlet, into: str, way: tuple[str, ...]) -> None:
    """Raise an error if no pull request can be made for the branch `into`."""
    access = outlet.access
    if access is None:
        if FORK in way:
            outlet.forge.fork()  # raises an error
        if into not in branches(find_base(repository)):
            raise UsageError(f"{repository} has no branch {into!r}: name one with --base")
        return
    with in_repository(top_of(repository)) as git:
        there = tips(git, access)
    if not there.branch(into.removeprefix("refs/heads/")):
        now = f": its default branch is {there.default}: use --base" if there.default else ""
        raise UsageError(f"{access.shown} has no branch {into}{now}")


def send(to: Delivery) -> Pull:
    """Push the branch and open the pull request. After an error, the branch can be sent later."""
    made, target, outlet = to.prepared(), to.target, to.outlet
    check_ready(made)
    access, fork = _push_to(outlet, by_fork=FORK in target.way)
    check_target(to.repository, outlet, target.into, target.way)
    if access:
        with in_repository(made.repository) as git:
            commit = commit_of(git, made.branch)
            stands = standing(git, access, target.branch, target.into, outlet.access)
            push(git, commit, access, stands)
        to.note_pushed(commit)
    else:
        told = f"there is no forge: nothing is pushed, {made.branch} is in {made.repository}"
        to.around.tell(told)
    pull = outlet.forge.propose(
        Wanted(
            made.title,
            made.body,
            target.branch if access else made.branch,
            target.into,
            is_draft=DRAFT in target.way or made.is_draft,
            source=fork,
        )
    )
    to.note(Event(PULLED, pull.url))
    return pull


def commit_of(git: Git, branch: str) -> str:
    return git.line("rev-parse", "--verify", f"refs/heads/{branch}^{{commit}}")


@contextlib.contextmanager
def kept(later: str, tell: Callable[[str], None], in_any_case: str = "") -> Iterator[None]:
    """Turn errors into NotSent with `later`, a hint on sending, unless they are NotSent already."""
    try:
        yield
    except NotSent as error:
        raise NotSent(f"{error}{in_any_case}") from error
    except ReactAgentError as error:
        raise NotSent(f"{error}; {later}") from error
    except KeyboardInterrupt:
        tell(later)
        raise


def said_of_failure(outcome: Outcome, around: Surroundings) -> str:
    """Return the comment about a run without a result, redacted for the public."""
    return around.redaction().for_all(failure_comment(outcome))


def commented(
    outcome: Outcome, forge_for: Callable[[Reference], Forge], around: Surroundings
) -> str:
    """Comment on the issue of a run without a result. Return the comment's address, if any."""
    reference = read_reference(outcome.state.header.get(ISSUE, ""))
    if reference is None:
        return ""
    return forge_for(reference).comment(reference.number, said_of_failure(outcome, around))


def outside(around: Surroundings) -> Outside:
    named = Path(around.environment.get("HOME", ""))
    home = named if named.is_absolute() else Path("/nonexistent")
    return Outside(around.environment, home, runs_folder().parent, around.settings.forges)


def forge_for(repository: Path, remote: str, around: Surroundings) -> Callable[[Reference], Forge]:
    return lambda reference: find_forge(reference, repository, outside(around), remote)


def outlet_for(
    repository: Path, named: str, around: Surroundings, upstream: Reference | None = None
) -> Outlet:
    """Return the destination for a remote or, with `upstream`, for the issue's repository."""
    remote = find_remote(repository, named)
    about = upstream if upstream and upstream.path else remote
    forge = find_forge(about, repository, outside(around), named)
    hosted = forge.repository()
    place, environment = place_of(about, repository, named), around.environment
    if place is None:
        return Outlet(forge, hosted, environment)
    found = find_account(place, outside(around))
    own = about.url if isinstance(about, Remote) else hosted.clone_url
    outlet = Outlet(forge, hosted, environment, None, own, found.variable, place.host, found.token)
    if isinstance(about, Remote) and about.scheme == "ssh":
        return replace(outlet, access=Access(about, found.token, environment=environment))
    return replace(outlet, access=outlet.access_to(hosted.clone_url))
