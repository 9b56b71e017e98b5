"""Which of the remotes that a repository names is meant."""

import os
from dataclasses import replace
from pathlib import Path

from react_agent.parsers.remote_url import Remote, read_remote_url
from react_agent.tools.errors import WorkspaceError
from react_agent.tools.git.door import Git
from react_agent.tools.git.repository import current_branch, enclosing, in_repository

_USUAL = "origin"


def find_remote(repository: Path, name: str = "") -> Remote | None:
    """The one of this name; else that of the branch, `origin`, or the only one.

    None where there is none. What is not said to be a remote may be an address.
    """
    top = enclosing(repository)
    if top is None:
        return read_remote_url(name) if name else None
    with in_repository(top) as git:
        names = git.ask("remote").out.decode(errors="replace").split("\n")[:-1]
        chosen = _chosen(git, names, name, current_branch(top))
        if not chosen and name:
            return _as_address(name)
        url = git.ask("remote", "get-url", "--", chosen).out if chosen else b""
    if not chosen:
        return None
    return _from_the_root(_read(chosen, url.decode(errors="replace").rstrip("\n")), top)


def _chosen(git: Git, names: list[str], wanted: str, branch: str) -> str:
    if wanted:
        return wanted if wanted in names else ""
    followed = git.ask("config", "--get", f"branch.{branch}.remote")
    upstream = followed.out.decode(errors="replace").strip()
    usual = _USUAL if _USUAL in names else ""
    only = names[0] if len(names) == 1 else ""
    return (upstream if upstream in names else "") or usual or only


def _as_address(name: str) -> Remote:
    remote = read_remote_url(name)
    if remote is None or (remote.is_local and "/" not in name):
        raise WorkspaceError(f"there is no remote called {name!r}")
    return remote


def _read(name: str, url: str) -> Remote:
    remote = read_remote_url(url)
    if remote is None:
        raise WorkspaceError(f"the address of the remote {name} can't be read")
    return remote


def _from_the_root(remote: Remote, top: Path) -> Remote:
    """A folder, which git looks for from the top of the repository."""
    if not remote.is_local or remote.path.startswith("/"):
        return remote
    place = os.path.normpath(top / remote.path)
    return replace(remote, path=place, url=place)
