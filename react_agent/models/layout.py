"""A view as messages, or as one string, so that what an endpoint has seen stays as it was.

messages = user (assistant user)*         each turn of the model, and what came of it
string   = system task turns tail         without a blank at its end

All but the last block of the last message is the beginning of the next request's messages.
"""

from dataclasses import dataclass

from react_agent.models.contract import View
from react_agent.parsers.transcript.labels import DEFAULT, OBSERVATION

USER, ASSISTANT = "user", "assistant"
_OBSERVED = "\n" + DEFAULT.write(OBSERVATION)


@dataclass(frozen=True, slots=True)
class Message:
    role: str
    text: str
    volatile: str = ""  # behind the text, in this request only


def messages(view: View, begun: str = "") -> tuple[Message, ...]:
    """`begun`: what the model has written of its reply, or is made to begin with."""
    hint = view.tail.removesuffix(cue(view)).strip()
    said = [Message(USER, view.task.rstrip())]
    for turn in view.turns:
        model, world = _parted(turn)
        said += [Message(ASSISTANT, model), Message(USER, world)]
    said[-1] = Message(USER, said[-1].text, hint)
    return (*said, Message(ASSISTANT, begun.rstrip())) if begun else tuple(said)


def _parted(turn: str) -> tuple[str, str]:
    """What the model said, and what came of it."""
    model, _, world = turn.partition(_OBSERVED)
    return model.rstrip(), (_OBSERVED + world).strip()


def prompt(view: View, begun: str = "") -> str:
    return view.text + begun if begun else view.text.rstrip(" ")


def system(view: View) -> str:
    return view.system.rstrip()


def cue(view: View) -> str:
    """What a reply begins with: it is begun with it, where an endpoint takes that."""
    return view.tail.rpartition("\n")[2]
