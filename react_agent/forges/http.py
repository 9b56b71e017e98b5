"""JSON over HTTP for a forge: bounded in time and size, and its token never sent elsewhere."""

import json
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx2

from react_agent.forges.faults import Failed, Fault
from react_agent.parsers.servers.http_answers import seconds_until
from react_agent.tools import clock

_LONGEST_TO_CONNECT = 10.0  # seconds
_LARGEST = 20_000_000  # bytes of one answer
_REDIRECTS = 5
NO_ADDRESS = "it names no address"
_HEADERS = {
    "User-Agent": "react-agent",
    "Accept": "application/json",
    "Content-Type": "application/json",
}
_DECODED = ("content-encoding", "content-length", "transfer-encoding")


class Http:
    """What goes wrong is a Fault, a status that says no among it."""

    def __init__(self, api: str, headers: Mapping[str, str], seconds: float) -> None:
        self._api = httpx2.URL(api)
        self._seconds = seconds
        is_here = self._api.host in ("127.0.0.1", "localhost", "::1")
        self._client = httpx2.Client(
            headers={**_HEADERS, **headers},
            timeout=httpx2.Timeout(seconds, connect=min(seconds, _LONGEST_TO_CONNECT)),
            trust_env=not is_here,
            verify=self._api.scheme != "http",  # to look certificates up takes a while
            limits=httpx2.Limits(max_keepalive_connections=0),  # nobody closes a forge
        )

    def __repr__(self) -> str:
        return f"Http({str(self._api)!r})"

    def ask(
        self,
        method: str,
        url: str,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
    ) -> httpx2.Response:
        """What is read may have moved on the same server; what is written never follows."""
        for _ in range(_REDIRECTS):
            with _names_an_address():
                answer = self._answer(method, self._at_home(url), query, body)
            if not answer.has_redirect_location:
                return _accepted(answer)
            with _names_an_address():
                url = str(answer.url.join(answer.headers["location"]))
            if method.upper() not in ("GET", "HEAD"):
                break
            query = None  # the new address has it
        raise Fault(Failed.MOVED, _shown(url))

    def _at_home(self, url: str) -> httpx2.URL:
        there = httpx2.URL(url)
        if _origin(there) != _origin(self._api):
            raise Fault(Failed.MOVED, _shown(url))
        return there

    def _answer(
        self, method: str, url: httpx2.URL, query: Mapping[str, Any] | None, body: Any
    ) -> httpx2.Response:
        deadline = clock.monotonic() + self._seconds
        sent = None if body is None else _written(body)
        with (
            _faults(),
            self._client.stream(method, url, params=query or None, content=sent) as answer,
        ):
            content = _read(answer, deadline)
            headers = [pair for pair in answer.headers.multi_items() if pair[0] not in _DECODED]
            return httpx2.Response(
                answer.status_code, headers=headers, content=content, request=answer.request
            )


def json_of(answer: httpx2.Response) -> Any:
    try:
        return json.loads(answer.content)
    except (ValueError, RecursionError):
        raise Fault(Failed.STRANGE, "it is no JSON") from None


def _written(body: Any) -> bytes:
    """Half of a character, which no server takes, becomes a question mark."""
    return json.dumps(body, ensure_ascii=False).encode(errors="replace")


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


def _shown(url: str) -> str:
    return url.partition("?")[0]


def _read(answer: httpx2.Response, deadline: float) -> bytes:
    content = bytearray()
    for piece in answer.iter_bytes():
        content += piece
        if len(content) > _LARGEST:
            raise Fault(Failed.STRANGE, f"it is longer than {_LARGEST // 1_000_000} MB")
        if clock.monotonic() > deadline:
            raise Fault(Failed.SLOW)
    return bytes(content)


@contextmanager
def _faults() -> Iterator[None]:
    try:
        yield
    except httpx2.ConnectTimeout:
        raise Fault(Failed.UNREACHABLE) from None
    except httpx2.TimeoutException:
        raise Fault(Failed.SLOW) from None
    except (httpx2.ConnectError, httpx2.ProxyError) as error:
        raise Fault(Failed.UNREACHABLE, _reason(error)) from None
    except httpx2.UnsupportedProtocol:
        raise Fault(Failed.STRANGE, NO_ADDRESS) from None
    except httpx2.TransportError:
        raise Fault(Failed.CUT) from None
    except httpx2.HTTPError:
        raise Fault(Failed.STRANGE) from None


@contextmanager
def _names_an_address() -> Iterator[None]:
    try:
        yield
    except (httpx2.InvalidURL, ValueError):
        raise Fault(Failed.STRANGE, NO_ADDRESS) from None


def _reason(error: BaseException) -> str:
    """In the words of the system, which are further down."""
    below: BaseException | None = error
    while below is not None and not isinstance(below, OSError):
        below = below.__cause__ or below.__context__
    if isinstance(below, ssl.SSLCertVerificationError):
        return below.verify_message
    return (below.strerror or "") if below is not None else ""


def _accepted(answer: httpx2.Response) -> httpx2.Response:
    if answer.is_success:
        return answer
    raise Fault(Failed.ANSWER, _words(answer), answer.status_code, _wait(answer.headers))


def _wait(headers: Mapping[str, str]) -> float | None:
    """In seconds; a date is one, too."""
    text = headers.get("retry-after", "").strip()
    try:
        seconds = float(text)
    except ValueError:
        return seconds_until(text, headers, clock.unix())
    return seconds if 0 <= seconds < float("inf") else None


def _words(answer: httpx2.Response) -> str:
    """Of an error: a page of HTML says nothing that a person can act on."""
    try:
        said = json.loads(answer.content)
        if isinstance(said, dict):
            names = ("message", "error_description", "error")
            said = next((said[name] for name in names if said.get(name)), "")
        return _flat(said)
    except (ValueError, RecursionError):
        return ""


def _flat(said: object) -> str:
    """GitLab names the fields: {"title": ["can't be blank"]}."""
    if isinstance(said, dict):
        return "; ".join(f"{name} {_flat(inner)}".strip() for name, inner in said.items())
    if isinstance(said, list):
        return ", ".join(map(_flat, said))
    return "" if said is None else str(said)
