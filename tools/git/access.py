"""How a remote is reached: its address, and what opens it. A token goes to git by a pipe.

Nothing of a token is in an argument, a variable or a file: git asks a credential helper, which
reads what the pipe holds, and is asked for this host alone.
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

from react_agent.parsers.quoting import escape
from react_agent.parsers.remote_url import Remote
from react_agent.tools.errors import MachineError, ReactAgentError
from react_agent.tools.git.door import Git, trusting
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
_HTTP_SETTINGS = (
    "http.followRedirects=initial",
    "http.lowSpeedLimit=1",  # bytes a second
    "http.lowSpeedTime=120",
)
_SSH_OPTIONS = {
    "BatchMode": "yes",
    "ConnectTimeout": "20",
    "ServerAliveInterval": "15",
    "ServerAliveCountMax": "4",
    "ControlMaster": "no",  # one that stays behind would be of ours
    "ClearAllForwardings": "yes",
    "ForwardAgent": "no",
}


class RemoteError(ReactAgentError):
    """A remote can't be read or written."""


class NotAllowed(ReactAgentError):
    """It does not let us: a token or a key is missing, wrong, or not enough."""


@dataclass(frozen=True, slots=True)
class Access:
    remote: Remote
    token: str = field(default="", repr=False)
    user: str = NAME
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)  # a person's

    @property
    def shown(self) -> str:
        return escape(self.remote.url)

    @property
    def host(self) -> str:
        """With its port; of a folder, the folder."""
        port = f":{self.remote.port}" if self.remote.port else ""
        return f"{self.remote.host}{port}" if self.remote.host else self.shown

    def redacted(self, text: str) -> str:
        """A text of the server's, which may have repeated what it was given."""
        if not self.token:
            return text
        pair = base64.b64encode(f"{self.user}:{self.token}".encode()).decode()
        for secret in (pair, self.token, quote(self.token, safe="")):
            text = text.replace(secret, _HIDDEN)
        return text


def _check(access: Access) -> None:
    remote = access.remote
    if remote.scheme not in _ALLOWED:
        raise RemoteError(f"{access.shown} can't be reached: use https, ssh or a folder")
    if remote.is_local and not remote.path.startswith("/"):
        raise RemoteError(f"the remote {access.shown} is a folder: name it from the root")
    if not access.token or remote.scheme not in ("http", "https"):
        return
    if remote.scheme == "http" and not _is_loopback(remote.host):
        raise NotAllowed(f"{access.shown} would show the token to all on the way: use https")
    if not (_TOKEN.fullmatch(access.token) and _TOKEN.fullmatch(access.user)):
        raise NotAllowed(f"the token for {access.host} holds what no token can hold")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


@contextlib.contextmanager
def opened(git: Git, access: Access) -> Iterator[Git]:
    """git that reaches this remote and nothing else, for one command."""
    _check(access)
    remote = access.remote
    git = git.having(GIT_ALLOW_PROTOCOL=_ALLOWED[remote.scheme])
    with contextlib.ExitStack() as stack:
        if remote.is_local:
            git = replace(git, config=stack.enter_context(trusted(Path(remote.path))))
        elif remote.scheme == "ssh":
            git = _by_ssh(git, access.environment)
        else:
            git = _by_http(git, access)
            if access.token:
                git = stack.enter_context(_asking(git, access))
        yield git


def trusted(folder: Path) -> contextlib.AbstractContextManager[Path]:
    """A configuration that lets git use a remote that is a folder, whoever owns it."""
    names = (folder, Path(f"{folder}.git"))  # git looks for both
    return trusting(*(place for name in names for place in places(name)))


def _by_ssh(git: Git, environment: Mapping[str, str]) -> Git:
    own = environment.get("GIT_SSH_COMMAND", "")
    program = process.find_program("ssh", path=environment.get("PATH", os.defpath))
    if not own and program is None:
        raise MachineError(NO_SSH)
    options = " ".join(f"-o {name}={value}" for name, value in _SSH_OPTIONS.items())
    command = f"{own or shlex.quote(str(program))} {options}"
    settings = (f"core.sshCommand={command}", "ssh.variant=ssh")
    return replace(git, settings=settings).having(**_passed(environment, _OF_SSH))


def _by_http(git: Git, access: Access) -> Git:
    # a proxy would get what is not encrypted
    names = _OF_HTTPS if access.remote.scheme == "https" else ()
    return replace(git, settings=_HTTP_SETTINGS).having(**_passed(access.environment, names))


def _passed(environment: Mapping[str, str], names: tuple[str, ...]) -> dict[str, str]:
    return {name: environment[name] for name in names if environment.get(name)}


@contextlib.contextmanager
def _asking(git: Git, access: Access) -> Iterator[Git]:
    reader, writer = os.pipe()
    try:
        with os.fdopen(writer, "w") as pipe:
            pipe.write(f"username={access.user}\npassword={access.token}\n")
        helper = f'!f() {{ test "$1" != get || cat /dev/fd/{reader}; }}; f'
        setting = f"credential.{access.remote.scheme}://{access.host}.helper={helper}"
        yield replace(git, settings=(*git.settings, setting), inherits=(reader,))
    finally:
        os.close(reader)
