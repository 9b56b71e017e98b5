"""A file's text as lines that hunks are looked for in."""

from typing import NamedTuple


class Source(NamedTuple):
    raw: list[str]  # with a CR at the end where there is one
    lines: list[str]  # without
    final_newline: bool = True
    is_literal: bool = False  # a CR is a part of its lines

    def newline_at(self, start: int, end: int) -> str:
        """What stands at the end of lines that take the place of those: `\r` or nothing."""
        ends = self._ends(start, end)
        return "\r" if len(ends) == 1 and 0 not in ends and not self.is_literal else ""

    def has_two_ends(self, start: int, end: int) -> bool:
        """The lines there end in CR LF and in LF, or in more than one CR."""
        return len(self._ends(start, end)) > 1 and not self.is_literal

    def _ends(self, start: int, end: int) -> set[int]:
        """How many CRs they end in; those around the place, if no line is there."""
        ended = len(self.raw) - (not self.final_newline)  # the last line has no end at all
        around = slice(max(min(start, ended) - 1, 0), min(start + 1, ended))
        near = self.raw[start : min(end, ended)] or self.raw[around]
        return {len(line) - len(line.rstrip("\r")) for line in near}

    @property
    def literally(self) -> "Source":
        return self._replace(lines=self.raw, is_literal=True)


def source_of(text: str) -> Source:
    if not text:
        return Source([], [])
    raw = text.split("\n")
    final_newline = not raw[-1]
    if final_newline:
        raw.pop()
    lines = [line.removesuffix("\r") for line in raw] if "\r" in text else raw
    return Source(raw, lines, final_newline)


def source_of_lines(raw: list[str], final_newline: bool = True) -> Source:
    return Source(raw, [line.removesuffix("\r") for line in raw], final_newline)
