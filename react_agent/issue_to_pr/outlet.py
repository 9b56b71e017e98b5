"""Where a change goes: the remote and its forge. A run that is meant for it begins there, too."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.forges.contract import Forge, Hosted
from react_agent.issue_to_pr.target import DRY, FORK, PULL, Target, target_event
from react_agent.parsers.issue.reference import Reference
from react_agent.runs.run_setup import Names, Request, names_of
from react_agent.runs.surroundings import Surroundings
from react_agent.tools.git.access import Access
from react_agent.tools.git.cut import refuse_partial
from react_agent.tools.git.remote import fetched_base, standing, tips
from react_agent.tools.git.repository import Base, branches, find_base, in_repository, top_of


@dataclass(frozen=True, slots=True)
class Outlet:
    forge: Forge
    hosted: Hosted
    access: Access | None  # None: the change stays in this repository, as a branch
    access_to: Callable[[str], Access]  # to another repository of this forge, by its address
    url: str = ""  # by which it is found again
    variable: str = ""  # of the environment, where a token is looked for
    host: str = ""  # of the forge, with its port


@dataclass(frozen=True, slots=True)
class Source:
    """What a branch is pushed to."""

    access: Access | None  # None: nothing is, it stays in this repository
    fork: str = ""  # as OWNER/NAME; empty: it is the repository itself


def source_of(outlet: Outlet, *, by_fork: bool) -> Source:
    """A fork is made if there is none. Raises UsageError where nothing can be pushed."""
    if outlet.access is None:
        return Source(None, outlet.forge.fork().path if by_fork else "")
    if not outlet.access.token:
        where = f": put one into {outlet.variable}" if outlet.variable else ""
        raise UsageError(f"{outlet.access.host}: to open a pull request takes a token{where}")
    if by_fork:
        fork = outlet.forge.fork()
        return Source(outlet.access_to(fork.clone_url), fork.path)
    if not outlet.hosted.can_push:
        raise UsageError(
            f"this token may not push to {outlet.hosted.path}: --fork goes by a fork of yours"
        )
    return Source(outlet.access)


def aimed(
    request: Request, outlet: Outlet, into: str, way: tuple[str, ...], around: Surroundings
) -> Request:
    """Begun at the branch that the change is for; at ours, where others have committed to it.

    Whatever would keep the change from being sent is found now, before a model is asked.
    """
    names = request.names or names_of(request.issue, around, request.model)
    into = into or outlet.hosted.default_branch
    source = source_of(outlet, by_fork=FORK in way) if PULL in way else Source(outlet.access)
    if outlet.access and {PULL, DRY} & set(way):
        branch, base = _begun(request, names.branch, outlet.access, source, into, around)
        names, request = Names(names.run, branch), replace(request, revision=base.commit)
    elif {PULL, DRY} & set(way):
        _check_here(request.repository, into)
    closes = closing(request.issue.reference, outlet)
    target = Target(outlet.url, into, names.branch, closes, way=way)
    return replace(request, names=names, also=(*request.also, target_event(target)))


def _begun(
    request: Request, branch: str, access: Access, source: Source, into: str, around: Surroundings
) -> tuple[str, Base]:
    """The branch, and where it begins."""
    top, place = top_of(request.repository), source.access or access
    branch = ours_there(request.issue.reference, branch, place, top)
    with in_repository(top) as git:
        stands = standing(git, place, branch, into, access)
    if not stands.foreign:
        return branch, fetched_base(top, access, into, around.cuts)
    around.tell(f"{branch} has commits of others at {place.shown}: it is gone on with")
    return branch, fetched_base(top, place, branch, around.cuts)


def _check_here(repository: Path, into: str) -> None:
    """Where there is no forge, as there."""
    refuse_partial(repository)
    if into not in branches(find_base(repository)):
        raise UsageError(f"{repository} has no branch {into!r}: name one with --base")


def closing(reference: Reference | None, outlet: Outlet) -> str:
    """The issue as a pull request of this repository names it; by its address from elsewhere."""
    if reference is None:
        return ""
    if reference.host and reference.host != outlet.host:
        return str(reference)
    elsewhere = reference.path if reference.path.lower() != outlet.hosted.path.lower() else ""
    return f"{elsewhere}#{reference.number}"


def ours_there(reference: Reference | None, branch: str, access: Access, top: Path) -> str:
    """The name of an earlier run on this issue, which may have had another title then."""
    if reference is None:
        return branch
    with in_repository(top) as git:
        heads = tips(git, access).refs
    stem = f"refs/heads/react-agent/{reference.number}-"
    known = [ref.removeprefix("refs/heads/") for ref in heads if ref.startswith(stem)]
    return branch if branch in known or len(known) != 1 else known[0]
