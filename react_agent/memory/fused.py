"""What two searches found, in one order: by the words, and by what is meant.

What holds all that was asked for stays first, as the words have it. The rest is in the order of
the sum of 1 / (60 + rank), as in "reciprocal rank fusion".
"""

from collections.abc import Sequence

from react_agent.memory.ranking import Found

_DAMPING = 60


def fused(by_words: Sequence[Found], by_meaning: Sequence[Found]) -> list[Found]:
    """One result a step: that of the words, where there is one."""
    exact = [found for found in by_words if found.holds_all]
    steps = {found.step for found in exact}
    ranks: dict[int, float] = {}
    for found in (by_words, by_meaning):
        for rank, one in enumerate(found, 1):
            ranks[one.step] = ranks.get(one.step, 0.0) + 1 / (_DAMPING + rank)
    others = {one.step: one for one in (*by_meaning, *by_words) if one.step not in steps}
    place = {one.step: at for at, one in enumerate((*by_words, *by_meaning))}
    return [*exact, *sorted(others.values(), key=lambda one: (-ranks[one.step], place[one.step]))]
