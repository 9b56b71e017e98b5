"""What an endpoint answers, as it stands there: plain objects, not those of an SDK.

The SDKs make and check an object for each piece of a stream, which takes three quarters of their
time, and leave a connection as soon as they have the last one, so that the next call needs another.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from react_agent.models.sdk_faults import Watched
from react_agent.models.wire import Failed, Fault, Pieces
from react_agent.parsers.servers.http_answers import read_events, read_lines

Object = Mapping[str, Any]
Reader = Callable[[Object], Pieces]

_DONE = "[DONE]"
_TO_END = 2.0  # seconds, for the connection to end its answer behind that


def pieces_of(answer: Any, *, streamed: Reader, whole: Reader) -> Pieces:
    """Of a response of an SDK that was not read yet. Some answer whole, whatever they are asked."""
    if "json" in _kind(answer):
        yield from whole(_object(answer.read()))
        return
    for data in read_events(read_lines(answer.iter_bytes())):
        if data.startswith(_DONE):
            _hurry(answer)
        else:
            yield from streamed(_object(data))


def object_of(answer: Any) -> Object:
    """All of it."""
    _kind(answer)
    return _object(answer.read())


def _kind(answer: Any) -> str:
    kind: str = answer.headers.get("content-type", "")
    if "html" in kind:
        raise Fault(Failed.BROKEN, "the answer is a page")
    return kind


def _object(text: str | bytes) -> Object:
    found = json.loads(text)
    if not isinstance(found, dict):
        raise Fault(Failed.STRANGE, "the answer is no object")
    if error := found.get("error"):
        raise _error(error)
    return found


def _error(found: object) -> Fault:
    """One that comes with the status 200."""
    if not isinstance(found, Mapping):
        return Fault(Failed.BROKEN, str(found))
    words = {name: str(found.get(name) or "") for name in ("message", "code", "type")}
    return Fault(Failed.BROKEN, words["message"], code=words["code"], kind=words["type"])


def _hurry(answer: Any) -> None:
    stream = answer.http_response.stream
    if isinstance(stream, Watched):
        stream.hurry(_TO_END)
