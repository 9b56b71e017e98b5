r"""Lines of source that an issue points to: by a traceback of any language, or in words.

python = 'File "PATH", line N' [", in NAME"] NEWLINE code
jvm    = "at PACKAGE.CLASS.NAME(FILE:N)"
other  = PATH "." EXTENSION ":" N            compilers, test runners, most other languages
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from react_agent.parsers.text.late_pattern import LatePattern

_PYTHON = LatePattern(r'[\s|+]*File "([^"\n]{1,500})", line (\d{1,7})(?:, in (\S{1,100}))?')
_JVM = LatePattern(
    r"\s*at (?:[\w.@-]{1,200}/)?([\w.$]{1,300})\((\w{1,100}\.(?:java|kt|scala|groovy)):(\d{1,7})\)"
)
_OTHER = LatePattern(
    r"(?<![\w./\\@+:-])((?:[A-Za-z]:|\w{1,9}://)?[\w./\\@+-]{1,300}\.[A-Za-z]\w{0,5}):(\d{1,7})\b"
)
_NAMED = LatePattern(r"\s*at (?:async |new )?([\w.$<>]{1,100}) \(")
_MOST = 2_000


@dataclass(frozen=True, slots=True)
class Frame:
    path: str  # as it was written, with `/`
    line: int
    name: str = ""  # of the function
    code: str = ""  # as it was then

    @property
    def is_traced(self) -> bool:
        """By a program, which names a function."""
        return bool(self.name)


def frames(lines: Iterable[str]) -> tuple[Frame, ...]:
    """Each once, in order; so many of them that no issue has more."""
    found = dict[tuple[str, int], Frame]()
    for frame in _read(lines):
        found.setdefault((frame.path, frame.line), frame)
        if len(found) >= _MOST:
            break
    return tuple(found.values())


def is_of_python(line: str) -> bool:
    return _PYTHON.match(line) is not None


def _read(lines: Iterable[str]) -> Iterator[Frame]:
    waiting: Frame | None = None  # for its code
    for line in lines:
        python = _PYTHON.match(line)
        if waiting:
            yield waiting if python else replace(waiting, code=line.strip(" |"))
        waiting = Frame(_path(python[1]), int(python[2]), python[3] or "") if python else None
        if not python:
            yield from _others(line)
    if waiting:
        yield waiting


def _others(line: str) -> Iterator[Frame]:
    if ":" not in line:
        return
    if found := _JVM.match(line):
        yield _of_jvm(found)
        return
    named = _NAMED.match(line)
    for one in _OTHER.pattern.finditer(line):
        yield Frame(_path(one[1]), int(one[2]), named[1] if named else "")


def _of_jvm(found: re.Match[str]) -> Frame:
    parts = found[1].split(".")
    return Frame("/".join((*parts[:-2], found[2])), int(found[3]), parts[-1])


def _path(written: str) -> str:
    return written.replace("\\", "/").partition("://")[2] or written.replace("\\", "/")
