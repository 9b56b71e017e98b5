"""A file's text as lines, and what is cut out of it and put in."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple


class Splice(NamedTuple):
    """Lines `start` to `end` of a file, counted from 0, `end` not included, become `lines`."""

    start: int
    end: int
    lines: tuple[str, ...]  # with a CR at their ends where the file has one


class Source(NamedTuple):
    raw: list[str]  # with a CR at the end where there is one
    lines: list[str]  # without
    final_newline: bool = True
    is_literal: bool = False  # a CR is a part of its lines

    def newline_at(self, start: int, end: int) -> str:
        """What lines that replace those end in before the newline: `\r` or nothing."""
        ends = self._ends(start, end)
        return "\r" if len(ends) == 1 and 0 not in ends and not self.is_literal else ""

    def has_two_ends(self, start: int, end: int) -> bool:
        """The lines there end in CR LF and in LF, or in more than one CR."""
        return len(self._ends(start, end)) > 1 and not self.is_literal

    def _ends(self, start: int, end: int) -> set[int]:
        """How many CRs they end in; if there are no such lines, those around the place."""
        ended = len(self.raw) - (not self.final_newline)  # the last line has no end at all
        around = slice(max(min(start, ended) - 1, 0), min(start + 1, ended))
        near = self.raw[start : min(end, ended)] or self.raw[around]
        return {len(line) - len(line.rstrip("\r")) for line in near}

    def after(self, splices: Sequence[Splice]) -> "Source":
        """The file once they are made."""
        lines, at = list[str](), 0
        for splice in splices:
            lines += [*self.raw[at : splice.start], *splice.lines]
            at = splice.end
        return source_of_lines([*lines, *self.raw[at:]], self.final_newline)


def source_of(text: str) -> Source:
    raw = text.split("\n")
    final_newline = not raw[-1]  # an empty file ends in one
    if final_newline:
        raw.pop()
    return source_of_lines(raw, final_newline)


def source_of_lines(raw: list[str], final_newline: bool = True) -> Source:
    has_returns = any(line[-1:] == "\r" for line in raw)
    lines = [line.removesuffix("\r") for line in raw] if has_returns else raw
    return Source(raw, lines, final_newline)


def joined(splices: Sequence[Splice]) -> tuple[Splice, ...] | None:
    """In the order of the file; None where one cuts out what another one needs."""
    order = sorted(splices, key=lambda one: (one.start, one.end))
    for above, below in pairwise(order):
        if below.start < above.end or (above.start == below.start and above.end > above.start):
            return None
    return tuple(order)
