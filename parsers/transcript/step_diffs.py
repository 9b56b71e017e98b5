"""What each step of a run changed, in one text that a person can read.

    # step 3 of 06b4fc3e5a1c..9d8fa2e8b0c7      its files before and after, as trees of git
    diff --git a/src/dates.py b/src/dates.py    git's diff between them
    ...

No line of such a diff begins with `#`: content stands behind a sign or a blank, and git quotes a
name that holds the end of a line.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_HEAD = re.compile(r"# step ([0-9]{1,9}) of (\S+)\.\.(\S+)\n", re.ASCII)


@dataclass(frozen=True, slots=True)
class StepDiff:
    step: int
    before: str
    after: str
    text: str  # whole lines


def write_step_diffs(diffs: Iterable[StepDiff]) -> str:
    return "".join(f"# step {one.step} of {one.before}..{one.after}\n{one.text}" for one in diffs)


def read_step_diffs(text: str) -> Iterator[StepDiff]:
    """What stands above the first head is nobody's."""
    found = list(re.finditer(f"^{_HEAD.pattern}", text, re.ASCII | re.MULTILINE))
    starts = [*(head.start() for head in found), len(text)]
    for head, end in zip(found, starts[1:], strict=True):
        number, before, after = head.groups()
        yield StepDiff(int(number), before, after, text[head.end() : end])
