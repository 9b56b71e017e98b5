"""Find the forge of an issue or a repository, and the account for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from react_agent.forges.account import PUBLIC, Account, Configured, find_token, host_in
from react_agent.forges.contract import Forge, ForgeError
from react_agent.forges.faults import Asking, Failed, Fault, Patience
from react_agent.forges.local import Local
from react_agent.parsers.forge.remote import Remote
from react_agent.parsers.issue.reference import Reference
from react_agent.tools.git.remote import find_remote

_NAMED_BY = (("github", "GH_HOST"), ("gitlab", "GITLAB_HOST"), ("gitlab", "CI_SERVER_URL"))
_APIS = {"github": "/api/v3", "gitlab": "/api/v4", "gitea": "/api/v1"}
_CLOUD = ".ghe.com"
_TO_TELL = 10.0  # seconds
_NOT_TOLD = (
    "it does not say its kind; put `kind = gitlab` (or github, gitea) below "
    "[react_agent:forge {host}] in your settings"
)
# The path to ask, a field of the answer, and the refusal of a server that wants a token.
_QUESTIONS = (
    ("gitlab", "/api/v4/version", "version", "401 Unauthorized"),
    ("gitea", "/api/v1/version", "version", "Only signed in user is allowed to call APIs."),
    ("github", "/api/v3/meta", "installed_version", "Must authenticate to access this API."),
)
_HERE = ("127.0.0.1", "localhost", "[::1]")
NAMES = {"github": "GitHub", "gitlab": "GitLab", "gitea": "Gitea"}
SCOPES = {
    "github": "reading and writing issues, pull requests and contents (`repo` of a classic one)",
    "gitlab": "`api`",
    "gitea": "writing issues and the repository",
}


@dataclass(frozen=True, slots=True)
class Outside:
    """Everything that is needed to find a forge, read once at startup."""

    environment: Mapping[str, str] = field(repr=False)
    home: Path
    state: Path  # ours; where local pull requests are
    configured: Mapping[str, Configured] = field(default_factory=dict)  # by hosts
    patience: Patience = field(default_factory=Patience)


@dataclass(frozen=True, slots=True)
class Place:
    """A repository on a host."""

    host: str
    path: str
    scheme: str = "https"


def find_forge(
    about: Reference | Remote | None, repository: Path, outside: Outside, remote: str = ""
) -> Forge:
    """Return the forge of an issue, a remote or a named remote, or a `Local` if there is none."""
    place = place_of(about, repository, remote)
    if place is None:
        return Local(repository, outside.state)
    said = outside.configured.get(place.host, Configured())
    patience = replace(outside.patience, answer=said.seconds or outside.patience.answer)
    return _opened(find_account(place, outside), place.path, patience)


def find_account(place: Place, outside: Outside) -> Account:
    """Return the account for a host: the forge's kind, and the token, which git also uses."""
    said = outside.configured.get(place.host, Configured())
    kind = said.kind or _kind(place, outside)
    found = find_token(kind, place.host, said.variable, outside.environment, outside.home)
    api = said.api or _api(place, kind)
    return Account(place.host, api, *found, NAMES[kind], SCOPES[kind])


def place_of(about: Reference | Remote | None, repository: Path, remote: str = "") -> Place | None:
    """Return the host and path of an issue's or remote's repository, or None without a forge."""
    if isinstance(about, Reference) and about.host:
        return Place(about.host, about.path, about.scheme)
    found = about if isinstance(about, Remote) else find_remote(repository, remote)
    there = None
    if found is not None and not found.is_local:
        scheme = "http" if found.scheme == "http" else "https"
        there = Place(found.forge_host, found.path, scheme)
    if isinstance(about, Reference) and about.path:
        return replace(there or Place("github.com", ""), path=about.path)
    return there


def _kind(place: Place, outside: Outside) -> str:
    host, environment = place.host, outside.environment
    if host in PUBLIC:
        return PUBLIC[host]
    if host.endswith(_CLOUD):
        return "github"
    named = (kind for kind, name in _NAMED_BY if host_in(environment.get(name, "")) == host)
    return next(named, "") or _asked_host(host, _web(place))


def _asked_host(host: str, web: str) -> str:
    """Query a host, without a token, to find out which forge it runs. `web` is its URL."""
    from react_agent.forges.http import Http, json_of  # takes a while

    http = Http(web, {}, _TO_TELL)

    def ask() -> str:
        for kind, path, has, said in _QUESTIONS:
            try:
                answer = json_of(http.ask("GET", f"{web}{path}"))
                is_it = isinstance(answer, dict) and has in answer
            except Fault as fault:
                if fault.how in (Failed.UNREACHABLE, Failed.SLOW):
                    raise
                is_it = fault.said == said
            if is_it:
                return kind
        raise Fault(Failed.PLAIN, _NOT_TOLD.format(host=host))

    once = Patience(tries=1)
    return Asking(Account(host, web), "", once).ask("find out which forge it is", ask)


def _api(place: Place, kind: str) -> str:
    if place.host == "github.com":
        return "https://api.github.com"
    if place.host.endswith(_CLOUD) and kind == "github":
        return f"https://api.{place.host}"
    return f"{_web(place)}{_APIS[kind]}"


def _web(place: Place) -> str:
    """Return the URL of a host. Plain http is for this machine only, because a token is sent."""
    is_here = place.host.rpartition(":")[0] in _HERE or place.host in _HERE
    return f"{place.scheme if is_here else 'https'}://{place.host}"


def _opened(account: Account, path: str, patience: Patience) -> Forge:
    """Return the forge. Its client is imported here, because the import takes a while."""
    if path.count("/") < 1:
        raise ForgeError(f"{account.host}: {path!r} is not a repository name: write OWNER/NAME")
    if account.kind == "GitHub":
        from react_agent.forges.github import GitHub

        return GitHub(account, path, patience)
    if account.kind == "GitLab":
        from react_agent.forges.gitlab import GitLab

        return GitLab(account, path, patience)
    from react_agent.forges.gitea import Gitea

    return Gitea(account, path, patience)
