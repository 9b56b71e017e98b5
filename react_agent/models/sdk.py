"""Code for both SDKs: connections, timeouts, faults, and reading answers.

Streams are parsed here, because the SDKs build and validate an object for each piece, which takes
three quarters of their time. The SDKs also abandon a connection as soon as they have the last
piece, so that the next call needs a new one.
"""

import _thread
import contextlib
import json
import queue
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any

import httpx2

from react_agent.models.endpoint import Endpoint
from react_agent.models.wire import Ask, Failed, Fault, Pieces
from react_agent.parsers.servers.http_answers import read_events, read_lines, retry_after
from react_agent.tools import clock

Object = Mapping[str, Any]
Reader = Callable[[Object], Pieces]

_DONE = "[DONE]"
_TO_END = 2.0  # seconds for the connection to end its answer after that
_LONGEST_TO_CONNECT = 10.0  # seconds
NO_KEY = "none"  # the SDKs want one, many servers do not
_CONNECTIONS, _KEPT = 1000, 300
PATIENCE = 5.0  # seconds for facts that are useful but not needed
_LONGEST_WAIT = 24 * 3600.0
_LONGEST_SILENCE = 600.0
_LARGEST = 1 << 27  # bytes of an answer, unpacked
_REDIRECTS, _ERRORS = 300, 400
_HEADERS = (
    *("accept", "accept-encoding", "anthropic-version", "authorization", "connection"),
    *("content-length", "content-type", "host", "transfer-encoding", "user-agent", "x-api-key"),
)


def http(endpoint: Endpoint) -> httpx2.Client:
    """Return an HTTP client for an SDK. It uses no proxy for a server on this machine.

    Raises Fault if a proxy or the certificates that the environment names can't be used.
    """
    takes_all = endpoint.is_ours or endpoint.is_of_environment
    before = [] if takes_all else [lambda request: _leave_out_environment(request, endpoint)]
    is_plain = endpoint.is_local and endpoint.base_url.startswith("http:")
    try:
        return httpx2.Client(
            trust_env=not endpoint.is_local,
            verify=not is_plain,  # to look certificates up takes a while
            limits=httpx2.Limits(max_connections=_CONNECTIONS, max_keepalive_connections=_KEPT),
            event_hooks={"request": [*before, _begin], "response": [_watch]},
            follow_redirects=False,  # a key is for the address that it was given for
        )
    except (ValueError, httpx2.InvalidURL, OSError, ImportError) as error:
        told = "HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE or the like can't be used"
        raise Fault(Failed.CONNECTION, f"{told}: {error}") from None


class Watched(httpx2.SyncByteStream):
    """A response that is closed when its time is over, even if data still arrives.

    The timeouts of an SDK only limit the gaps between data: a slow but steady response never times
    out, and a late gap may last for the full timeout.
    """

    def __init__(self, stream: Any, connection: socket.socket, seconds: float) -> None:
        self._stream = stream
        self._connection = connection
        self._limits = queue.SimpleQueue[float | None]()  # seconds; None: it is closed
        # a Thread would wait until it runs
        _thread.start_new_thread(self._hang_up_after, (seconds,))

    def hurry(self, seconds: float) -> None:
        """Shorten the time left for the response to this number of seconds."""
        self._limits.put(seconds)

    def _hang_up_after(self, seconds: float | None) -> None:
        try:
            while seconds is not None:
                seconds = self._limits.get(timeout=max(seconds, 0.0))
        except queue.Empty:
            with contextlib.suppress(OSError):
                self._connection.shutdown(socket.SHUT_RDWR)

    def __iter__(self) -> Iterator[bytes]:
        yield from _limited(self._stream)

    def close(self) -> None:
        self._limits.put(None)
        self._stream.close()


def _limited(parts: Iterable[bytes]) -> Iterator[bytes]:
    size = 0
    for part in parts:
        size += len(part)
        if size > _LARGEST:
            raise ValueError(f"the answer is longer than {_LARGEST >> 20} MB")
        yield part


def _begin(request: httpx2.Request) -> None:
    request.extensions["begun"] = clock.monotonic()


def _watch(response: httpx2.Response) -> None:
    """Limit a response to the time left. The timeout `pool` is the total time of a request."""
    about, stream = response.request.extensions, response.extensions.get("network_stream")
    if connection := stream.get_extra_info("socket") if stream else None:
        left = about["begun"] + about["timeout"]["pool"] - clock.monotonic()
        response.stream = Watched(response.stream, connection, min(left, _thread.TIMEOUT_MAX))


def _leave_out_environment(request: httpx2.Request, endpoint: Endpoint) -> None:
    """Remove the headers that the SDKs add from variables such as OPENAI_ORG_ID."""
    for name in [*request.headers]:
        if name not in _HEADERS and not name.startswith("x-stainless-"):
            del request.headers[name]
    key = endpoint.key or NO_KEY
    request.headers["authorization"] = f"Bearer {key}"
    if "x-api-key" in request.headers:
        request.headers["x-api-key"] = key


def timeout(ask: Ask) -> httpx2.Timeout:
    silence = min(ask.seconds, _LONGEST_SILENCE)
    connect = min(ask.seconds, _LONGEST_TO_CONNECT)
    return httpx2.Timeout(silence, connect=connect, pool=ask.seconds)


@contextlib.contextmanager
def faults_of(sdk: ModuleType) -> Iterator[None]:
    try:
        yield
    except sdk.APITimeoutError as error:
        raise Fault(Failed.TIMEOUT, str(error)) from error
    except sdk.APIConnectionError as error:
        raise Fault(_unconnected(error), str(error.__cause__ or error)) from error
    except sdk.APIError as error:
        raise _answered(error) from error
    except httpx2.TimeoutException as error:
        raise Fault(Failed.TIMEOUT, str(error)) from error
    except httpx2.RequestError as error:  # streams are not wrapped; a body may be garbled
        raise Fault(Failed.BROKEN, str(error)) from error
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError) as error:
        # The answer is no JSON, or not of this API: the SDKs check nothing.
        raise Fault(Failed.STRANGE, str(error)) from error


def _unconnected(error: BaseException) -> Failed:
    """Return how the connection failed. The innermost cause shows whether it was refused."""
    while cause := error.__cause__ or error.__context__:
        error = cause
    return Failed.REFUSED if isinstance(error, ConnectionRefusedError) else Failed.CONNECTION


def _answered(error: Any) -> Fault:
    body = error.body if isinstance(error.body, Mapping) else {}
    inner = body["error"] if isinstance(body.get("error"), Mapping) else body
    status: int = getattr(error, "status_code", None) or 0
    is_answer = status >= _REDIRECTS
    details = inner["details"] if isinstance(inner.get("details"), Mapping) else {}
    said = inner.get("message") or body.get("error") or error.message
    moved = error.response.headers.get("location") if _REDIRECTS <= status < _ERRORS else None
    return Fault(
        Failed.ANSWER if is_answer else Failed.BROKEN,
        f"it moved to {moved}" if moved else _text(said),
        status if is_answer else None,
        _text(inner.get("code") or details.get("error_code")),
        _text(inner.get("param")),
        _text(inner.get("type")),
        asked_to_wait(error.response.headers) if is_answer else None,
    )


def asked_to_wait(headers: Mapping[str, str]) -> float | None:
    """Return the number of seconds to wait according to the headers, or None."""
    try:
        seconds = float(headers.get("retry-after-ms", "")) / 1000
    except ValueError:
        seconds = -1.0
    wait = seconds if seconds >= 0 else retry_after(headers, clock.unix())
    return None if wait is None else min(wait, _LONGEST_WAIT)


def _text(value: object) -> str:
    return "" if value is None else str(value)


def answer_to(
    client: Any, path: str, body: Object, limit: httpx2.Timeout | float
) -> contextlib.closing[httpx2.Response]:
    """Send a request through an SDK and return the unread response, which closes with its block.

    The SDK's methods for each API would go through every value of the body.
    """
    how = {"options": {"timeout": limit}, "stream": True}
    return contextlib.closing(client.post(path, body=body, cast_to=httpx2.Response, **how))


def pieces_of(answer: httpx2.Response, *, streamed: Reader, whole: Reader) -> Pieces:
    """Yield the pieces of an unread response. Some servers ignore the request to stream."""
    if "json" in _kind(answer):
        yield from whole(object_of(answer))
        return
    for data in read_events(read_lines(_limited(answer.iter_bytes()))):
        if not data.startswith(_DONE):
            yield from streamed(_object(data))
        elif isinstance(answer.stream, Watched):
            answer.stream.hurry(_TO_END)


def object_of(answer: httpx2.Response) -> Object:
    """Return the whole answer as a JSON object."""
    _kind(answer)
    return _object(b"".join(_limited(answer.iter_bytes())))


def _kind(answer: httpx2.Response) -> str:
    kind: str = answer.headers.get("content-type", "")
    if "html" in kind:
        raise Fault(Failed.BROKEN, "the answer is an HTML page")
    return kind


def _object(text: str | bytes) -> Object:
    found = json.loads(text)
    if not isinstance(found, dict):
        raise Fault(Failed.STRANGE, "the answer is not a JSON object")
    if error := found.get("error"):  # although the status is 200
        said = error if isinstance(error, Mapping) else {"message": error}
        message, code, kind = (_text(said.get(name)) for name in ("message", "code", "type"))
        raise Fault(Failed.BROKEN, message, code=code, kind=kind)
    return found
