"""Read the address of a git remote. A password, or a user's name over HTTP, is never kept.

remote = scheme "://" [user [":" password] "@"] host [":" port] "/" path
       | [user "@"] host ":" path          as scp writes it, over ssh
       | path                              of a folder
"""

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

_SCHEMES = {scheme: scheme for scheme in ("https", "http", "ssh", "git", "file")}
_SCHEMES |= {"git+ssh": "ssh", "ssh+git": "ssh"}
_LAST_PORT = 65535
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
    user: str = ""  # for ssh

    @property
    def is_local(self) -> bool:
        return self.scheme == "file"

    @property
    def forge_host(self) -> str:
        """Return the host of the forge's web address; a port for ssh does not belong to it."""
        if self.scheme in ("https", "http") and self.port:
            return f"{self.host}:{self.port}"
        return _FORGES_OVER_SSH.get(self.host, self.host)

    @property
    def web_scheme(self) -> str:
        return "http" if self.scheme == "http" else "https"


def read_remote_url(text: str) -> Remote | None:
    """Return the remote, or None for what git would hand to a helper or what nobody can mean."""
    words = text.strip()
    if not words or words.startswith("-") or re.search(r"[\x00-\x1f\x7f\\]", words):
        return None
    written, mark, rest = words.partition("://")
    if not mark or not re.fullmatch(r"[A-Za-z0-9+.-]+", written):
        if re.match(r"[A-Za-z0-9]+::", words):
            return None
        is_folder = ":" not in words.partition("/")[0]
        return Remote("file", "", words, words) if is_folder else _at_host("ssh", words, _SCP)
    scheme = _SCHEMES.get(written.lower(), "")
    if scheme == "file":
        folder = unquote(rest.removeprefix("localhost"))
        is_usable = folder.startswith("/") and "\0" not in folder
        return Remote("file", "", folder, f"file://{quote(folder)}") if is_usable else None
    return _at_host(scheme, rest, _URL) if scheme else None


def _at_host(scheme: str, words: str, pattern: re.Pattern[str]) -> Remote | None:
    found = pattern.fullmatch(words)
    if found is None:
        return None
    parts, is_url = found.groupdict(), pattern is _URL
    user = (parts["user"] or "") if scheme == "ssh" else ""
    host, port = parts["host"].lower(), int(parts.get("port") or 0)
    place = f"{user}@{host}" if user else host
    url = f"{scheme}://{place}{f':{port}' if port else ''}" if is_url else f"{place}:"
    path = unquote(parts["path"]) if is_url else parts["path"]
    path = path.strip("/").removesuffix(".git").rstrip("/")
    is_meant = path and ".." not in path.split("/") and not re.search(r"[\x00-\x1f\x7f]", path)
    if not is_meant or port > _LAST_PORT or (user and not _USER.fullmatch(user)):
        return None
    return Remote(scheme, host, path, url + parts["path"], port, user)
