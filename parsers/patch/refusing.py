"""Why the hunks of a file are not applied, said so that the next try can be right."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from react_agent.parsers.patch.changes import Hunk, Refusal
from react_agent.parsers.patch.match import Match
from react_agent.parsers.patch.sought import SHOWN, Sought
from react_agent.parsers.patch.source import Source

_SHOWN = SHOWN - 1  # places: one more tells that there are more
_WIDEST = 80  # letters of a line
MORE = "quote more of the lines around the one that is meant"


class Refusing:
    def __init__(self, hunks: Sequence[Hunk], source: Source, name: str) -> None:
        self._hunks = hunks
        self._source = source
        self._name = name

    def cut_off(self, number: int) -> Refusal:
        return self.said(
            number,
            "looks cut off: its header announces lines that did not come: send all of it, with "
            "three unchanged lines at its end",
        )

    def stands_for_others(self, number: int, text: str) -> Refusal:
        return self.said(
            number,
            f"adds `{text[:_WIDEST]}`, which would stand in the file for lines that are gone: "
            "write these lines, or leave them as they are",
        )

    def not_empty(self) -> Refusal:
        found = (
            (number, line.text.strip())
            for number, hunk in enumerate(self._hunks)
            for line in hunk.lines
            if line.mark == "-"
        )
        number, text = next(found)
        return self.said(
            number, f"removes `{text}`, but the file is new or empty: write + before each line"
        )

    def quotes_nothing(self, number: int) -> Refusal:
        return self.said(
            number, "quotes no line of the file: quote the lines between which it is to stand"
        )

    def ambiguous(self, number: int, places: Sequence[Match]) -> Refusal:
        firsts, changes = {one.first for one in places}, {one.change[0] for one in places}
        several = (found for found in (firsts, changes) if len(found) > 1)
        lines = next(several, {one.last for one in places})
        return self.alike(number, sorted(at + 1 for at in lines))

    def alike(self, number: int, lines: Sequence[int]) -> Refusal:
        more = " and more" if len(lines) > _SHOWN else ""
        shown = ", ".join(map(str, lines[:_SHOWN]))
        return self.said(
            number, f"stands alike at lines {shown}{more}: {MORE}, or write its line number"
        )

    def overlapping(self, places: Mapping[int, Sequence[Match]]) -> Refusal:
        spans = sorted((one.change, number) for number, some in places.items() for one in some)
        for (above, first), (below, second) in pairwise(spans):
            if below[0] < above[1] or below[0] == above[0]:
                return self.said(
                    max(first, second),
                    f"changes lines that hunk {min(first, second) + 1} changes, too: "
                    "make one hunk of them",
                )
        return Refusal(f"two hunks of {self._name} change the same lines: make one hunk of them")

    def there_already(self, number: int, at: int) -> Refusal:
        return self.said(
            number,
            f"may be applied already: what it leaves stands at line {at + 1}: "
            f"{MORE}, or write the right line number",
        )

    def missing(self, number: int) -> Refusal:
        return self.said(number, "\n".join(self._where(number)))

    def _where(self, number: int) -> Iterator[str]:
        from react_agent.parsers.patch.nearest import nearest

        yield from nearest(self._hunks[number], Sought(self._source))

    def said(self, number: int, what: str) -> Refusal:
        hunk = self._hunks[number]
        where = f" (line {hunk.at} of the patch)" if hunk.at else ""
        return Refusal(f"hunk {number + 1} of {self._name}{where} {what}")
