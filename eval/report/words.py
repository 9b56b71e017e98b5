"""Numbers as reports write them."""

from collections.abc import Sequence

_LEAST = 0.001
NONE = "-"  # there is nothing to say


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def between(interval: tuple[float, float]) -> str:
    low, high = interval
    return f"{100 * low:.1f} to {100 * high:.1f} %"


def points(difference: float) -> str:
    """Percentage points."""
    return f"{100 * difference:+.1f}".replace("-0.0", "+0.0")


def points_between(interval: tuple[float, float]) -> str:
    low, high = interval
    return f"{points(low)} to {points(high)}"


def chance(p: float) -> str:
    return f"{p:.3f}" if p >= _LEAST else f"< {_LEAST}"


def equation(p: float) -> str:
    return f"p = {chance(p)}".replace("= <", "<")


def times(ratio: float | None) -> str:
    return NONE if ratio is None else f"x {ratio:.2f}"


def dollars(cost: float | None) -> str:
    if cost is None:
        return NONE
    return f"${cost:,.2f}" if cost >= 1 or cost == 0 else f"${cost:.4f}"


def share_of(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else NONE


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
