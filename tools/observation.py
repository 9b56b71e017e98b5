"""Observations: the result or the failure of a tool, in the only form that the model sees."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

# Facts that are noted for whoever audits a run.
SHOWN = "shown"  # the lines of files that were shown, `a.py:1-17`
ASKED = "asked"  # the address of a page
REFUSED = "refused"  # by which wall
COMMAND = "command"  # that a tool has chosen
EXIT, LIMIT = "exit", "limit"  # of a command: its code; what ended it before its time
_BETWEEN = "\n\n"  # several as one


class Status(StrEnum):
    OK = "ok"
    FAILED = "failed"
    EMPTY = "empty"  # it worked and there is nothing to show: never proof of absence


@dataclass(frozen=True, slots=True)
class Observation:
    text: str
    status: Status = Status.OK
    paths: tuple[str, ...] = ()  # files read or written, relative to the workspace
    facts: Mapping[str, str] = field(default_factory=dict)  # for the fold; the model sees none
    noted: Mapping[str, str] = field(default_factory=dict, compare=False)  # nothing hangs on these
    # Only these files were changed, so a checkpoint looks at no others; None: that is not known.
    wrote: tuple[str, ...] | None = field(default=None, compare=False)


def read_as(said: str, answer: Observation) -> Observation:
    """Return the observation, with a note on how the input was interpreted if there is one."""
    return replace(answer, text=f"[{said}]\n{answer.text}") if said else answer


def failed(text: str, *paths: str) -> Observation:
    return Observation(text, Status.FAILED, paths)


def joined(shown: Sequence[Observation]) -> Observation:
    """Join several observations into one. The result has the best of their statuses."""
    worst_first = (Status.FAILED, Status.EMPTY, Status.OK)
    best = max((one.status for one in shown), key=worst_first.index)
    paths = tuple(dict.fromkeys(path for one in shown for path in one.paths))
    text = _BETWEEN.join(one.text for one in shown)
    noted = defaultdict[str, dict[str, None]](dict)  # each value is a list, and all are joined
    for one in shown:
        for name, value in one.noted.items():
            noted[name][value] = None
    return Observation(
        text, best, paths, noted={name: ",".join(one) for name, one in noted.items()}
    )


def room_for(parts: int, room: int) -> int:
    """Return the total size available for this many parts, minus the gaps between them."""
    return room - (parts - 1) * len(_BETWEEN)


def shares(needs: Sequence[int], room: int) -> list[int]:
    """Return the size available for each part. Parts that need little leave more for the others."""
    given = dict[int, int]()
    smallest_first = sorted(range(len(needs)), key=needs.__getitem__)
    for at, left in zip(smallest_first, range(len(needs), 0, -1), strict=True):
        given[at] = min(needs[at], room // left)
        room -= given[at]
    return [given[at] for at in range(len(needs))]
