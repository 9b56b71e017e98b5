"""Our HTTP as what python-gitlab asks with: a token that goes nowhere else, and limits."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2

from react_agent.forges.contract import ForgeError
from react_agent.forges.faults import Account, Failed, Fault
from react_agent.forges.fields import OTHER
from react_agent.forges.http import Http, json_of

MISSING = (
    "GitLab is asked with python-gitlab, which is not installed: pip install 'react-agent[gitlab]'"
)
_API = "/api/v4"
_STRANGE = (ValueError, TypeError, AttributeError, LookupError, RecursionError)


def client(account: Account, seconds: float) -> Any:
    """Raises ForgeError where python-gitlab is not installed."""
    try:
        from gitlab import Gitlab
    except ImportError:
        raise ForgeError(MISSING) from None
    root = account.api.rstrip("/").removesuffix(_API)
    # Unlike PRIVATE-TOKEN, what every kind of token can be sent in.
    headers = {"Authorization": f"Bearer {account.token}"} if account.token else {}
    http = Http(f"{root}{_API}", headers, seconds)
    return Gitlab(root, backend=lambda: Backend(http), keep_base_url=True)


@contextmanager
def strange() -> Iterator[None]:
    """python-gitlab looks at nothing that it is given: what it then trips over is a Fault."""
    from gitlab.exceptions import GitlabError

    try:
        yield
    except (GitlabError, *_STRANGE):
        raise Fault(Failed.STRANGE, OTHER) from None


@dataclass(frozen=True, slots=True)
class Sent:
    """As python-gitlab wants it."""

    json: Any
    content_type: str = "application/json"
    data: None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """As python-gitlab wants it: only what was accepted comes here."""

    response: httpx2.Response

    @property
    def status_code(self) -> int:
        return self.response.status_code


@dataclass(frozen=True, slots=True)
class Backend:
    http: Http
    client: None = None

    @staticmethod
    def prepare_send_data(files: object, post_data: Any, raw: bool) -> Sent:
        return Sent(post_data)

    def http_request(
        self, method: str, url: str, json: Any, params: Mapping[str, Any], **others: Any
    ) -> Answered:
        answer = self.http.ask(method, url, params, json)
        json_of(answer)  # python-gitlab would give a page of HTML as what was asked for
        return Answered(answer)
