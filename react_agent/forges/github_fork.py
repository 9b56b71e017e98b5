"""Who a token of GitHub is of, and the fork that they have or get."""

from __future__ import annotations

from typing import TYPE_CHECKING

from react_agent.forges.contract import Hosted
from react_agent.forges.faults import Failed, Fault
from react_agent.forges.github_client import Session, heard, known, needed
from react_agent.forges.github_read import hosted

if TYPE_CHECKING:
    from github.Repository import Repository


def me(session: Session) -> str:
    def asked() -> str:
        try:
            return needed(heard(lambda: session.client.get_user().login))
        except Fault as fault:
            if fault.status != 403 or fault.is_limit:
                raise
            return heard(_viewer, session)

    return session.asking.ask("ask who the token is of", asked)


def _viewer(session: Session) -> str:
    """The token of an app, or of a job in CI, may ask for nothing else."""
    _, data = session.client.requester.graphql_query("query { viewer { login } }", {})
    return str(needed(data["data"]["viewer"]["login"]))


def fork(session: Session) -> Hosted:
    login = me(session)
    made = session.ask("make a fork", lambda repository: _fork_of(session, repository, login))
    session.asking.wait_for(f"fork {session.path}", lambda: _ready(made))
    return session.asking.ask(f"read the fork of {session.path}", lambda: heard(hosted, made))


def _fork_of(session: Session, repository: Repository, login: str) -> Repository:
    if repository.full_name.partition("/")[0].lower() == login.lower():
        raise Fault(Failed.PLAIN, f"it is {login}'s own; push to it instead")
    return _there(session, repository, login) or repository.create_fork()


def _there(session: Session, repository: Repository, login: str) -> Repository | None:
    try:
        found = heard(session.client.get_repo, f"{login}/{repository.name}")
    except Fault as fault:
        if not fault.is_missing:
            raise
        return None
    parent = known(found.parent)
    is_of_it = parent is not None and parent.full_name == repository.full_name
    return found if is_of_it else None


def _ready(fork: Repository) -> bool | None:
    """A fork is there at once, and what is in it later."""
    try:
        return bool(heard(fork.get_branch, needed(fork.default_branch)))
    except Fault as fault:
        if not fault.is_missing:
            raise
        return None
