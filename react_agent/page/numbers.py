"""Numbers as the page writes them."""

from math import ceil, floor, log10

NONE = "–"
_MARKS = 4  # on an axis, beside its 0


def short(number: float) -> str:
    """`950`, `12.3k`, `1.2M`."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= 0.99995 * size:
            return f"{number / size:.3g}{unit}" if number < 999.5 * size else f"1000{unit}"
    return f"{number:.0f}" if number >= 10 or number == int(number) else f"{number:.1f}"


def dollars(cost: float | None) -> str:
    if cost is None:
        return NONE
    if cost >= 100:
        return f"${cost:,.0f}"
    if cost == 0:
        return "$0"
    return f"${cost:.2f}" if cost >= 0.0995 else f"${cost:.2g}"


def time(seconds: float) -> str:
    """`67 s`, `3.5 min`, `2.1 h`."""
    for size, unit in ((6000, "h"), (100, "min")):
        if seconds >= size:
            number = seconds / (3600 if unit == "h" else 60)
            return f"{number:.1f} {unit}" if number < 9.95 else f"{number:.0f} {unit}"
    return f"{seconds:.0f} s"


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def axis_marks(most: float) -> list[float]:
    """From 0, in round steps, until `most` is within."""
    size = 10 ** floor(log10(most / _MARKS))
    step = next(size * part for part in (1, 2, 2.5, 5, 10) if size * part * _MARKS >= most)
    return [step * number for number in range(ceil(most / step) + 1)]
