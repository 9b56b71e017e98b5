"""`2-5,7`: numbers of steps, as events name them."""

import re
from collections.abc import Iterable, Iterator

_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")


def write_numbers(numbers: Iterable[int]) -> str:
    return ",".join(
        f"{first}-{last}" if last > first else str(first) for first, last in _runs(numbers)
    )


def read_numbers(text: str, most: int) -> tuple[int, ...]:
    """Those from 1 to `most`, in order; what is no number is skipped."""
    found = set[int]()
    for part in text.split(","):
        if match := _RANGE.fullmatch(part.strip()):
            first, last = int(match[1]), int(match[2] or match[1])
            found.update(range(max(first, 1), min(last, most) + 1))
    return tuple(sorted(found))


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    first = last = 0
    for number in sorted(set(numbers)):
        if first and number == last + 1:
            last = number
            continue
        if first:
            yield first, last
        first = last = number
    if first:
        yield first, last
