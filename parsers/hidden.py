"""How a hidden tool answers, as one line of a profile or of a repository's settings.

answer = "alias" tool | ["redirect" | "protocol"] text
text   names a visible tool as {tool}; {input} is the input of the call
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of a visible tool."""

    target: str


@dataclass(frozen=True, slots=True)
class Redirect:
    """A reason why not, and the way to go."""

    text: str


@dataclass(frozen=True, slots=True)
class Protocol:
    """What the format has a line for."""

    text: str


Hidden = Alias | Redirect | Protocol


def read_hidden(text: str) -> Hidden:
    word, _, rest = text.strip().partition(" ")
    match word:
        case "alias":
            return Alias(rest.strip())
        case "protocol":
            return Protocol(rest.strip())
        case "redirect":
            return Redirect(rest.strip())
        case _:
            return Redirect(text.strip())
