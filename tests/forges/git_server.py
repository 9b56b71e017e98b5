"""Bare repositories behind `git http-backend`, as routes of a Loopback, with tokens and refusals.

repositories = Repositories(tmp_path / "served", writes={"a-token"})
with Loopback({**routes_of_a_forge, **repositories.routes}) as server:
    repositories.add("ann/stopwatch", source)
    repositories.refuse("ann/stopwatch", "remote: no", ref="refs/heads/main")
    url = f"{server.url}/ann/stopwatch.git"
    server.plant("POST *git-receive-pack", Fault(is_slow=True))
"""

import base64
import contextlib
import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from by_hand import plain_git, program
from loopback import Asked, Given, Handler, Loopback

from react_agent.parsers.forge.remote import read_remote_url
from react_agent.tools.git.access import Access

_ASKS = {"WWW-Authenticate": 'Basic realm="git"'}
_HOOK = """\
#!/bin/sh
while read old new ref; do
    case $ref in {ref}) printf '%s\\n' {words} >&2; exit 1 ;; esac
done
"""


@dataclass(frozen=True, slots=True)
class Repositories:
    """Who has a token of `writes` may push, who has one of `reads` may fetch."""

    root: Path
    writes: frozenset[str] = frozenset()
    reads: frozenset[str] = frozenset()
    is_public: bool = False  # to be fetched without a token
    moved: dict[str, str] = field(default_factory=dict)  # from OWNER/NAME to an address

    @property
    def routes(self) -> Mapping[str, Handler]:
        services = ("git-upload-pack", "git-receive-pack")
        return {
            "GET /{path*}.git/info/refs": self._serve,
            **{f"POST /{{path*}}.git/{service}": self._serve for service in services},
        }

    def place(self, path: str) -> Path:
        return self.root / f"{path}.git"

    def add(self, path: str, source: Path | None = None) -> Path:
        """A new one: a copy of that one, or empty."""
        place = self.place(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        if source:
            plain_git(place.parent, "clone", "--quiet", "--bare", "--", str(source), str(place))
        else:
            plain_git(place.parent, "init", "--quiet", "--bare", str(place))
        return place

    def git(self, path: str, *args: str) -> str:
        return plain_git(self.place(path), *args)

    def refuse(self, path: str, words: str, ref: str = "*") -> Path:
        """Take no push to this branch while this file is there, and say why."""
        hook = self.place(path) / "hooks" / "pre-receive"
        quoted = "'" + words.replace("'", "'\\''") + "'"
        program(hook, _HOOK.format(ref=ref, words=quoted))
        return hook

    def _serve(self, asked: Asked, path: str) -> Given:
        service = asked.query.get("service") or asked.path.rpartition("/")[2]
        if path in self.moved:
            query = "&".join(f"{key}={value}" for key, value in asked.query.items())
            rest = asked.path.removeprefix(f"/{path}.git")
            return Given(b"", 301, {"Location": f"{self.moved[path]}{rest}?{query}"})
        return self._refused(asked, service) or self._answered(asked)

    def _refused(self, asked: Asked, service: str) -> Given | None:
        is_read = service == "git-upload-pack"
        if is_read and self.is_public:
            return None
        kind, _, given = asked.headers.get("authorization", "").partition(" ")
        token = base64.b64decode(given).decode().partition(":")[2] if kind == "Basic" else ""
        if token in self.writes or (is_read and token in self.reads):
            return None
        if token in self.reads:
            return _said(f"Permission to {asked.path} denied.", 403)
        return _said("Invalid username or token.", 401, _ASKS)

    def _answered(self, asked: Asked) -> Given:
        environment = {
            "PATH": os.environ["PATH"],
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_PROJECT_ROOT": str(self.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": asked.path,
            "REMOTE_USER": "somebody",
            "REQUEST_METHOD": asked.method,
            "QUERY_STRING": "&".join(f"{name}={value}" for name, value in asked.query.items()),
            "CONTENT_TYPE": asked.headers.get("content-type", ""),
            "CONTENT_LENGTH": str(len(asked.raw)),
            "HTTP_CONTENT_ENCODING": asked.headers.get("content-encoding", ""),
            "GIT_PROTOCOL": asked.headers.get("git-protocol", ""),
        }
        argv = ["git", "http-backend"]
        done = subprocess.run(
            argv, input=asked.raw, env=environment, check=True, capture_output=True
        )
        head, _, body = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        status = int(headers.pop("Status", "200").split()[0])
        return Given(body, status, headers)


@dataclass(frozen=True, slots=True)
class Served:
    """One repository on a server of its own."""

    server: Loopback
    repositories: Repositories
    path: str
    token: str

    @property
    def url(self) -> str:
        return f"{self.server.url}/{self.path}.git"

    @property
    def access(self) -> Access:
        return access_to(self.url, self.token)

    def git(self, *args: str) -> str:
        return self.repositories.git(self.path, *args)


def access_to(url: str, token: str = "", **environment: str) -> Access:
    remote = read_remote_url(url)
    assert remote is not None
    return Access(remote, token, environment=environment)


@contextlib.contextmanager
def serving(
    root: Path, source: Path, path: str = "ann/it", token: str = "ghp_0123456789abcdef"
) -> Iterator[Served]:
    repositories = Repositories(root, writes=frozenset({token}), reads=frozenset({"reads"}))
    repositories.add(path, source)
    with Loopback(repositories.routes) as server:
        yield Served(server, repositories, path, token)


def _said(words: str, status: int, headers: Mapping[str, str] = {}) -> Given:
    return Given(words.encode(), status, {"Content-Type": "text/plain", **headers})
