"""A value whose texts take no more than so many characters: the long ones lack their middles."""

from collections.abc import Mapping, Sequence

from react_agent.parsers.transcript.quoting import escape

_LONGEST = 24_000  # characters of one text, however much room there is
_SHORTEST = 400  # to which a text is cut, however little
_HEAD = 2 / 3  # of what is kept

Value = str | int | float | bool | None | Sequence["Value"] | Mapping[str, "Value"]


def shortened(value: Value, room: int) -> Value:
    """With what nobody sees made visible."""
    longest = _LONGEST
    while longest > _SHORTEST and _size(value, longest) > room:
        longest //= 2
    return _cut(value, max(longest, _SHORTEST))


def _size(value: Value, longest: int) -> int:
    match value:
        case str():
            return min(len(value), longest)
        case Mapping():
            return sum(_size(inner, longest) for inner in value.values())
        case Sequence():
            return sum(_size(inner, longest) for inner in value)
        case _:
            return 0


def _cut(value: Value, longest: int) -> Value:
    match value:
        case str():
            return escape(_without_middle(value.replace("\r\n", "\n"), longest))
        case Mapping():
            return {name: _cut(inner, longest) for name, inner in value.items()}
        case Sequence():
            return [_cut(inner, longest) for inner in value]
        case _:
            return value


def _without_middle(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    head = int(longest * _HEAD)
    tail = longest - head
    left_out = f"{len(text) - longest:,} characters are left out here"
    return f"{text[:head]}\n[... {left_out} ...]\n{text[-tail:]}"
