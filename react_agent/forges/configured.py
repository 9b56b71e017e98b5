"""What the settings say of a forge's host."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from react_agent.errors import ConfigError

KINDS = {"github": "github", "gitlab": "gitlab", "gitea": "gitea", "forgejo": "gitea"}
_NAMES = ("kind", "api", "token", "seconds")
_LONGEST = 600  # seconds
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Configured:
    kind: str = ""
    api: str = ""  # its address
    variable: str = ""  # of the environment, with the token
    seconds: float = 0.0  # for one answer; 0: as many as for any forge


def read_configured(host: str, section: Mapping[str, str]) -> Configured:
    """Raises ConfigError."""
    where = f"[react_agent:forge {host}]"
    for name in section:
        if name not in _NAMES:
            raise ConfigError(f"{where}: no setting {name!r}; there are {', '.join(_NAMES)}")
    kind, api, variable, seconds = (section.get(name, "").strip() for name in _NAMES)
    if kind and kind not in KINDS:
        raise ConfigError(f"{where}: kind must be one of {', '.join(KINDS)}, not {kind!r}")
    if api and not _is_address(api):
        raise ConfigError(f"{where}: api must be an address like https://HOST/api/v3")
    if variable and not _VARIABLE.fullmatch(variable):
        # it may be the token itself, which is not to be shown
        raise ConfigError(f"{where}: token must be the name of a variable that holds the token")
    if seconds and not _is_time(seconds):
        raise ConfigError(f"{where}: seconds must be a number from 1 to {_LONGEST}")
    return Configured(KINDS.get(kind, ""), api.rstrip("/"), variable, float(seconds or 0))


def _is_time(text: str) -> bool:
    return text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= _LONGEST


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        usable = parts.hostname and parts.username is None and parts.port != 0
    except ValueError:
        return False
    return bool(usable) and parts.scheme in ("http", "https") and not parts.query + parts.fragment
