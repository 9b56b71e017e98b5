"""What both SDKs have in common: connections, how long to wait, and what they raise, as faults."""

import email.utils
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import httpx2

from react_agent.models.endpoint import Endpoint
from react_agent.models.wire import Ask, Failed, Fault

_LONGEST_TO_CONNECT = 10.0  # seconds
NO_KEY = "none"  # the SDKs want one, many servers do not
_CONNECTIONS, _KEPT = 1000, 300
PATIENCE = 5.0  # seconds, for what is good to know and no more
_LONGEST_WAIT = 24 * 3600.0


def http(endpoint: Endpoint, announced: Callable[[Mapping[str, str]], None]) -> httpx2.Client:
    """For an SDK's client. A proxy is not asked for what is on this machine."""
    return httpx2.Client(
        trust_env=not endpoint.is_local,
        limits=httpx2.Limits(max_connections=_CONNECTIONS, max_keepalive_connections=_KEPT),
        event_hooks={"response": [lambda response: announced(response.headers)]},
        follow_redirects=True,
    )


def timeout(ask: Ask) -> httpx2.Timeout:
    return httpx2.Timeout(ask.seconds, connect=min(ask.seconds, _LONGEST_TO_CONNECT))


@contextmanager
def faults_of(sdk: ModuleType) -> Iterator[None]:
    try:
        yield
    except sdk.APITimeoutError as error:
        raise Fault(Failed.TIMEOUT, str(error)) from error
    except sdk.APIConnectionError as error:
        raise Fault(Failed.CONNECTION, str(error.__cause__ or error)) from error
    except sdk.APIResponseValidationError as error:
        raise Fault(Failed.STRANGE, str(error)) from error
    except sdk.APIError as error:
        raise _answered(error) from error
    except httpx2.TimeoutException as error:
        raise Fault(Failed.TIMEOUT, str(error)) from error
    except httpx2.TransportError as error:  # the stream of one SDK does not wrap it
        raise Fault(Failed.BROKEN, str(error)) from error
    except ValueError as error:  # what is in the stream is no JSON
        raise Fault(Failed.STRANGE, str(error)) from error


def _answered(error: Any) -> Fault:
    body = error.body if isinstance(error.body, Mapping) else {}
    inner = body["error"] if isinstance(body.get("error"), Mapping) else body
    status = getattr(error, "status_code", None)
    is_answer = isinstance(status, int) and status >= 400
    return Fault(
        Failed.ANSWER if is_answer else Failed.BROKEN,
        _text(inner.get("message")) or _text(body.get("error")) or _text(error.message),
        status if is_answer else None,
        _text(inner.get("code")) or _text(_details(inner).get("error_code")),
        _text(inner.get("param")),
        _text(inner.get("type")),
        retry_after(error.response.headers) if is_answer else None,
    )


def _details(inner: Mapping[str, Any]) -> Mapping[str, Any]:
    details = inner.get("details")
    return details if isinstance(details, Mapping) else {}


def error_in(answer: object) -> Fault | None:
    """An error that comes with the status 200."""
    found = (getattr(answer, "model_extra", None) or {}).get("error")
    if not found:
        return None
    if not isinstance(found, Mapping):
        return Fault(Failed.BROKEN, _text(found))
    return Fault(
        Failed.BROKEN,
        _text(found.get("message")),
        code=_text(found.get("code")),
        kind=_text(found.get("type")),
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """In seconds; a date is one, too."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        text = headers.get(name, "").strip()
        try:
            seconds = float(text) * unit
        except ValueError:
            seconds = _until(text)
        if seconds >= 0:
            return min(seconds, _LONGEST_WAIT)
    return None


def _until(date: str) -> float:
    try:
        return max(email.utils.parsedate_to_datetime(date).timestamp() - time.time(), 0.0)
    except ValueError:
        return -1.0


def _text(value: object) -> str:
    return "" if value is None else str(value)
