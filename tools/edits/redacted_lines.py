"""Lines of a file of which a model is not shown all: found again, and never written by it."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from react_agent.parsers.patch.line_diff import differing
from react_agent.parsers.redaction import MARK, marks_in
from react_agent.tools.edits.edit import Edit
from react_agent.tools.edits.edit_report import lines_of


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands in the place of a key, in a line that an edit would add."""

    name: str
    line: int
    text: str


def added_mark(edit: Edit) -> Mark | None:
    """The first."""
    had = Counter[str]()
    for state in edit.before.values():
        had.update(line for line in lines_of(state) if MARK in line)
    for name, state in edit.after.items():
        for number, line in enumerate(lines_of(state), 1):
            if MARK in line and (marks := marks_in(line)):
                had[line] -= 1
                if had[line] < 0:
                    return Mark(name, number, marks[0])
    return None


def restored(text: str, real: str, shown: str) -> str:
    """`text` was made of what was shown; the lines that are still there are the real ones again.

    Not where it can't be told which of several lines that look the same is gone.
    """
    if shown == real or MARK not in text:
        return text
    old, new, behind = shown.split("\n"), text.split("\n"), real.split("\n")
    unclear = _unclear(old, new, behind)
    made, at_old, at_new = list[str](), 0, 0
    for start, end, begin, stop in (*differing(old, new), (len(old), 0, len(new), 0)):
        kept = zip(new[at_new:begin], behind[at_old:start], strict=True)
        made += [line if line in unclear else own for line, own in kept]
        made += new[begin:stop]
        at_old, at_new = end, stop
    return "\n".join(made)


def _unclear(old: Sequence[str], new: Sequence[str], behind: Sequence[str]) -> set[str]:
    """Lines that look the same and are not, of which some are gone or have come."""
    hidden = defaultdict[str, set[str]](set)
    for was, own in zip(old, behind, strict=True):
        if MARK in was:
            hidden[was].add(own)
    before, after = Counter(old), Counter(new)
    return {
        line for line, lines in hidden.items() if len(lines) > 1 and before[line] != after[line]
    }
