"""The tokens, time and money that a run has used: the sum over the entries of its transcript."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.facts import write_facts


@dataclass(slots=True)
class Spent:
    prompt_tokens: int = 0
    reply_tokens: int = 0
    seconds: float = 0.0
    money: float | None = None  # None: no price is known
    cached: int = 0  # of the prompt tokens
    written: int = 0  # prompt tokens that were written to the cache
    unknown: int = 0  # most calls that a killed process may have left unfinished

    def add(self, facts: Mapping[str, str]) -> None:
        self.prompt_tokens += whole_number(facts.get("in"))
        self.reply_tokens += whole_number(facts.get("out"))
        self.seconds += real_number(facts.get("seconds")) or 0.0
        self.cached += whole_number(facts.get("cached"))
        self.written += whole_number(facts.get("written"))
        self.unknown += whole_number(facts.get("unknown"))
        cost = real_number(facts.get("cost"))
        if cost is not None:
            self.money = (self.money or 0.0) + cost

    def __add__(self, other: "Spent") -> "Spent":
        prices = [spent.money for spent in (self, other) if spent.money is not None]
        return Spent(
            self.prompt_tokens + other.prompt_tokens,
            self.reply_tokens + other.reply_tokens,
            self.seconds + other.seconds,
            sum(prices) if prices else None,
            self.cached + other.cached,
            self.written + other.written,
            self.unknown + other.unknown,
        )

    @property
    def facts(self) -> dict[str, str]:
        """The tokens and the money in the format that `add` reads."""
        counts = {
            "in": self.prompt_tokens,
            "out": self.reply_tokens,
            "cached": self.cached,
            "written": self.written,
            "unknown": self.unknown,
        }
        facts = {name: str(count) for name, count in counts.items() if count}
        return facts if self.money is None else facts | {"cost": f"{self.money:.6f}"}

    @property
    def not_known(self) -> str:
        """A phrase for usage summaries with the number of interrupted model calls, if any."""
        return f", and at most {counted(self.unknown, 'call')} cut off" if self.unknown else ""


def spent_text(spent: Spent, steps: int) -> str:
    """Return the usage in the format that `Spent.add` reads, including the number of steps."""
    return write_facts({"steps": str(steps), **spent.facts, "seconds": f"{spent.seconds:.3f}"})


def whole_number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 19 else 0


def real_number(text: str | None) -> float | None:
    """Parse a number. Return None for `nan`, `inf` and text that is not a number."""
    try:
        found = float(text) if text else math.nan
    except ValueError:
        return None
    return found if math.isfinite(found) else None
