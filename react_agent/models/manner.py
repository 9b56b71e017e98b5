"""How an endpoint is talked to: what it takes, and what it does not.

It starts from a hint and from what a person set, and is changed by what the endpoint answers.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

_WORDS = {"yes": True, "no": False}
THINKING = ("", "off", "minimal", "low", "medium", "high", "xhigh", "max")
_HOTTER, _HOTTEST = 0.4, 1.0  # degrees, for each draw
TOKENS = ("max_tokens", "max_completion_tokens")  # the names of the limit of a reply


@dataclass(frozen=True, slots=True)
class Manner:
    stop: bool = True  # a stop is sent along
    stream: bool = True
    ends: bool = True  # a stream ends with a word
    usage: bool = True  # it is asked to count in a stream
    cache: bool = True  # what can be cached is marked
    system: bool = True  # instructions have a role of their own
    parts: bool = True  # a message may be of several parts
    sampling: bool = True  # a temperature is sent, where one is set
    prefill: bool = False  # the reply is begun for it
    note: bool = False  # thoughts are not asked for: `Note:` in place of `Thought:`
    thinks: bool = False  # some of the room for a reply goes into reasoning
    tokens: str = TOKENS[0]
    temperature: float | None = None
    seed: str = ""  # a whole number, where the API has one
    thinking: str = ""  # "off", or how much effort; nothing: as it comes
    window: int | None = None
    reply: int | None = None  # the longest it gives

    def changed(self, given: Mapping[str, str]) -> "Manner":
        """What has no such name, or no such value, is left out: files may be edited."""
        read = {name: _READ[name](text) for name, text in given.items() if name in _READ}
        return replace(self, **{name: value for name, value in read.items() if value is not None})

    def drawn_again(self, times: int) -> "Manner":
        """Hotter and with another seed, so that the same prompt gets another reply."""
        if not times or self.temperature is None or not self.sampling:
            return self
        heat = max(min(self.temperature + _HOTTER * times, _HOTTEST), self.temperature)
        seed = str(int(self.seed) + times) if self.seed else ""
        return replace(self, temperature=heat, seed=seed)

    @property
    def heat(self) -> float | None:
        """The temperature that is sent."""
        return self.temperature if self.sampling else None

    @property
    def effort(self) -> str:
        """Of reasoning, as OpenAI's APIs name it."""
        return "none" if self.thinking == "off" else self.thinking


@dataclass(slots=True)
class Lessons:
    """What one call tries, to be kept if an answer comes of it."""

    said: dict[str, str] = field(default_factory=dict)  # the endpoint named it
    guessed: dict[str, str] = field(default_factory=dict)

    def heed(self, lesson: Mapping[str, str]) -> bool:
        """False: it has been tried. A limit may be named more than once, lower each time."""
        if "reply" not in lesson and lesson.keys() <= self.said.keys():
            return False
        self.said |= lesson
        return True

    @property
    def tried(self) -> dict[str, str]:
        return self.said | self.guessed


def _switch(text: str) -> bool | None:
    return _WORDS.get(text)


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and 0 < len(text) < 10 else None


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


_READ: Mapping[str, Callable[[str], Any]] = {
    **{field.name: _switch for field in fields(Manner) if field.type is bool},
    "tokens": lambda text: text if text in TOKENS else None,
    "temperature": _number,
    "seed": lambda text: text if not text or _whole(text) is not None else None,
    "thinking": lambda text: text if text in THINKING else None,
    "window": _whole,
    "reply": _whole,
}
NAMES = tuple(_READ)
SIZES = ("window", "reply")  # a person may want less than an endpoint gives


def unreadable(given: Mapping[str, str]) -> str | None:
    """The first name whose value says nothing."""
    return next(
        (name for name in given if name in _READ and _READ[name](given[name]) is None), None
    )
