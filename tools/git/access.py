"""Access to a remote: its address and credentials, and one-line errors if it can't be reached.

A token is passed to git through a pipe, and never in an argument, a variable or a file. git calls a
credential helper that reads the pipe and is configured for this host only.
"""

import base64
import contextlib
import ipaddress
import os
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote

from react_agent.parsers.forge.remote import REMOTE, Remote, Trouble, read_complaint
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools.errors import MachineError, ReactAgentError
from react_agent.tools.git.door import Answer, Git, refusal, trusting
from react_agent.tools.git.repository import places
from react_agent.tools.shell import process

NO_SSH = "ssh is not on PATH; install it (Debian and Ubuntu: apt-get install openssh-client)"
NAME = "x-access-token"  # forges look at the token alone
_ALLOWED = {"https": "https", "http": "http:https", "ssh": "ssh", "file": "file"}
_TOKEN = re.compile(r"[!-~]{1,4096}")
_HIDDEN = "***"
_OF_SSH = ("PATH", "HOME", "USER", "LOGNAME", "SSH_AUTH_SOCK", "KRB5CCNAME")
_OF_HTTPS = (
    *("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH"),
)
# at least one byte a second, within 120 s
_HTTP_SETTINGS = ("http.followRedirects=initial", "http.lowSpeedLimit=1", "http.lowSpeedTime=120")
_SSH_OPTIONS = {
    "BatchMode": "yes",
    "ConnectTimeout": "20",
    "ServerAliveInterval": "15",
    "ServerAliveCountMax": "4",
    "ControlMaster": "no",  # one that stays behind would be of ours
    "ClearAllForwardings": "yes",
    "ForwardAgent": "no",
}


_LINES: dict[Trouble, str] = {
    Trouble.NO_TOKEN: "{where} requires a token, and there is none for {host}",
    Trouble.BAD_TOKEN: (
        "{where} does not accept the token: it is wrong, has expired or was revoked"
    ),
    Trouble.FORBIDDEN: "{where} does not let {who} {do} it (403); {remedy}",
    Trouble.NO_KEY: "{where} rejects your ssh keys; try: ssh -T {login}",
    Trouble.HOST_KEY: (
        "the host key of {host} is unknown or has changed; check it: ssh -T {login}"
    ),
    Trouble.NO_REPOSITORY: "the repository {where} does not exist, or {who} has no access to it",
    Trouble.NO_BRANCH: "{where} has no branch {branch}",
    Trouble.MOVED: (
        "{branch} has changed at {where} in the meantime; nothing was overwritten: try again"
    ),
    Trouble.REFUSED: "{where} refused the branch {branch} ({words})",
    Trouble.CERTIFICATE: "the certificate of {host} can't be verified: {words}",
    Trouble.BUSY: "{where} is unavailable, {words}; try again later",
    Trouble.UNREACHABLE: "{where} can't be reached: {words}",
    Trouble.OTHER: "{where} can't be {done}: {words}",
}
_COMMAND, _DONE = {"read": "fetch", "write": "push"}, {"read": "read", "write": "written"}
_REMEDY = {
    "read": "give the token permission to read the repository's contents",
    "write": "give the token permission to write the repository's contents, or use a fork",
}


class RemoteError(ReactAgentError):
    """A remote can't be read or written. `trouble` is the cause, if git names it."""

    def __init__(self, line: str, trouble: Trouble = Trouble.OTHER) -> None:
        super().__init__(line)
        self.trouble = trouble


@dataclass(frozen=True, slots=True)
class Access:
    remote: Remote
    token: str = field(default="", repr=False)
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)  # a person's

    @property
    def shown(self) -> str:
        return escape(self.remote.url)

    @property
    def host(self) -> str:
        """Return the host and port of the remote. For a remote on disk, return its folder."""
        port = f":{self.remote.port}" if self.remote.port else ""
        return f"{self.remote.host}{port}" if self.remote.host else self.shown

    def redacted(self, text: str) -> str:
        """Return a message from the server, without any credentials that it may repeat."""
        if not self.token:
            return text
        pair = base64.b64encode(f"{NAME}:{self.token}".encode()).decode()
        for secret in (pair, self.token, quote(self.token, safe="")):
            text = text.replace(secret, _HIDDEN)
        return text


def _check(access: Access) -> None:
    remote = access.remote
    if remote.scheme not in _ALLOWED:
        raise RemoteError(f"{access.shown} can't be reached: use https, ssh or a folder")
    if remote.is_local and not remote.path.startswith("/"):
        raise RemoteError(f"the remote {access.shown} is a relative path: write an absolute path")
    if not access.token or remote.scheme not in ("http", "https"):
        return
    if remote.scheme == "http" and not _is_loopback(remote.host):
        raise RemoteError(f"{access.shown} would send the token unencrypted: use https")
    if not _TOKEN.fullmatch(access.token):
        raise RemoteError(f"the token for {access.host} contains an invalid character")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


@contextlib.contextmanager
def opened(git: Git, access: Access) -> Iterator[Git]:
    """Yield a Git object for one command, which can reach this remote and nothing else."""
    _check(access)
    remote = access.remote
    git = git.having(GIT_ALLOW_PROTOCOL=_ALLOWED[remote.scheme])
    with contextlib.ExitStack() as stack:
        if remote.is_local:
            folder = Path(remote.path)
            both = (folder, Path(f"{folder}.git"))  # git looks for both
            trusted = trusting(*(place for one in both for place in places(one)))
            git = replace(git, config=stack.enter_context(trusted))
        elif remote.scheme == "ssh":
            environment = access.environment
            own = environment.get("GIT_SSH_COMMAND", "")
            program = process.find_program("ssh", path=environment.get("PATH", os.defpath))
            if not own and program is None:
                raise MachineError(NO_SSH)
            options = " ".join(f"-o {name}={value}" for name, value in _SSH_OPTIONS.items())
            command = f"{own or shlex.quote(str(program))} {options}"
            settings = (f"core.sshCommand={command}", "ssh.variant=ssh")
            git = replace(git, settings=settings).having(**_passed(environment, _OF_SSH))
        else:
            # no proxy for http: it could read the unencrypted traffic
            names = _OF_HTTPS if remote.scheme == "https" else ()
            git = replace(git, settings=_HTTP_SETTINGS).having(**_passed(access.environment, names))
            if access.token:
                git = stack.enter_context(_asking(git, access))
        yield git


def _passed(environment: Mapping[str, str], names: tuple[str, ...]) -> dict[str, str]:
    return {name: environment[name] for name in names if environment.get(name)}


@contextlib.contextmanager
def _asking(git: Git, access: Access) -> Iterator[Git]:
    reader, writer = os.pipe()
    try:
        with os.fdopen(writer, "w") as pipe:
            pipe.write(f"username={NAME}\npassword={access.token}\n")
        helper = f'!f() {{ test "$1" != get || cat /dev/fd/{reader}; }}; f'
        setting = f"credential.{access.remote.scheme}://{access.host}.helper={helper}"
        yield replace(git, settings=(*git.settings, setting), inherits=(reader,))
    finally:
        os.close(reader)


def fault(answer: Answer, access: Access, do: str, branch: str = "") -> ReactAgentError:
    """Return the error for a failed git command. `do` is "read" or "write"."""
    errors = access.redacted(answer.err)
    own = [escape(line) for line in errors.split("\n") if not line.startswith(REMOTE)]
    general = refusal(_COMMAND[do], replace(answer, err="\n".join(own)))
    if isinstance(general, MachineError):
        return general
    complaint = read_complaint(errors, access.redacted(answer.out.decode(errors="replace")))
    host = complaint.place.partition("://")[2].rpartition("@")[2]
    if complaint.place and host != access.host:
        return RemoteError(
            f"{access.shown} redirects to {complaint.place}, which is not sent the token; "
            "if the repository has moved there, run: git remote set-url"
        )
    trouble = complaint.trouble
    if trouble is Trouble.NO_TOKEN and access.token:
        trouble = Trouble.BAD_TOKEN  # given once, and asked for again
    remote = access.remote
    port = f"-p {remote.port} " if remote.port else ""
    user = f"{remote.user}@" if remote.user else ""
    text = _LINES[trouble].format(
        where=access.shown,
        host=access.host,
        who="this token" if access.token else "your account",
        do=do,
        done=_DONE[do],
        remedy=_REMEDY[do],
        login=f"{port}{user}{remote.host}",
        branch=escape(branch),
        words=complaint.words or "no reason given",
    )
    return RemoteError(f"{text}; it says: {complaint.said}" if complaint.said else text, trouble)
