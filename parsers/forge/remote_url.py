"""Where a remote of git is. A password in it is never kept, nor is a user's name over HTTP.

remote = scheme "://" [user [":" password] "@"] host [":" port] "/" path
       | [user "@"] host ":" path          as scp writes it, over ssh
       | path                              of a folder
"""

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

_SCHEMES = {
    "https": "https",
    "http": "http",
    "ssh": "ssh",
    "git+ssh": "ssh",
    "ssh+git": "ssh",
    "git": "git",
    "file": "file",
}
_HOST = r"(?P<host>[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?|\[[0-9A-Fa-f:.]+\])"
_URL = re.compile(
    rf"(?:(?P<user>[^/@:]*)(?::[^/]*)?@)?{_HOST}(?::(?P<port>[0-9]{{0,5}}))?(?P<path>/[^?#]*).*"
)
_SCP = re.compile(rf"(?:(?P<user>[^/@:]+)@)?{_HOST}:(?P<path>[^:].*)")
_USER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
_FORGES_OVER_SSH = {"ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com"}


@dataclass(frozen=True, slots=True)
class Remote:
    scheme: str  # https, http, ssh, git or file
    host: str  # without a port; empty for a folder
    path: str  # OWNER/NAME; the folder as it was written, for a file
    url: str  # for git, without credentials
    port: int = 0  # 0: the usual one
    user: str = ""  # of ssh

    @property
    def is_local(self) -> bool:
        return self.scheme == "file"

    @property
    def forge_host(self) -> str:
        """Where the forge is asked: a port of ssh is not the web's."""
        if self.scheme in ("https", "http") and self.port:
            return f"{self.host}:{self.port}"
        return _FORGES_OVER_SSH.get(self.host, self.host)

    @property
    def web_scheme(self) -> str:
        return "http" if self.scheme == "http" else "https"


def read_remote_url(text: str) -> Remote | None:
    """None: what git would hand to a helper, or what nobody can mean."""
    words = text.strip()
    if not words or words.startswith("-") or re.search(r"[\x00-\x1f\x7f\\]", words):
        return None
    scheme, mark, rest = words.partition("://")
    if mark and re.fullmatch(r"[A-Za-z0-9+.-]+", scheme):
        return _url(_SCHEMES.get(scheme.lower(), ""), rest)
    if re.match(r"[A-Za-z0-9]+::", words):
        return None
    if ":" in words.partition("/")[0]:
        return _scp(words)
    return Remote("file", "", words, words)


def _url(scheme: str, rest: str) -> Remote | None:
    if scheme == "file":
        folder = unquote(rest.removeprefix("localhost"))
        usable = folder.startswith("/") and "\0" not in folder
        return Remote("file", "", folder, f"file://{quote(folder)}") if usable else None
    found = _URL.fullmatch(rest)
    if not scheme or found is None:
        return None
    user = (found["user"] or "") if scheme == "ssh" else ""
    host, port, path = found["host"].lower(), int(found["port"] or 0), found["path"]
    at = f"{user}@" if user else ""
    behind = f":{port}" if port else ""
    url = f"{scheme}://{at}{host}{behind}{path}"
    return _checked(Remote(scheme, host, _repository(unquote(path)), url, port, user))


def _scp(words: str) -> Remote | None:
    found = _SCP.fullmatch(words)
    if found is None:
        return None
    user, host, path = found["user"] or "", found["host"].lower(), found["path"]
    at = f"{user}@" if user else ""
    return _checked(Remote("ssh", host, _repository(path), f"{at}{host}:{path}", 0, user))


def _checked(remote: Remote) -> Remote | None:
    is_named = not remote.user or _USER.fullmatch(remote.user)
    is_clean = not re.search(r"[\x00-\x1f\x7f]", remote.path)
    is_there = remote.path and ".." not in remote.path.split("/") and remote.port < 65536
    return remote if is_named and is_clean and is_there else None


def _repository(path: str) -> str:
    return path.strip("/").removesuffix(".git").rstrip("/")
