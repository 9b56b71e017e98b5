"""One request to an endpoint, and what comes of it: pieces as they arrive, or a fault.

A wire knows one API and its SDK. Whether to ask again, and how, is decided above it.
"""

from collections.abc import Generator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from react_agent.models.contract import Usage, View, Why
from react_agent.models.layout import cue
from react_agent.models.manner import Manner


@dataclass(frozen=True, slots=True)
class Ask:
    view: View
    stop: tuple[str, ...]  # for the server; none where we cut alone
    room: int  # tokens of the reply
    seconds: float  # until the deadline
    manner: Manner
    begun: str = ""  # the reply so far, to be gone on with

    @property
    def start(self) -> str:
        """Of the reply, as it is given to a chat."""
        return self.begun or (cue(self.view) if self.manner.prefill else "")


@dataclass(frozen=True, slots=True)
class End:
    """The word that a whole answer ends with."""

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
    goes_on: bool  # a reply that has begun can be gone on with

    def pieces(self, ask: Ask) -> Pieces:
        """Raises Fault. Closing it hangs up."""
        ...

    def window(self) -> int | None:
        """Of the model, where the endpoint tells it. Raises Fault."""
        ...


class Failed(StrEnum):
    """How a request came to nothing."""

    ANSWER = "answer"  # the endpoint says no: `status`
    REFUSED = "refused"  # nobody listens there
    CONNECTION = "connection"  # none, or one that broke before an answer
    TIMEOUT = "timeout"
    BROKEN = "broken"  # in the middle of an answer
    ENDED = "ended"  # an answer without the word that ends it
    STRANGE = "strange"  # what came is not of this API


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
        """All that names what was wrong."""
        return " ".join((self.message, self.code, self.param, self.kind))
