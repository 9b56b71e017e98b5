"""Send JSON over HTTP to a forge, with limits on time and size. Send its token nowhere else.

PyGithub and python-gitlab use it, too, because neither limits the time of a whole response.
"""

import json
import re
import ssl
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

import httpx2

from react_agent.forges.contract import ForgeError
from react_agent.forges.faults import OTHER, Failed, Fault
from react_agent.parsers.servers.http_answers import retry_after, when_said, without_login
from react_agent.tools import clock
from react_agent.tools.deadline import Deadline

_LONGEST_TO_CONNECT = 10.0  # seconds
_LARGEST = 20_000_000  # bytes of one answer
_REDIRECTS = 5
NO_ADDRESS = "the redirect names no address"
_HEADERS = {
    "User-Agent": "react-agent",
    "Accept": "application/json",
    "Content-Type": "application/json",
}
_DECODED = ("content-encoding", "content-length", "transfer-encoding")
_FORBIDDEN, _TOO_MANY, _FAILS = 403, 429, 500
_A_MINUTE = 60.0  # GitHub's rule if it names no time
_LIMIT = re.compile(r"rate limit|abuse detection|too many requests", re.IGNORECASE)
_SIGN_ON = re.compile(r"url=(https://[!-~]+)")


class Http:
    """An HTTP client for a forge. Every failure and every error status raises Fault.

    A proxy or certificates of the environment that can't be used raise ForgeError at once.
    """

    def __init__(self, api: str, headers: Mapping[str, str], seconds: float) -> None:
        self._api = httpx2.URL(api)
        self._seconds = seconds
        is_here = self._api.host in ("127.0.0.1", "localhost", "::1")
        try:
            self._client = httpx2.Client(
                headers={**_HEADERS, **headers},
                timeout=httpx2.Timeout(seconds, connect=min(seconds, _LONGEST_TO_CONNECT)),
                trust_env=not is_here,
                verify=self._api.scheme != "http",  # to look certificates up takes a while
                limits=httpx2.Limits(max_keepalive_connections=0),  # nobody would close them
            )
        except (ValueError, httpx2.InvalidURL, OSError, ImportError) as error:
            told = "HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE or the like can't be used"
            raise ForgeError(f"{self._api.host}: {told}: {error}") from None

    def ask(
        self,
        method: str,
        url: str,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx2.Response:
        """Send a request. Reads follow redirects on the same server; writes never do."""
        content = None
        if body is not None:  # a lone surrogate, which no server takes, becomes `?`
            content = json.dumps(body, ensure_ascii=False).encode(errors="replace")
        for _ in range(_REDIRECTS):
            options: dict[str, Any] = {"params": query or None, "content": content}
            try:
                asked = self._client.build_request(method, url, headers=headers, **options)
                if _origin(asked.url) != _origin(self._api):
                    raise Fault(Failed.MOVED, _shown(url))
                answer = self._answer(asked)
                if answer.has_redirect_location:
                    url = str(answer.url.join(answer.headers["location"]))
            except (httpx2.InvalidURL, ValueError):
                raise Fault(Failed.STRANGE, NO_ADDRESS) from None
            if not answer.has_redirect_location:
                return _accepted(answer)
            if method.upper() not in ("GET", "HEAD"):
                break
            query = None  # the new address has it
        raise Fault(Failed.MOVED, _shown(url))

    def _answer(self, asked: httpx2.Request) -> httpx2.Response:
        def trace(event: str, about: Mapping[str, Any]) -> None:
            if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
                deadline.connection = about["return_value"].get_extra_info("socket")

        with Deadline(self._seconds) as deadline, _faults(deadline):
            asked.extensions["trace"] = trace
            with closing(self._client.send(asked, stream=True)) as answer:
                read = _read(answer)
                if deadline.is_over:
                    raise Fault(Failed.SLOW)
                kept = [pair for pair in answer.headers.multi_items() if pair[0] not in _DECODED]
                return httpx2.Response(
                    answer.status_code, headers=kept, content=read, request=asked
                )


def json_of(answer: httpx2.Response) -> Any:
    try:
        return json.loads(answer.content)
    except (ValueError, RecursionError):
        raise Fault(Failed.STRANGE, "it is not JSON") from None


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


def _shown(url: str) -> str:
    return url.partition("?")[0]


def _read(answer: httpx2.Response) -> bytes:
    content = bytearray()
    for piece in answer.iter_bytes():
        content += piece
        if len(content) > _LARGEST:
            raise Fault(Failed.STRANGE, f"it is longer than {_LARGEST // 1_000_000} MB")
    return bytes(content)


@contextmanager
def _faults(deadline: Deadline) -> Iterator[None]:
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
        raise Fault(Failed.SLOW if deadline.is_over else Failed.CUT) from None
    except httpx2.HTTPError:
        raise Fault(Failed.STRANGE) from None


def _reason(error: BaseException) -> str:
    """Return the operating system's message, which is further down the chain of errors."""
    below: BaseException | None = error
    while below is not None and not isinstance(below, OSError):
        below = below.__cause__ or below.__context__
    if isinstance(below, ssl.SSLCertVerificationError):
        return below.verify_message
    return (below.strerror or "") if below is not None else ""


def _accepted(answer: httpx2.Response) -> httpx2.Response:
    if answer.is_success:
        return answer
    said, status, headers = _words(answer), answer.status_code, answer.headers
    is_used_up = headers.get("x-ratelimit-remaining") == "0" or "retry-after" in headers
    names_limit = _LIMIT.search(said) is not None
    is_limit = status == _TOO_MANY or (status == _FORBIDDEN and (is_used_up or names_limit))
    if status == _FORBIDDEN and not is_limit:
        said += _missing(headers)
    wait = _wait(headers) if is_limit or status >= _FAILS else None
    if is_limit and wait is None and (status == _FORBIDDEN or names_limit):
        wait = _A_MINUTE
    raise Fault(Failed.ANSWER, said, status, wait, is_limit)


def _wait(headers: Mapping[str, str]) -> float | None:
    wait = retry_after(headers, clock.unix())
    until = headers.get("x-ratelimit-reset", "")  # which GitHub tells even if much is left
    is_used_up = headers.get("x-ratelimit-remaining") == "0"
    if wait is None and is_used_up and until.isdecimal():
        return max(0.0, float(until) - when_said(headers, clock.unix())) + 1
    return wait


def _missing(headers: Mapping[str, str]) -> str:
    """Return GitHub's message about a permission that the token lacks."""
    if found := _SIGN_ON.search(headers.get("x-github-sso", "")):
        return f"; single sign-on at {found[1]}"
    right = headers.get("x-accepted-github-permissions")
    if right is None and "x-oauth-scopes" in headers:
        right = headers.get("x-accepted-oauth-scopes")
    return f"; wanted: {right}" if right else ""


def _words(answer: httpx2.Response) -> str:
    """Return the message of an error response, or "" if the body is not JSON."""
    try:
        return _flat(json.loads(answer.content))
    except (ValueError, RecursionError):
        return ""


def _flat(said: object) -> str:
    """Return nested values as text. GitLab names the fields: {"title": ["can't be blank"]}."""
    if isinstance(said, dict):
        names = ("message", "error_description", "error")
        message = next((said[name] for name in names if said.get(name)), None)
        if message is not None:
            return "; ".join(filter(None, map(_flat, (message, *several(said, "errors")))))
        if "code" in said:  # an error of GitHub
            return f"{_flat(said.get('field'))} {said['code']}".strip()
        return "; ".join(f"{name} {_flat(inner)}".strip() for name, inner in said.items())
    if isinstance(said, list):
        return ", ".join(map(_flat, said))
    return "" if said is None else str(said)


Row = Mapping[str, Any]
_BOT = re.compile(
    r"(?:.*(?:\[bot\]|[-_]bot)|(?:project|group)_\d+_bot(?:_\w+)?|(?:gitea|forgejo)-actions)",
    re.IGNORECASE,
)
_DRAFT = re.compile(r"(?:(?:Draft:|\[Draft\]|\(Draft\)|WIP:|\[WIP\])\s*)+", re.IGNORECASE)


def row(value: object) -> Row:
    """Return the value if it is a JSON object. Raises Fault if it is not."""
    if not isinstance(value, Mapping):
        raise Fault(Failed.STRANGE, OTHER)
    return value


def rows(value: object) -> list[Row]:
    if not isinstance(value, list):
        raise Fault(Failed.STRANGE, OTHER)
    return [row(one) for one in value]


def needed(of: Row, name: str) -> int:
    """Return a number that the answer must contain. Raises Fault if it is missing."""
    found = number(of, name)
    if not found:
        raise Fault(Failed.STRANGE, OTHER)
    return found


def needed_text(of: Row, name: str) -> str:
    """Return a text that the answer must contain. Raises Fault if it is missing."""
    found = text(of, name)
    if not found:
        raise Fault(Failed.STRANGE, OTHER)
    return found


def inner(of: Row, *names: str) -> Row:
    found: object = of
    for name in names:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def text(of: Row, name: str) -> str:
    return as_text(of.get(name))


def as_text(value: object) -> str:
    """Return text that can be written to a file, because JSON may contain lone surrogates."""
    found = value if isinstance(value, str) else ""
    return found.replace("\r\n", "\n").encode(errors="replace").decode()


def url(of: Row, name: str) -> str:
    return without_login(text(of, name))


def number(of: Row, name: str) -> int:
    found = of.get(name)
    return found if isinstance(found, int) and not isinstance(found, bool) else 0


def flag(of: Row, name: str) -> bool:
    return of.get(name) is True


def several(of: Row, name: str) -> list[Any]:
    found = of.get(name)
    return found if isinstance(found, list) else []


def is_bot(login: str) -> bool:
    """Guess from a login whether the account is a bot, because few forges report this."""
    return _BOT.fullmatch(login) is not None


def without_draft(title: str) -> tuple[str, bool]:
    """Return the title without its draft mark, and whether it had one."""
    found = _DRAFT.match(title)
    return (title[found.end() :], True) if found else (title, False)
