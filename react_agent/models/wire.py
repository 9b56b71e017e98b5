"""One request to an endpoint, and its result: pieces as they arrive, or a fault.

A wire knows one API and its SDK. The layer above decides whether to ask again, and how.

messages = user (assistant user)*         each turn of the model, and what came of it
string   = system task turns tail         without a space at its end

What an endpoint has seen stays as it was: all but the last block of the last message is the
beginning of the next request's messages.
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
    view: View
    stop: tuple[str, ...]  # for the server; empty if only we cut the reply
    room: int  # tokens of the reply
    seconds: float  # until the deadline
    manner: Manner
    begun: str = ""  # the reply so far, to continue

    @property
    def start(self) -> str:
        """The beginning of the reply, as a chat gets it."""
        if self.manner.prefill and self.view.begun:
            return self.begun.removeprefix(self.view.begun.labels)
        return cue(self.view) + self.begun if self.manner.prefill else self.begun


@dataclass(frozen=True, slots=True)
class End:
    """How a whole answer ended, in the endpoint's word."""

    why: Why
    raw: str
    stop_hit: str | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    text: str = ""  # for the reader; never reasoning
    reasoned: bool = False  # a piece of reasoning, which is not shown
    usage: Usage | None = None
    end: End | None = None


Pieces = Generator[Piece, None, None]


class Wire(Protocol):
    @property
    def goes_on(self) -> bool:
        """Whether a reply that has begun can be continued."""

    def pieces(self, ask: Ask) -> Pieces:
        """Yield the pieces of an answer. Closing hangs up. Raises Fault."""
        ...

    def window(self) -> int | None:
        """Return the model's window, if the endpoint tells it. Raises Fault."""
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
        """All texts that name what was wrong."""
        return " ".join((self.message, self.code, self.param, self.kind))


@dataclass(frozen=True, slots=True)
class Message:
    role: str
    text: str
    volatile: str = ""  # after the text, in this request only


def messages(view: View, begun: str = "") -> tuple[Message, ...]:
    """Return the messages. `begun` is the beginning of the reply, by the model or by us."""
    hint = view.tail.removesuffix(cue(view)).strip()
    said = [Message(USER, view.task.rstrip())]
    for turn in view.turns:
        model, world = _parted(turn)
        said += [Message(ASSISTANT, model), Message(USER, world)]
    said[-1] = Message(USER, said[-1].text, hint)
    return (*said, Message(ASSISTANT, begun.rstrip(" "))) if begun else tuple(said)


def _parted(turn: str) -> tuple[str, str]:
    """Return what the model said, and what came of it."""
    model, _, world = turn.partition(_OBSERVED)
    return model.rstrip(), (_OBSERVED + world).strip()


def prompt(view: View, begun: str = "") -> str:
    return view.text + begun if begun else view.text.rstrip(" ")


def system(view: View) -> str:
    return view.system.rstrip()


def cue(view: View) -> str:
    """Return the beginning of a reply, which an endpoint may be given along with the prompt."""
    return view.tail.rpartition("\n")[2]
