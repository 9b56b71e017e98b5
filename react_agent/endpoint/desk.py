"""Where requests wait for whoever answers them: each becomes a question, and its reply an answer.

GET  /v1/models                                                   one, and any name will do
POST /v1/chat/completions /v1/completions /v1/messages /v1/responses
"""

import itertools
import json
import queue
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

from react_agent.endpoint.chat import CHAT, COMPLETIONS
from react_agent.endpoint.exchange import Api, Event, NotUnderstood, Object, Wanted, said
from react_agent.endpoint.messages import MESSAGES
from react_agent.endpoint.responses import RESPONSES
from react_agent.loopback import Asked, Given

MODEL = "byhand"
APIS: Mapping[str, Api] = {
    "/chat/completions": CHAT,
    "/completions": COMPLETIONS,
    "/messages": MESSAGES,
    "/responses": RESPONSES,
}
_VERSION = "/v1"
_EVENTS = "text/event-stream; charset=utf-8"
_STILL_HERE = 1.0  # seconds
_COMMENT, _BLANK = b": somebody is writing\n\n", b" "
_MODEL: Object = {"id": MODEL, "object": "model", "created": 0, "owned_by": "you"}


@dataclass(slots=True, eq=False)
class Question:
    number: int
    wanted: Wanted
    is_left: bool = False  # nobody waits for the reply any more
    replies: "queue.SimpleQueue[str]" = field(default_factory=queue.SimpleQueue)


@dataclass(slots=True)
class Desk:
    questions: "queue.SimpleQueue[Question]" = field(default_factory=queue.SimpleQueue)
    numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))
    still_here: float = _STILL_HERE  # seconds between signs of life, which clients pass over

    def answer(self, asked: Asked) -> Given:
        """For a server. Browsers name where a page is from that asks: none has business here."""
        path = asked.path.removeprefix(_VERSION)
        if "origin" in asked.headers:
            return _refused(403, "pages of the web are not answered")
        if asked.method == "GET":
            return _models(path)
        if asked.method != "POST" or path not in APIS:
            return _refused(404, f"nothing is at {asked.path}")
        try:
            wanted = APIS[path].wanted(_object(asked.body))
        except NotUnderstood as error:
            return _refused(400, str(error))
        question = Question(next(self.numbers), wanted)
        answered = self._answered(question, APIS[path])
        return Given(answered, _EVENTS if wanted.is_streamed else "application/json")

    def _answered(self, question: Question, api: Api) -> Generator[bytes, None, None]:
        is_streamed = question.wanted.is_streamed
        self.questions.put(question)
        try:
            while (reply := _reply(question, self.still_here)) is None:
                yield _COMMENT if is_streamed else _BLANK
            answer = said(question.wanted, question.number, reply)
            if is_streamed:
                yield from map(Event.written, api.events(answer))
            else:
                yield json.dumps(api.whole(answer)).encode()
        finally:
            question.is_left = True


def _reply(question: Question, within: float) -> str | None:
    try:
        return question.replies.get(timeout=within)
    except queue.Empty:
        return None


def _object(body: bytes) -> Object:
    try:
        found: Any = json.loads(body)
    except (ValueError, RecursionError):
        raise NotUnderstood("the request is no JSON") from None
    if not isinstance(found, Mapping):
        raise NotUnderstood("the request is no object")
    return found


def _models(path: str) -> Given:
    if path == "/models":
        return _json({"object": "list", "data": [_MODEL], "has_more": False})
    if path.startswith("/models/"):
        return _json({**_MODEL, "id": path.removeprefix("/models/"), "type": "model"})
    return _refused(404, f"nothing is at {path}")


def _refused(status: int, why: str) -> Given:
    """In the words of all the APIs."""
    error = {"type": "invalid_request_error", "message": why, "param": None, "code": None}
    return _json({"type": "error", "error": error}, status)


def _json(data: Object, status: int = 200) -> Given:
    return Given(json.dumps(data).encode(), status=status)
