"""Join several answers into one observation, and share out the space that they have."""

from collections.abc import Sequence
from dataclasses import replace

from react_agent.tools.files.paths import Cause, Refused
from react_agent.tools.observation import REFUSED, Observation, Status, failed

_BETWEEN = "\n\n"


def joined(shown: Sequence[Observation]) -> Observation:
    """One that could be answered makes the whole worth reading."""
    worst_first = (Status.FAILED, Status.EMPTY, Status.OK)
    best = max((one.status for one in shown), key=worst_first.index)
    paths = tuple(dict.fromkeys(path for one in shown for path in one.paths))
    text = _BETWEEN.join(one.text for one in shown)
    return Observation(text, best, paths, noted=_noted(shown))


def _noted(shown: Sequence[Observation]) -> dict[str, str]:
    """Each is a list, of which all have a part."""
    found = dict[str, list[str]]()
    for one in shown:
        for name, value in one.noted.items():
            found.setdefault(name, []).append(value)
    return {name: ",".join(dict.fromkeys(values)) for name, values in found.items()}


def room_for(parts: int, room: int) -> int:
    """What is left of it for so many of them."""
    return room - (parts - 1) * len(_BETWEEN)


def shares(needs: Sequence[int], room: int) -> list[int]:
    """Room for each: who needs little hands the rest on."""
    given = dict[int, int]()
    smallest_first = sorted(range(len(needs)), key=needs.__getitem__)
    for at, left in zip(smallest_first, range(len(needs), 0, -1), strict=True):
        given[at] = min(needs[at], room // left)
        room -= given[at]
    return [given[at] for at in range(len(needs))]


def refused(why: Refused, more: str = "", *paths: str) -> Observation:
    """What is only not there is a failure like any other."""
    seen = failed(f"{why.reason}{more}", *paths)
    return replace(seen, noted={REFUSED: "path"}) if why.cause is Cause.FORBIDDEN else seen
