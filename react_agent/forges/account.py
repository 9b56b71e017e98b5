"""Find the settings and the token for the host of a forge.

A token is for one host only: the host named along with it, or else the forge's public host.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from react_agent.errors import ConfigError, ReactAgentError
from react_agent.forges.contract import ForgeError
from react_agent.parsers.settings.errors import did_you_mean
from react_agent.tools.shell import process

KINDS = {"github": "github", "gitlab": "gitlab", "gitea": "gitea", "forgejo": "gitea"}
_SETTINGS = ("kind", "api", "token", "seconds")
_LONGEST = 600  # seconds
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TO_UNLOCK = 30.0  # seconds: a keyring may ask for its password


@dataclass(frozen=True, slots=True)
class Configured:
    kind: str = ""
    api: str = ""  # its address
    variable: str = ""  # of the environment, with the token
    seconds: float = 0.0  # for one answer; 0: as many as for any forge


@dataclass(frozen=True, slots=True)
class Account:
    """The address of a forge, and the token for it."""

    host: str  # as a person writes it, with its port
    api: str  # the address of its API
    token: str = field(default="", repr=False)
    variable: str = ""  # of the environment, where a token is looked for
    kind: str = ""  # GitHub, GitLab, Gitea
    scope: str = ""  # what a token has to allow

    def __post_init__(self) -> None:
        if not (self.token.isascii() and self.token.isprintable()) or " " in self.token:
            what = f"what {self.variable} holds" if self.variable else "what was given"
            raise ForgeError(f"{self.host}: {what} can't be a token")


_GITEA = ("GITEA_SERVER_URL", "GITEA_INSTANCE_URL")
_FORGEJO = ("FORGEJO_SERVER_URL", "FORGEJO_URL")
_GITLAB = ("GITLAB_HOST", "GL_HOST", "CI_SERVER_URL")
_ACTIONS = "GITHUB_SERVER_URL"  # Gitea's and Forgejo's jobs have it, too
# Variables with a token, the variables that name its host or address, and its default host.
_VARIABLES: Mapping[str, Mapping[str, tuple[tuple[str, ...], str]]] = {
    "github": {
        "GH_TOKEN": (("GH_HOST", _ACTIONS), "github.com"),
        "GITHUB_TOKEN": ((_ACTIONS, "GH_HOST"), "github.com"),
        "GH_ENTERPRISE_TOKEN": (("GH_HOST", _ACTIONS), ""),
        "GITHUB_ENTERPRISE_TOKEN": (("GH_HOST", _ACTIONS), ""),
    },
    "gitlab": {
        "GITLAB_TOKEN": (_GITLAB, "gitlab.com"),
        "GITLAB_ACCESS_TOKEN": (_GITLAB, "gitlab.com"),
    },
    "gitea": {
        "GITEA_TOKEN": ((*_GITEA, _ACTIONS), "gitea.com"),
        "FORGEJO_TOKEN": ((*_FORGEJO, _ACTIONS), "codeberg.org"),
        "CODEBERG_TOKEN": ((), "codeberg.org"),
        "GITHUB_TOKEN": ((_ACTIONS,), ""),
    },
}
PUBLIC = {host: kind for kind, row in _VARIABLES.items() for _, host in row.values() if host}
_TOKENS = {"OAUTH_TOKEN"}.union(*_VARIABLES.values())
# Commands that print the token of a host, from their file or the system's keyring.
_ASKED = {
    "github": ("gh", "auth", "token", "--hostname"),
    "gitlab": ("glab", "config", "get", "token", "--host"),
}


def read_configured(host: str, section: Mapping[str, str]) -> Configured:
    """Read and check the settings for the host of a forge. Raises ConfigError."""
    where = f"[react_agent:forge {host}]"
    for name in section:
        if name not in _SETTINGS:
            meant = f"{did_you_mean(name, _SETTINGS)}; choose from {', '.join(_SETTINGS)}"
            raise ConfigError(f"{where}: no setting {name!r}{meant}")
    kind, api, variable, seconds = (section.get(name, "").strip() for name in _SETTINGS)
    if kind and kind not in KINDS:
        raise ConfigError(f"{where}: kind must be one of {', '.join(KINDS)}, not {kind!r}")
    if api and not _is_address(api):
        raise ConfigError(f"{where}: api must be an address like https://HOST/api/v3")
    if variable and not _VARIABLE.fullmatch(variable):
        # it may be the token itself, which is not to be shown
        raise ConfigError(f"{where}: token must be the name of a variable that holds the token")
    is_time = seconds.isascii() and seconds.isdecimal() and 1 <= int(seconds[:9]) <= _LONGEST
    if seconds and not is_time:
        raise ConfigError(f"{where}: seconds must be a number from 1 to {_LONGEST}")
    return Configured(KINDS.get(kind, ""), api.rstrip("/"), variable, float(seconds or 0))


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        usable = parts.hostname and parts.username is None and parts.port != 0
    except ValueError:
        return False
    return bool(usable) and parts.scheme in ("http", "https") and not parts.query + parts.fragment


def find_token(
    kind: str, host: str, variable: str, environment: Mapping[str, str], home: Path
) -> tuple[str, str]:
    """Return the token and its source, or "" and the variable to put a token into.

    `variable` is the one named in the settings. If it is given, no other source is searched.
    """
    if variable:
        return environment.get(variable, "").strip(), variable
    here = []
    for name, (naming, default) in _VARIABLES[kind].items():
        named = (environment.get(one, "").strip() for one in naming)
        if next((host_in(one) for one in named if one), default) == host:
            here.append(name)
    for name in here:
        if secret := environment.get(name, "").strip():
            return secret, name
    if secret := _logged_in(kind, host, environment, home):
        return secret, f"the login of {_ASKED[kind][0]}"
    return "", here[0] if here else ""


def host_in(name: str) -> str:
    """Return the host from a URL or a plain host name, or "" if it is neither."""
    try:
        named = urlsplit(name if "://" in name else f"https://{name}").netloc
    except ValueError:  # a `[` without its `]`
        return ""
    return named.rpartition("@")[2].lower()


def _logged_in(kind: str, host: str, environment: Mapping[str, str], home: Path) -> str:
    """Return the token that the forge's command-line tool has stored for this host."""
    if kind not in _ASKED:
        return ""
    program, *words = _ASKED[kind]
    found = process.find_program(program, environment.get("PATH", ""))
    if not found or not Path(found).is_absolute():
        return ""
    # They look at variables first, whose token may be for another host.
    its = {name: value for name, value in environment.items() if name not in _TOKENS}
    try:
        done = process.run([found, *words, host], cwd=home, env=its, timeout_s=_TO_UNLOCK)
    except (ReactAgentError, OSError):
        return ""
    said = done.output.decode(errors="replace").split()
    return said[0] if done.code == 0 and len(said) == 1 else ""
