"""Find the source lines that an issue points to, and the files that its paths refer to.

python = 'File "PATH", line N' [", in NAME"] NEWLINE code
other  = PATH "." EXTENSION ":" N            compilers, test runners, most other languages
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from posixpath import basename, normpath

from react_agent.parsers.text.late_pattern import LatePattern

_PYTHON = LatePattern(r'[\s|+]*File "([^"\n]{1,500})", line (\d{1,7})(?:, in (\S{1,100}))?')
_OTHER = LatePattern(
    r"(?<![\w./\\@+:-])((?:[A-Za-z]:|\w{1,9}://)?[\w./\\@+-]{1,300}\.[A-Za-z]\w{0,5}):(\d{1,7})\b"
)
_NAMED = LatePattern(r"\s*at (?:async |new )?([\w.$<>]{1,100}) \(")
_MOST_FRAMES = 2_000
_MOST_FILES = 2_000  # files of one name that are compared


@dataclass(frozen=True, slots=True)
class Frame:
    path: str  # as it was written, with `/`
    line: int
    name: str = ""  # of the function, if the traceback has it
    code: str = ""  # the source line in the traceback


def frames(lines: Iterable[str]) -> tuple[Frame, ...]:
    """Return each frame once, in order, up to a number that no real issue reaches."""
    found = dict[tuple[str, int], Frame]()
    for frame in _frames(lines):
        found.setdefault((frame.path, frame.line), frame)
        if len(found) >= _MOST_FRAMES:
            break
    return tuple(found.values())


def is_frame_of_python(line: str) -> bool:
    return _PYTHON.match(line) is not None


def _frames(lines: Iterable[str]) -> Iterator[Frame]:
    waiting: Frame | None = None  # the frame that waits for its line of code
    for line in lines:
        python = _PYTHON.match(line)
        if waiting:
            yield waiting if python else replace(waiting, code=line.strip(" |"))
        waiting = Frame(_path(python[1]), int(python[2]), python[3] or "") if python else None
        if python or ":" not in line:
            continue
        named = _NAMED.match(line)
        for one in _OTHER.pattern.finditer(line):
            yield Frame(_path(one[1]), int(one[2]), named[1] if named else "")
    if waiting:
        yield waiting


def _path(written: str) -> str:
    plain = written.replace("\\", "/")
    return plain.partition("://")[2] or plain


class PathEnds:
    """The files of a repository by base name, used to match the ends of paths from elsewhere."""

    def __init__(self, files: Iterable[str]) -> None:
        self.files = frozenset(files)
        self._named = dict[str, list[str]]()
        for file in sorted(self.files):
            self._named.setdefault(basename(file), []).append(file)

    def named(self, name: str) -> tuple[str, ...]:
        return tuple(self._named.get(name, ()))

    def of(self, path: str) -> tuple[str, ...]:
        """Return the file with this path, or else the files whose paths end with it or end it."""
        plain = normpath(path)
        if plain in self.files:
            return (plain,)
        ends = ((one, sorted((f"/{one}", f"/{plain}"), key=len)) for one in self.alike(plain)[0])
        return tuple(one for one, (short, long) in ends if long.endswith(short))

    def alike(self, path: str) -> tuple[tuple[str, ...], int]:
        """Return the files with the longest common path ending, and the number of names in it."""
        parts = normpath(path).split("/")[::-1]
        best, most = list[str](), 0
        for candidate in self._named.get(parts[0], [])[:_MOST_FILES]:
            pairs = zip(parts, candidate.split("/")[::-1], strict=False)
            alike = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
            if alike > most:
                best, most = [], alike
            if alike == most:
                best.append(candidate)
        return tuple(best), most
