r"""Tracebacks as Python prints them.

traceback = frame+ error
frame     = '  File "PATH", line N, in NAME' NEWLINE ["    " code] marks*
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from react_agent.parsers.testing.report import dedented, is_ours

_FRAME = re.compile(r'\s*File "(?P<path>[^"]+)", line (?P<line>\d+)(?:, in (?P<name>.+)| in .+)?')
_MARKS = re.compile(r"\s*[\^~]+\s*")
_SHOWN = 3  # frames
_CHAINED = ("During handling of the above", "The above exception was the direct cause")


@dataclass(frozen=True, slots=True)
class Traceback:
    place: str  # of the last frame in the repository
    lines: tuple[str, ...]  # its last frames there, and the error


def read_traceback(lines: Sequence[str]) -> Traceback:
    """Frames of the repository and what stands behind the last frame."""
    frames, rest = list[tuple[str, str]](), list[str]()
    for line in lines:
        found = _FRAME.fullmatch(line)
        if found:
            frames.append((f"{found['path']}:{found['line']}", ""))
            rest = []
        elif frames and not rest and not frames[-1][1] and line.startswith("    "):
            frames[-1] = (frames[-1][0], line.strip())
        elif not _is_between(line):
            rest.append(line)
    ours = [(place, code) for place, code in frames if is_ours(place)]
    shown = [f"{place}: {code}".rstrip(": ") for place, code in ours[-_SHOWN:]]
    return Traceback(ours[-1][0] if ours else "", (*shown, *dedented(rest)))


def _is_between(line: str) -> bool:
    return (
        _MARKS.fullmatch(line) is not None
        or line.startswith(("Traceback (most recent", *_CHAINED))
        or line.lstrip().startswith("[Previous line repeated")
    )
