"""Private keys in blocks, as they stand in a file, numbered, quoted, in a diff or in one string.

What counts as the key is all between the marks; where one mark was cut off, the lines on that side
that can be of a key.
"""

from collections.abc import Iterator

from react_agent.parsers.text.late_pattern import LatePattern

MARK = "PRIVATE KEY"
_KIND = r"(?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_MARKS = LatePattern(rf"-----(?:(?P<begin>BEGIN)|(?P<end>END)) {_KIND}")
_LONGEST = 4_000  # characters of a line
_RUN = LatePattern(r"[A-Za-z0-9+/=]{16,}")
_PARTS = LatePattern(r"[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/=]{1,15}(?=(?:\\n)?[\"'`\\,;)\s]{0,9}$)")
_HEADER = LatePattern(r"[A-Za-z-]{1,30}: \S")
_FEWEST = 40  # characters in long runs: less is an example
_DIFFERENT = 8  # signs of a run, at most, in an example
_SIGN = 1  # character that says what a line of a diff does


def key_blocks(text: str) -> Iterator[tuple[int, int]]:
    """What is between the marks of each."""
    if MARK not in text:
        return
    floor, is_open = 0, False
    for mark in _MARKS.pattern.finditer(text):
        begins = mark.lastgroup == "begin"
        if is_open:
            stop = _grown(text, floor, mark.start()) if begins else mark.start()
            yield from _key(text, floor, stop)
        elif not begins:
            yield from _key(text, _above(text, floor, mark.start()), mark.start())
        floor, is_open = mark.end(), begins
    if is_open:
        yield from _key(text, floor, _grown(text, floor, len(text)))


def _key(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    runs = _RUN.findall(text[start:stop])
    if sum(map(len, runs)) >= _FEWEST and any(len(set(run)) > _DIFFERENT for run in runs):
        yield start, stop


def _above(text: str, floor: int, end: int) -> int:
    """Where it begins, if its first lines were cut off."""
    start = text.rfind("\n", floor, end) + 1 or floor
    while start > floor:
        above = text.rfind("\n", floor, start - 1) + 1 or floor
        if not _can_be_of_one(text[above : start - 1]):
            break
        start = above
    return start


def _grown(text: str, start: int, bound: int) -> int:
    """The rest of the line, and the lines below it that can be of a key."""
    stop = _line_end(text, start, bound)
    while stop < bound:
        below = _line_end(text, stop + 1, bound)
        if not _can_be_of_one(text[stop + 1 : below]):
            break
        stop = below
    return stop


def _line_end(text: str, at: int, bound: int) -> int:
    end = text.find("\n", at, bound)
    return bound if end < 0 else end


def _can_be_of_one(line: str) -> bool:
    long = _RUN.search(line)
    return bool(long or _HEADER.search(line)) and len(line) <= _LONGEST


def hidden_lines(body: str, instead: str) -> str:
    """Each line of a key with `instead` in its place; lines stay lines."""
    return "\n".join(_hidden(line, instead) for line in body.split("\n"))


def _hidden(line: str, instead: str) -> str:
    head, rest = line[:_SIGN], line[_SIGN:]
    if head not in "+-":
        head, rest = "", line
    spans = [found.span() for found in _PARTS.pattern.finditer(rest)]
    if not spans:
        return line
    return f"{head}{rest[: spans[0][0]]}{instead}{rest[spans[-1][1] :]}"
