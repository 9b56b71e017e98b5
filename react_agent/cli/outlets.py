"""The forges that a command reaches, found when they are needed."""

from collections.abc import Callable
from pathlib import Path

from react_agent.cli.places import runs_folder
from react_agent.forges.contract import Forge, ForgeError
from react_agent.forges.find import Outside, find_account, find_forge, place_of
from react_agent.issue_to_pr.delivery import Outlet
from react_agent.parsers.forge.remote_url import Remote, read_remote_url
from react_agent.parsers.issue.reference import Reference
from react_agent.runs.surroundings import Surroundings
from react_agent.tools.git.access import Access
from react_agent.tools.git.remote import find_remote

_SSH = "ssh"
_WEB = ("https", "http")


def outside(around: Surroundings) -> Outside:
    named = Path(around.environment.get("HOME", ""))
    home = named if named.is_absolute() else Path("/nonexistent")
    return Outside(around.environment, home, runs_folder().parent, around.settings.forges)


def forge_for(repository: Path, remote: str, around: Surroundings) -> Callable[[Reference], Forge]:
    return lambda reference: find_forge(reference, repository, outside(around), remote)


def outlet_for(
    repository: Path, named: str, around: Surroundings, upstream: Reference | None = None
) -> Outlet:
    """Of the remote; of the repository that an issue is in, where a fork is to be pushed to."""
    remote = find_remote(repository, named)
    about = upstream if upstream and upstream.path else remote
    forge = find_forge(about, repository, outside(around), named)
    hosted = forge.repository()
    place = place_of(about, repository, named)
    if place is None:
        return Outlet(forge, hosted, None, lambda url: _access(url, "", "", around))
    found = find_account(place, outside(around))
    own = about.url if isinstance(about, Remote) else hosted.clone_url

    def access_to(url: str) -> Access:
        return _access(url, place.host, found.token, around)

    if isinstance(about, Remote) and about.scheme == _SSH:
        reached = Access(about, found.token, environment=around.environment)
    else:
        reached = access_to(hosted.clone_url)
    return Outlet(forge, hosted, reached, access_to, own, found.variable, place.host)


def _access(url: str, host: str, token: str, around: Surroundings) -> Access:
    """Only the host that a token is of gets it, whatever address the forge gives.

    One to a folder of this machine, or for a person's ssh, is not for a forge to give.
    """
    remote = read_remote_url(url)
    if remote is None or remote.scheme not in _WEB:
        raise ForgeError(f"{host} gives an address of the repository that can't be used")
    is_its = remote.forge_host == host
    return Access(remote, token if is_its else "", environment=around.environment)
