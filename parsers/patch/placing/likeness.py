"""How much two lines are alike: what `difflib` says of them, several times as fast.

Twice the letters of the longest text in common, and of what stands before and behind it, by all.
"""


def ratio(one: str, other: str, least: float) -> float:
    """0 where it is below `least`."""
    whole = len(one) + len(other)
    if not whole:
        return 1.0
    if 2 * min(len(one), len(other)) / whole < least or 2 * _shared(one, other) / whole < least:
        return 0.0
    found = 2 * _agreeing(one, other) / whole
    return found if found >= least else 0.0


def _shared(one: str, other: str) -> int:
    """Letters that both have, in any order."""
    return sum([min(one.count(letter), other.count(letter)) for letter in {*one}])


def _agreeing(one: str, other: str) -> int:
    count, left = 0, [(one, other)]
    while left:
        one, other = left.pop()
        begin, size = _longest(one, other)
        if size:
            at, end = other.find(one[begin : begin + size]), begin + size
            count += size
            if begin and at:
                left.append((one[:begin], other[:at]))
            if end < len(one) and at + size < len(other):
                left.append((one[end:], other[at + size :]))
    return count


def _longest(one: str, other: str) -> tuple[int, int]:
    """Where the longest text that both have begins in one, the first of those, and its length."""
    begin = size = at = 0
    while at + size < len(one):
        if one[at : at + size + 1] in other:
            begin, size = at, size + 1
        else:
            at += 1
    return begin, size
