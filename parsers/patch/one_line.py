r"""A patch that came on one line, its newlines written as `\n`, or as CR alone.

One level of escapes is undone, in quotes around it or not: `\n`, `\t`, `\"`, `\\`. Where a quote
stands bare only the newlines are, since the other backslashes may be those of the code.
"""

from typing import NamedTuple

from react_agent.parsers.late_pattern import LatePattern

_BEGINS = ("@@", "+++ ", "*** ")
_ESCAPE = LatePattern(r"\\(.)")
_LETTERS = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "'": "'", "\\": "\\", "/": "/"}
_STARTS = ("+", "-", " ", "@@", "\\ ", "*** ", "```", "diff ", "index ", "new ", "old ", "deleted ")
_MOVES = ("rename ", "copy ", "similarity ", "dissimilarity ", "Index: ", "=====")
_ESCAPED = "the patch stands on one line, with \\n for its newlines"


class Spread(NamedTuple):
    text: str
    repair: str = ""
    problem: str = ""


def spread(text: str) -> Spread:
    bare = _unfenced(text.strip())
    if "\n" in bare:
        return Spread(text)
    if any(f"\r{mark}" in bare for mark in _BEGINS):
        return Spread(bare.replace("\r", "\n"), "the lines of the patch ended in CR alone")
    if not any(f"\\n{mark}" in bare for mark in _BEGINS):
        return Spread(text)
    undone = _undone(bare)
    if all(line.startswith((*_STARTS, *_MOVES)) for line in undone.split("\n") if line):
        return Spread(undone, "the patch stood on one line: its \\n were read as newlines")
    return Spread(text, problem=f"{_ESCAPED}: write each of its lines on a line of its own")


def _unfenced(text: str) -> str:
    lines = text.split("\n", 3)
    is_fenced = len(lines) == 3 and lines[0].startswith(("```", "~~~")) and lines[2] == lines[0][:3]
    return lines[1].strip() if is_fenced else text


def _undone(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] == '"':
        text = text[1:-1]
    letters = {"n": "\n"} if '"' in _ESCAPE.sub("", text) else _LETTERS
    parts, at = list[str](), 0
    for found in _ESCAPE.pattern.finditer(text):
        parts += (text[at : found.start()], letters.get(found[1], found[0]))
        at = found.end()
    return "".join((*parts, text[at:]))
