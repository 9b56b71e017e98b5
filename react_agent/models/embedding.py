"""Texts as vectors: what an endpoint may be asked for beside completions."""

import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from react_agent.models.contract import Usage


@dataclass(frozen=True, slots=True)
class Embedded:
    vectors: tuple[bytes, ...]  # one a text, each of length 1 and as many numbers
    usage: Usage


@dataclass(frozen=True, slots=True)
class Embedder:
    name: str  # of the model, at its address: vectors of two of them can't be compared
    embed: Callable[[Sequence[str], float], Embedded]  # in so many seconds. Raises ModelError


def unit(numbers: Sequence[float]) -> bytes:
    """Of length 1, as floats of 32 bits. Raises ValueError for what points nowhere."""
    length = math.hypot(*numbers)
    if not 0 < length < math.inf:
        raise ValueError("a vector that points nowhere")
    return array("f", (number / length for number in numbers)).tobytes()
