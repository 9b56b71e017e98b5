"""What an experiment has cost so far, and what it may."""

from dataclasses import dataclass

from react_agent.eval.record import Used
from react_agent.eval.store.store import Store

_SUMS = """SELECT coalesce(sum(prompt_tokens + reply_tokens), 0), total(cost),
    count(CASE WHEN cost IS NULL AND prompt_tokens > 0 THEN 1 END) FROM solves"""


@dataclass(frozen=True, slots=True)
class Allowed:
    """None: as much as it takes."""

    usd: float | None = None
    tokens: int | None = None


@dataclass(slots=True)
class Spent:
    tokens: int = 0
    usd: float = 0.0
    unpriced: int = 0  # attempts that took tokens, and nobody knows a price

    def add(self, used: Used) -> None:
        self.tokens += used.tokens
        self.usd += used.cost or 0.0

    def objection(self, allowed: Allowed) -> str:
        """Why nothing more may be begun; empty: it may."""
        if allowed.tokens is not None and self.tokens >= allowed.tokens:
            return f"the budget of {allowed.tokens:,} tokens is used up ({self.tokens:,})"
        if allowed.usd is None:
            return ""
        if self.unpriced:
            return "no price is known for the model, so that a budget in $ can't be kept"
        if self.usd >= allowed.usd:
            return f"the budget of {allowed.usd:g} $ is used up ({self.usd:.4f} $)"
        return ""


def spent_in(store: Store) -> Spent:
    """By the runs that it holds, judged or not."""
    [(tokens, usd, unpriced)] = store.database.rows(_SUMS)
    return Spent(int(tokens or 0), float(usd or 0), int(unpriced or 0))
