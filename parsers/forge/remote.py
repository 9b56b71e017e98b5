"""Read the address of a git remote, and the messages of git and the server about it.

remote    = scheme "://" [user [":" password] "@"] host [":" port] "/" path
          | [user "@"] host ":" path          as scp writes it, over ssh
          | path                              of a folder
complaint = line*
line      = "remote:" message of the server | message of ssh | ("fatal:" | "error:") message of git
rejection = "!" TAB refs TAB "[" kind "]" "(" reason ")"          of push --porcelain

A password is never kept, nor is a user's name over HTTP.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import quote, unquote

from react_agent.parsers.text.gist import clipped
from react_agent.parsers.transcript.quoting import escape

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
        """Return the host of the forge's web address, without the port if it is for ssh."""
        if self.scheme in ("https", "http") and self.port:
            return f"{self.host}:{self.port}"
        return _FORGES_OVER_SSH.get(self.host, self.host)


def read_remote_url(text: str) -> Remote | None:
    """Return the remote, or None if git would pass the URL to a helper or it makes no sense."""
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


_MOST_LINES = 3  # of a server's message
_LONGEST = 300
REMOTE = "remote:"
_REJECTION = re.compile(r"!\t[^\t]*\t\[[^]]*\](?: \((.*)\))?")
_ASKED_FOR = re.compile(r"could not read (?:Username|Password) for '([^']*)'")
_STATUS = re.compile(r"The requested URL returned error: ([0-9]{3})")
_QUOTED = re.compile("'[^']*'")
_LEADING = re.compile(r"(?:fatal|error): (?:unable to access '[^']*': )?")


class Trouble(StrEnum):
    NO_TOKEN = "no_token"
    BAD_TOKEN = "bad_token"
    FORBIDDEN = "forbidden"
    NO_KEY = "no_key"
    HOST_KEY = "host_key"
    NO_REPOSITORY = "no_repository"
    NO_BRANCH = "no_branch"
    MOVED = "moved"
    REFUSED = "refused"
    CERTIFICATE = "certificate"
    BUSY = "busy"
    UNREACHABLE = "unreachable"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Complaint:
    trouble: Trouble
    words: str = ""  # git's reason, if it gives one
    said: str = ""  # the server's message
    place: str = ""  # the address that a token is needed for


# The order matters: if ssh fails, git adds that it could not read. Names are left out.
_BY_WORDS = {
    r"Authentication failed for": Trouble.BAD_TOKEN,
    r"Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED": Trouble.HOST_KEY,
    r"Permission denied \(|Too many authentication failures": Trouble.NO_KEY,
    r"couldn't find remote ref": Trouble.NO_BRANCH,
    r"certificate|SSL ": Trouble.CERTIFICATE,
    r"Repository not found|project you were looking for could not be found"
    r"|does not appear to be a git repository|not valid: is this a git repository\?"
    r"|repository '' not found": Trouble.NO_REPOSITORY,
    r"Connection (?:refused|timed out|reset|closed)|No route to host|Network is unreachable"
    r"|Could not resolve|Operation timed out|unable to access ''|RPC failed"
    r"|hung up unexpectedly|failed to report status": Trouble.UNREACHABLE,
    r"Could not read from remote repository": Trouble.NO_REPOSITORY,
}
_BY_STATUS = {401: Trouble.BAD_TOKEN, 403: Trouble.FORBIDDEN, 404: Trouble.NO_REPOSITORY}
_BY_STATUS |= {410: Trouble.NO_REPOSITORY, 429: Trouble.BUSY}
_MOVED = re.compile(
    r"\((?:stale info|fetch first|non-fast-forward|needs force|already exists)\)"
    r"|is at [0-9a-f]+ but expected|reference already exists"
)


def read_complaint(errors: str, printed: str = "") -> Complaint:
    """Read the stderr of git and the output of `push --porcelain`."""
    lines = [line.rstrip() for line in errors.split("\n")]
    words = (line.removeprefix(REMOTE).strip() for line in lines if line.startswith(REMOTE))
    said = _short(" ".join([word for word in words if word][:_MOST_LINES]))
    own = [line for line in lines if line and not line.startswith(REMOTE)]
    if rejection := next(filter(None, map(_REJECTION.fullmatch, printed.split("\n"))), None):
        reason = escape(rejection[1] or "rejected")
        _, trouble = _known([reason]) or ("", Trouble.REFUSED)
        has_moved = _MOVED.search(f"{rejection[0]}\n{errors}")
        return Complaint(Trouble.MOVED if has_moved else trouble, reason, said)
    if asked := _ASKED_FOR.search("\n".join(own)):
        return Complaint(Trouble.NO_TOKEN, said=said, place=escape(asked[1]))
    if answered := _STATUS.search("\n".join(own)):
        status = int(answered[1])
        trouble = _BY_STATUS.get(status, Trouble.BUSY if status >= 500 else Trouble.OTHER)
        return Complaint(trouble, f"it answers {status}", said)
    first = next(filter(_LEADING.match, own), next(iter(own), ""))
    line, trouble = _known(own) or _known([said]) or (first, Trouble.OTHER)
    return Complaint(trouble, _short(_LEADING.sub("", line)), said)


def _known(lines: list[str]) -> tuple[str, Trouble] | None:
    plain = [(line, _QUOTED.sub("''", line)) for line in lines]  # an address may contain any words
    found = (
        (line, trouble)
        for words, trouble in _BY_WORDS.items()
        for line, without_names in plain
        if re.search(words, without_names)
    )
    return next(found, None)


def _short(text: str) -> str:
    return clipped(escape(text.strip()), _LONGEST, " ...")
