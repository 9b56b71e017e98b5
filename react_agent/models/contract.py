"""The interface between the agent loop and a model: prompts and completions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from typing import Protocol


class Why(StrEnum):
    """The reason why a completion ended."""

    STOP = "stop"
    END = "end"
    LENGTH = "length"
    CONTEXT = "context"
    REFUSAL = "refusal"
    EMPTY = "empty"
    CUT = "cut"
    REPEATS = "repeats"  # cut by us because it repeated itself


CUT_SHORT = (Why.LENGTH, Why.CUT, Why.REPEATS)


@dataclass(frozen=True, slots=True)
class Usage:
    prompt: int
    reply: int
    cached: int = 0
    written: int = 0
    cost: float | None = None  # None: no price is known
    is_estimate: bool = False  # the endpoint did not count


@dataclass(frozen=True, slots=True)
class Completion:
    text: str  # up to the stop
    why: Why
    usage: Usage | None = None
    raw_reason: str = ""
    window: int | None = None  # of the endpoint, as far as it is known by now
    notes: tuple[str, ...] = ()  # what a person should know of this call
    repeated: tuple[Usage, ...] = ()  # of requests whose answers were not used


@dataclass(frozen=True, slots=True)
class Begun:
    """The beginning of a reply, written for the model: labels, a fence and the first line."""

    labels: str  # behind `Thought:`; a chat is not shown them
    code: str  # what the model continues
    fence: str  # that the reply ends with
    room: int  # tokens of the rest
    indent: int = 0  # of the definition that has begun; it ends before a line with no more
    lead: str = ""  # comments that begin so are left out: they were begun for the model

    @property
    def text(self) -> str:
        return self.labels + self.code

    def whole(self, reply: str) -> str | None:
        """Return the reply up to its end with the fence closed, or None if it has not ended."""
        lines = reply.split("\n")
        for at in range(self.text.count("\n"), len(lines) - 1):
            bare = lines[at].lstrip()
            if bare and len(lines[at]) - len(bare) <= self.indent:
                return self.closed("\n".join(lines[:at]))
        return None

    def closed(self, reply: str) -> str:
        lines = reply.rstrip().split("\n")
        kept = (line for line in lines if not self.lead or not line.lstrip().startswith(self.lead))
        return "\n".join((*kept, self.fence))


@dataclass(frozen=True, slots=True)
class View:
    """The prompt for a model, in parts. Only `tail` is replaced at each step."""

    system: str
    task: str
    turns: tuple[str, ...]
    tail: str
    draw: int = 0  # how often the same was asked before, in vain
    begun: Begun | None = None  # for an endpoint that continues a text
    instead: "View | None" = None  # what an endpoint is shown in place of all this
    tools: tuple[str, ...] = ()  # if any, the reply has to be a turn that may call them

    @property
    def text(self) -> str:
        return "".join((self.system, self.task, *self.turns, self.tail))


def fingerprint(view: View) -> str:
    """Return a hash of the prompt parts that transcripts omit: instructions and volatile lines."""
    told = f"{view.system}\0{view.tail}".encode(errors="surrogatepass")  # a file may be anything
    return blake2b(told, digest_size=6).hexdigest()


Show = Callable[[str], None]


class Model(Protocol):
    def complete(
        self,
        view: View,
        *,
        stop: tuple[str, ...],
        max_output: int,
        deadline: float | None,
        show: Show,
    ) -> Completion: ...


@dataclass(frozen=True, slots=True)
class Embedded:
    vectors: tuple[bytes, ...]  # one per text, all of length 1 and of one dimension
    usage: Usage


Embedder = Callable[[Sequence[str], float], Embedded]  # takes texts and seconds. Raises ModelError
