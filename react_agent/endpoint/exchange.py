"""What a request asks for, and what is said to it, whichever API it came by."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from react_agent.parsers.text.tokens import estimate_tokens

Object: TypeAlias = Mapping[str, Any]


class NotUnderstood(ValueError):
    """A request that lacks what its API asks for; its text says what."""


@dataclass(frozen=True, slots=True)
class Wanted:
    model: str
    prompt: str  # all that the model is shown
    stop: tuple[str, ...] = ()
    is_streamed: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    wanted: Wanted
    number: int
    text: str  # up to the stop
    stop_hit: str | None = None

    @property
    def counts(self) -> tuple[int, int]:
        """Of prompt and reply, in tokens, about."""
        return estimate_tokens(self.wanted.prompt), estimate_tokens(self.text)

    @property
    def pieces(self) -> list[str]:
        return self.text.splitlines(keepends=True)


@dataclass(frozen=True, slots=True)
class Event:
    data: Object | str
    name: str = ""

    def written(self) -> bytes:
        """As one of the events that a server sends."""
        data = self.data if isinstance(self.data, str) else json.dumps(self.data)
        name = f"event: {self.name}\n" if self.name else ""
        return f"{name}data: {data}\n\n".encode()


@dataclass(frozen=True, slots=True)
class Api:
    wanted: Callable[[Object], Wanted]
    whole: Callable[[Said], Object]
    events: Callable[[Said], Iterator[Event]]


def said(wanted: Wanted, number: int, reply: str) -> Said:
    """Of a reply, what stands before the first of the stops."""
    found = ((reply.find(stop), stop) for stop in wanted.stop if stop)
    at, hit = min(((at, stop) for at, stop in found if at >= 0), default=(len(reply), None))
    return Said(wanted, number, reply[:at], hit)


def conversation(messages: object, system: object = "") -> str:
    """Each message below its role."""
    if not isinstance(messages, Sequence) or isinstance(messages, str):
        raise NotUnderstood("there is no list of messages")
    told = [("system", text_of(system))] if system else []
    for message in messages:
        if not isinstance(message, Mapping):
            raise NotUnderstood("a message is no object")
        told.append((str(message.get("role", "")), text_of(message.get("content"))))
    return "\n\n".join(f"[{role}]\n{text}" for role, text in told)


def text_of(content: object) -> str:
    """A text, or the texts of its parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        return ""
    parts = (part.get("text") if isinstance(part, Mapping) else part for part in content)
    return "\n".join(part for part in parts if isinstance(part, str))


def stops_of(given: object) -> tuple[str, ...]:
    listed = [given] if isinstance(given, str) else given
    if not isinstance(listed, Sequence):
        return ()
    return tuple(stop for stop in listed if isinstance(stop, str))


def model_of(request: Object) -> str:
    model = request.get("model")
    if not isinstance(model, str) or not model:
        raise NotUnderstood("the request names no model")
    return model
