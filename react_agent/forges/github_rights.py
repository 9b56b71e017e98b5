"""Who may push to a repository of GitHub: it is asked, whatever an event says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from react_agent.forges.asking import Patience
from react_agent.forges.faults import Account, Fault
from react_agent.forges.github_client import connect, heard

if TYPE_CHECKING:
    from github.Repository import Repository

_MAY = frozenset({"admin", "maintain", "write"})


def may_push(account: Account, path: str, login: str, patience: Patience) -> bool:
    """Raises ForgeError."""

    def right(repository: Repository) -> str:
        try:
            return heard(repository.get_collaborator_permission, login)
        except Fault as fault:
            if fault.status != 404:  # nobody of that name: an app
                raise
            return "none"

    return connect(account, path, patience).ask(f"read the rights of {login}", right) in _MAY
