"""One request to an endpoint and its result: pieces as they arrive, or a fault.

A Wire sends requests to one API through its SDK. The layer above decides whether and how to retry.

messages = user (assistant user)*         each turn of the model, and its observation
string   = system task turns tail         without a trailing space

A request begins with the messages of the previous one, except for the last block of its last
message.
"""

from collections.abc import Generator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from react_agent.models.contract import Usage, View, Why
from react_agent.models.endpoint import Manner
from react_agent.parsers.transcript.labels import DEFAULT, OBSERVATION

USER, ASSISTANT = "user", "assistant"
_OBSERVED = "\n" + DEFAULT.write(OBSERVATION)


@dataclass(frozen=True, slots=True)
class Ask:
    view: View  # its tools, only if the reply is to be forced into the shape of a turn
    stop: tuple[str, ...]  # for the server; empty if only we cut the reply
    room: int  # tokens of the reply
    seconds: float  # until the deadline
    manner: Manner
    begun: str = ""  # the reply so far, to continue

    @property
    def start(self) -> str:
        """The beginning of the reply, as it is sent to a chat API."""
        if self.manner.prefill and self.view.begun:
            return self.begun.removeprefix(self.view.begun.labels)
        return cue(self.view) + self.begun if self.manner.prefill else self.begun


@dataclass(frozen=True, slots=True)
class End:
    """How a complete answer ended; `raw` is the endpoint's own word for it."""

    why: Why
    raw: str
    stop_hit: str | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    text: str = ""  # for the reader; never reasoning
    usage: Usage | None = None
    end: End | None = None


Pieces = Generator[Piece, None, None]


class Wire(Protocol):
    @property
    def goes_on(self) -> bool:
        """Whether the API can continue a reply that has begun."""

    def pieces(self, ask: Ask) -> Pieces:
        """Yield the pieces of an answer. Closing the iterator ends the request. Raises Fault."""
        ...

    def window(self) -> int | None:
        """Return the model's context window if the endpoint reports it. Raises Fault."""
        ...


class Failed(StrEnum):
    """How a request failed."""

    ANSWER = "answer"  # the endpoint says no: `status`
    REFUSED = "refused"  # nobody listens there
    CONNECTION = "connection"  # none, or one that broke before an answer
    TIMEOUT = "timeout"
    BROKEN = "broken"  # in the middle of an answer
    ENDED = "ended"  # an answer without the word that ends it
    STRANGE = "strange"  # an answer that is not of this API


@dataclass(slots=True, eq=False)
class Fault(Exception):
    how: Failed
    message: str = ""  # the endpoint's own; it may hold anything
    status: int | None = None
    code: str = ""
    param: str = ""
    kind: str = ""  # the type that the endpoint gives the error
    retry_after: float | None = None

    @property
    def words(self) -> str:
        """All texts of the error, joined into one string."""
        return " ".join((self.message, self.code, self.param, self.kind))


@dataclass(frozen=True, slots=True)
class Message:
    role: str
    text: str
    volatile: str = ""  # after the text, in this request only


def messages(view: View, begun: str = "") -> tuple[Message, ...]:
    """Return the messages. `begun` is the start of the reply, written by the model or by us."""
    hint = view.tail.removesuffix(cue(view)).strip()
    said = [Message(USER, view.task.rstrip())]
    for turn in view.turns:
        model, world = _parted(turn)
        if model:
            said += [Message(ASSISTANT, model), Message(USER, world)]
        else:  # what a person said after a step that is not shown any more
            said[-1] = Message(USER, f"{said[-1].text}\n{world}")
    said[-1] = Message(USER, said[-1].text, hint)
    return (*said, Message(ASSISTANT, begun.rstrip(" "))) if begun else tuple(said)


def _parted(turn: str) -> tuple[str, str]:
    """Split a turn into the text of the model, which may be missing, and the observation."""
    model, label, world = turn.partition(_OBSERVED)
    return (model.rstrip(), (label + world).strip()) if label else ("", turn.strip())


def prompt(view: View, begun: str = "") -> str:
    return view.text + begun if begun else view.text.rstrip(" ")


def system(view: View) -> str:
    return view.system.rstrip()


def cue(view: View) -> str:
    """Return the start of the reply that an endpoint may receive along with the prompt."""
    return view.tail.rpartition("\n")[2]
