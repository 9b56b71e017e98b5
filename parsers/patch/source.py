"""A file's text as lines that hunks are looked for in."""

from typing import NamedTuple


class Source(NamedTuple):
    raw: list[str]  # with a CR at the end where there is one
    lines: list[str]  # without
    final_newline: bool = True
    is_literal: bool = False  # a CR is a part of its lines

    def newline_at(self, at: int) -> str:
        """What stands at the end of a new line there: `\r` or nothing."""
        ended = len(self.raw) - (not self.final_newline)  # the last line has no end at all
        near = self.raw[max(min(at, ended) - 1, 0) : min(at + 1, ended)]
        is_crlf = near and all(line.endswith("\r") for line in near)
        return "\r" if is_crlf and not self.is_literal else ""

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
