"""PyGithub as we use it: it neither waits nor tries again, and what it raises is a Fault."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from react_agent.forges.asking import Asking, Patience
from react_agent.forges.contract import ForgeError
from react_agent.forges.faults import Account, Failed, Fault
from react_agent.parsers.servers.http_answers import when_said
from react_agent.tools import clock

if TYPE_CHECKING:
    from github import Github, GithubException
    from github.Repository import Repository

MISSING = "GitHub is asked with PyGithub, which is not installed: pip install 'react-agent[github]'"
# What PyGithub does with an answer that is JSON, but not GitHub's.
_ODD = (AssertionError, AttributeError, KeyError, RuntimeError, TypeError, ValueError)
_LIMIT = re.compile(r"rate limit|abuse detection|too many requests", re.IGNORECASE)
_SIGN_ON = re.compile(r"url=(https://[!-~]+)")

_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


@dataclass(slots=True)
class Session:
    """One repository, asked for by the name it had when the session began."""

    path: str
    asking: Asking
    client: Github
    _found: Repository | None = None

    def repository(self) -> Repository:
        """Where it is now, if it was moved; so what follows needs no redirection."""
        if self._found is None:
            self._found = self.asking.ask(f"find {self.path}", lambda: heard(self._find))
        return self._found

    def ask(self, what: str, call: Callable[[Repository], _Answer]) -> _Answer:
        repository = self.repository()
        return self.asking.ask(f"{what} of {self.path}", lambda: heard(call, repository))

    def once(
        self,
        what: str,
        call: Callable[[Repository], _Answer],
        done: Callable[[Repository], _Answer | None],
    ) -> _Answer:
        """What must not be done twice: `done` looks for what came of it."""
        repository = self.repository()

        def again() -> _Answer:
            found = heard(done, repository)
            return heard(call, repository) if found is None else found

        what = f"{what} of {self.path}"
        return self.asking.ask(what, lambda: heard(call, repository), again)

    def _find(self) -> Repository:
        repository = self.client.get_repo(self.path)
        needed(repository.full_name)
        needed(repository.default_branch)
        return repository


def connect(account: Account, path: str, patience: Patience) -> Session:
    try:
        from github import Auth, Github
    except ImportError:
        raise ForgeError(MISSING) from None
    client = Github(
        base_url=account.api.rstrip("/"),
        auth=Auth.Token(account.token) if account.token else None,
        timeout=max(1, round(patience.answer)),
        user_agent="react-agent",
        per_page=100,
        retry=None,
        seconds_between_requests=None,
        seconds_between_writes=None,
    )
    return Session(path, Asking(account, patience), client)


def heard(call: Callable[_Given, _Answer], *args: _Given.args, **kwargs: _Given.kwargs) -> _Answer:
    with faults():
        return call(*args, **kwargs)


def needed(value: _Answer | None) -> _Answer:
    """Of an answer without which the rest is of no use."""
    if not value:
        raise Fault(Failed.STRANGE)
    return value


def known(value: _Answer) -> _Answer | None:
    """What may be null, though PyGithub's types don't say so."""
    return value


@contextlib.contextmanager
def faults() -> Iterator[None]:
    import github
    import requests

    try:
        yield
    except github.BadAttributeException:
        raise Fault(Failed.STRANGE) from None
    except github.GithubException as error:
        raise fault_of(error) from None
    except requests.Timeout:
        raise Fault(Failed.SLOW) from None
    except requests.ConnectionError as error:
        raise Fault(_unconnected(error), _reason(error)) from None
    except requests.exceptions.ChunkedEncodingError:
        raise Fault(Failed.CUT) from None
    except (requests.RequestException, *_ODD):
        raise Fault(Failed.STRANGE) from None


def _unconnected(error: Exception) -> Failed:
    cause = type(error.args[0]).__name__ if error.args else ""
    if cause == "ReadTimeoutError":
        return Failed.SLOW
    return Failed.CUT if cause == "ProtocolError" else Failed.UNREACHABLE


def _reason(error: BaseException) -> str:
    """In the words of the system, which are further down."""
    below: BaseException | None = error
    while below is not None and not getattr(below, "strerror", None):
        below = below.__cause__ or below.__context__
    return str(getattr(below, "verify_message", "") or getattr(below, "strerror", ""))


def fault_of(error: GithubException) -> Fault:
    headers = {name.lower(): str(value) for name, value in (error.headers or {}).items()}
    said = "; ".join(said_by(error.data))
    if error.status < 401 and not said:
        return Fault(Failed.STRANGE)
    if error.status in (403, 429) and _is_limit(said, headers):
        return Fault(Failed.ANSWER, said, error.status, _wait(headers), is_limit=True)
    return Fault(Failed.ANSWER, said + _missing(headers), error.status)


def said_by(data: object) -> list[str]:
    """`{"message": ..., "errors": [{"field": "base", "code": "invalid"}]}`, as lines."""
    if not isinstance(data, dict):
        return []
    errors = data.get("errors")
    lines = [_problem(error) for error in errors] if isinstance(errors, list) else []
    message = data.get("message")
    return [line for line in (message, *lines) if isinstance(line, str) and line]


def _problem(error: object) -> str:
    if not isinstance(error, Mapping):
        return str(error)
    words = (error.get("field"), error.get("code"))
    return str(error.get("message") or " ".join(str(word) for word in words if word))


def _is_limit(said: str, headers: Mapping[str, str]) -> bool:
    is_used_up = headers.get("x-ratelimit-remaining") == "0"
    return is_used_up or "retry-after" in headers or bool(_LIMIT.search(said))


def _wait(headers: Mapping[str, str]) -> float | None:
    after = headers.get("retry-after", "")
    if after.isdecimal():
        return float(after)
    until = headers.get("x-ratelimit-reset", "")
    if until.isdecimal():
        return max(0.0, float(until) - when_said(headers, clock.unix())) + 1
    return 60.0  # what GitHub asks for where it names no time


def _missing(headers: Mapping[str, str]) -> str:
    """What GitHub tells of a token that may not do something."""
    if found := _SIGN_ON.search(headers.get("x-github-sso", "")):
        return f"; single sign-on at {found[1]}"
    right = headers.get("x-accepted-github-permissions")
    if right is None and "x-oauth-scopes" in headers:
        right = headers.get("x-accepted-oauth-scopes")
    return f"; wanted: {right}" if right else ""
