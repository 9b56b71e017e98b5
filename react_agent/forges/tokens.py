"""Tokens: from the environment or what a forge's own command line keeps, for their host alone.

A token belongs to one host. Where nothing says to which, it is that of the forge's makers.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from react_agent.parsers.secrets.cli_logins import read_blocks
from react_agent.tools import disk

_MOST_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Token:
    secret: str = field(default="", repr=False)
    source: str = ""  # the variable or file; without a token, the variable to put one into


@dataclass(frozen=True, slots=True)
class _Variable:
    name: str
    hosts: tuple[str, ...]  # variables that name its host, as an address or by its name
    default: str = ""  # its host where none of them is set


@dataclass(frozen=True, slots=True)
class _Kept:
    """A file of a command line."""

    folder: str  # the variable that names its folder
    path: str  # below the folder of settings
    name: str
    token: str  # the keys of a login
    address: str = ""  # its host is there; else it is what stands above the login


_GITEA = ("GITEA_SERVER_URL", "GITEA_INSTANCE_URL")
_FORGEJO = ("FORGEJO_SERVER_URL", "FORGEJO_URL")
_ACTIONS = "GITHUB_SERVER_URL"  # Gitea's and Forgejo's jobs have it, too
_VARIABLES = {
    "github": (
        _Variable("GH_TOKEN", ("GH_HOST", _ACTIONS), "github.com"),
        _Variable("GITHUB_TOKEN", (_ACTIONS, "GH_HOST"), "github.com"),
        _Variable("GH_ENTERPRISE_TOKEN", ("GH_HOST", _ACTIONS)),
        _Variable("GITHUB_ENTERPRISE_TOKEN", ("GH_HOST", _ACTIONS)),
    ),
    "gitlab": (
        _Variable("GITLAB_TOKEN", ("GITLAB_HOST", "GL_HOST", "CI_SERVER_URL"), "gitlab.com"),
        _Variable("GITLAB_ACCESS_TOKEN", ("GITLAB_HOST", "GL_HOST", "CI_SERVER_URL"), "gitlab.com"),
    ),
    "gitea": (
        _Variable("GITEA_TOKEN", (*_GITEA, _ACTIONS), "gitea.com"),
        _Variable("FORGEJO_TOKEN", (*_FORGEJO, _ACTIONS), "codeberg.org"),
        _Variable("CODEBERG_TOKEN", (), "codeberg.org"),
        _Variable("GITHUB_TOKEN", (_ACTIONS,)),
    ),
}
_KEPT = {
    "github": _Kept("GH_CONFIG_DIR", "gh", "hosts.yml", "oauth_token"),
    "gitlab": _Kept("GLAB_CONFIG_DIR", "glab-cli", "config.yml", "token"),
    "gitea": _Kept("TEA_CONFIG_DIR", "tea", "config.yml", "token", "url"),
}


def find_token(
    kind: str, host: str, variable: str, environment: Mapping[str, str], home: Path
) -> Token:
    """`variable` is the one that the settings name: then no other place is looked at."""
    if variable:
        return Token(environment.get(variable, "").strip(), variable)
    here = [known for known in _VARIABLES[kind] if host_of(known, environment) == host]
    for known in here:
        if secret := environment.get(known.name, "").strip():
            return Token(secret, known.name)
    kept = _KEPT[kind]
    file = _folder(kept, environment, home) / kept.name
    for secret in _logins(file, kept, host):
        return Token(secret, str(file))
    return Token(source=here[0].name if here else "")


def host_of(known: _Variable, environment: Mapping[str, str]) -> str:
    """Whose the token in this variable is."""
    named = (environment.get(name, "").strip() for name in known.hosts)
    return next((host_in(name) for name in named if name), known.default)


def host_in(name: str) -> str:
    """Of `HOST`, or of an address."""
    return urlsplit(name if "://" in name else f"https://{name}").netloc.rpartition("@")[2].lower()


def kind_by_logins(host: str, environment: Mapping[str, str], home: Path) -> str:
    """Which forge a host is, by whose command line has a login there; empty if none has."""
    for kind, kept in _KEPT.items():
        file = _folder(kept, environment, home) / kept.name
        if any(True for _ in _logins(file, kept, host)):
            return kind
    return ""


def _folder(kept: _Kept, environment: Mapping[str, str], home: Path) -> Path:
    if named := environment.get(kept.folder):
        return Path(named)
    settings = Path(environment.get("XDG_CONFIG_HOME") or "")
    return (settings if settings.is_absolute() else home / ".config") / kept.path


def _logins(file: Path, kept: _Kept, host: str) -> Iterator[str]:
    for block in read_blocks(_text(file)):
        secret = block.values.get(kept.token)
        place = host_in(block.values.get(kept.address, "")) if kept.address else block.name.lower()
        if secret and place == host:
            yield secret


def _text(file: Path) -> str:
    """A file that is not there, or can't be read, keeps no login."""
    try:
        return disk.start_of(file, _MOST_BYTES).decode(errors="replace")
    except (OSError, ValueError):
        return ""
