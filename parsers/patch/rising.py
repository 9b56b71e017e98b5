"""Pairs of places in two texts -> the longest row of them that is in order in both."""

from bisect import bisect_left
from collections.abc import Sequence

Pair = tuple[int, int]


def rising(pairs: Sequence[Pair]) -> list[Pair]:
    """They come in the order of their first members; what is kept rises in the second ones too."""
    ends, last = list[int](), list[int]()  # of the rows of each length, the one that ends lowest
    before = list[int]()  # for each pair, the one above it in the longest row that it ends
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        ends[length : length + 1] = [place]
        last[length : length + 1] = [number]
        before.append(last[length - 1] if length else -1)
    found, number = list[Pair](), last[-1] if last else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]
