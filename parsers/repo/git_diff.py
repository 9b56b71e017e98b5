r"""Read a diff file by file: the removed and added lines, their places, and git's quoted names.

    diff   = file*
    file   = ["diff --git a/" name " b/" name], header*, hunk*
    header = "new file mode" | "deleted file mode" | "rename from" | "--- " name | "+++ " name | ...
    hunk   = "@@ -" place " +" place " @@", ("+" | "-" | " " | "\") text, ...
    name   = text | '"' (text | "\" octal | "\" letter)* '"'

The diff is written by git or `diff -u`, not by a model, so nothing is repaired. It may have any
number of context lines. A binary file is written as:

    part   = ("literal" | "delta") size NEWLINE line+ NEWLINE
    line   = length base85

A delta begins with the size of its source and the size of its result. Each byte of a size has seven
bits, the lowest first, and the highest bit is set in all bytes but the last.

The diffs of a run's steps are stored in one text. Above each diff, a line names the git trees
before and after the step. No line of a diff begins with `#`, since content follows a sign or a
space, and names are quoted.

    steps  = ("# step 3 of 06b4fc3e5a1c..9d8fa2e8b0c7" NEWLINE diff)*
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, starmap

from react_agent.parsers.text.late_pattern import LatePattern

_FILE = "diff --git "
_HUNK = LatePattern(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
# As lenient as git: the text after the number does not matter.
_PART = re.compile(
    rb"^(?P<kind>literal|delta) [ \t+]*(?P<size>[0-9]+)[^\n]*\n(?P<line>[^\n]*)", re.MULTILINE
)
_ESCAPES = LatePattern(r"((?:\\[0-7]{1,3})+)|\\(.)", re.DOTALL)  # of several bytes, or one letter
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_WRITTEN = {letter: f"\\{name}" for name, letter in _LETTERS.items()} | {'"': '\\"', "\\": "\\\\"}
_ODD = LatePattern(r'[\x00-\x1f"\\\x7f]')
_SHORT = LatePattern(r"git~\d+")  # the short name of `.git` on Windows
_STEP = LatePattern(r"^# step ([0-9]{1,9}) of (\S+)\.\.(\S+)\n", re.ASCII | re.MULTILINE)
_DIGITS = 20
_HEAD = 20  # first bytes of a delta, which contain both sizes


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Hunk:
    removed: list[Line]
    added: list[Line]


@dataclass(frozen=True, slots=True)
class FileDiff:
    old: str  # the name before the change; empty for a new file
    new: str  # the name after the change; empty for a deleted file
    hunks: tuple[Hunk, ...] = ()
    old_mode: str = ""  # as git writes it: 100644; empty if the diff has none
    mode: str = ""

    @property
    def path(self) -> str:
        return self.new or self.old

    @property
    def added(self) -> Iterator[Line]:
        return chain.from_iterable(hunk.added for hunk in self.hunks)

    @property
    def removed(self) -> Iterator[Line]:
        return chain.from_iterable(hunk.removed for hunk in self.hunks)


def read_git_diff(text: str) -> tuple[FileDiff, ...]:
    return tuple(starmap(_file, _files(text.split("\n"))))


def _files(lines: Sequence[str]) -> list[tuple[list[str], list[Hunk]]]:
    """Return the header and the hunks of each file.

    A file begins at `diff --git`, or at `---`/`+++` outside header and hunk.
    """
    place, left = [0, 0], [0, 0]  # old and new: line number, and lines left
    header, hunks = list[str](), list[Hunk]()  # of the last file
    files = list[tuple[list[str], list[Hunk]]]()
    for line, after in zip(lines, (*lines[1:], ""), strict=True):
        sign = line[:1]
        is_plain = line.startswith("--- ") and after.startswith("+++ ")
        is_open = max(left) > 0 or (header and not hunks and header[0].startswith(_FILE))
        if line.startswith(_FILE) or (is_plain and not is_open):
            header, hunks = [line], []
            files.append((header, hunks))
            left = [0, 0]
        elif header and (found := _HUNK.match(line)):
            hunks.append(Hunk([], []))
            place = [int(found[1]), int(found[3])]
            left = [int(found[2] or 1), int(found[4] or 1)]
        elif header and not hunks:
            header.append(line)
        elif header:
            sides = hunks[-1].removed, hunks[-1].added
            for side, signs in enumerate(("-", "+")):
                if sign == signs:
                    sides[side].append(Line(place[side], line[1:]))
                place[side] += sign in (signs, " ")
                left[side] -= sign in (signs, " ", "")
    return files


def _file(header: Sequence[str], hunks: Sequence[Hunk]) -> FileDiff:
    both, old_mode, mode = header[0].removeprefix(_FILE), "", ""
    # The name is the same on both sides, unless the header has more lines about it.
    is_gits_own = header[0].startswith(_FILE)
    old = new = read_name(both[: len(both) // 2])[2:] if is_gits_own else ""
    for line in header:
        word, _, rest = line.partition(" mode ")
        if line.startswith("index ") and line.count(" ") == 2:
            old_mode = mode = line.rpartition(" ")[2]
        elif word in ("old", "deleted file"):
            old_mode = rest
        elif word in ("new", "new file"):
            mode = rest
        elif line.startswith(("rename from ", "copy from ")):
            old = read_name(line.partition(" from ")[2])
        elif line.startswith(("rename to ", "copy to ")):
            new = read_name(line.partition(" to ")[2])
        elif line.startswith(("--- ", "+++ ")) and not line.endswith("/dev/null"):
            name = read_name(line[4:].partition("\t")[0]).partition("/")[2]
            old, new = (name, new) if line[0] == "-" else (old, name)
    old = "" if any(line.startswith("new file mode ") for line in header) else old
    new = "" if any(line.startswith("deleted file mode ") for line in header) else new
    return FileDiff(old, new, tuple(hunks), old_mode, mode)


def binary_bytes(patch: bytes) -> int:
    """Return the total size that all binary parts declare, including the reverse parts."""
    return sum(
        int(part["size"][:_DIGITS]) + (_made(part["line"]) if part["kind"] == b"delta" else 0)
        for part in _PART.finditer(patch)
    )


def _made(line: bytes) -> int:
    """Return a delta's result size from its first line, or 0 if the line is unreadable."""
    import base64
    import zlib

    try:
        head = zlib.decompressobj().decompress(base64.b85decode(line[1:].strip()), _HEAD)
    except (ValueError, zlib.error):
        return 0
    sizes, shift = [0], 0
    for byte in head:
        sizes[-1] |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            sizes.append(0)
            shift = 0
    return sizes[1] if len(sizes) > 2 else 0


def read_name(text: str) -> str:
    if len(text) < 2 or not text[0] == text[-1] == '"':
        return text
    return _ESCAPES.sub(_unescaped, text[1:-1])


def _unescaped(found: re.Match[str]) -> str:
    if found[2]:
        return _LETTERS.get(found[2], found[2])
    octals = found[1].split("\\")[1:]
    return bytes(int(octal, 8) & 0xFF for octal in octals).decode(errors="surrogateescape")


def write_name(name: str) -> str:
    if not _ODD.search(name):
        return name
    return '"' + _ODD.sub(lambda odd: _WRITTEN.get(odd[0]) or f"\\{ord(odd[0]):03o}", name) + '"'


def is_gits(part: str) -> bool:
    """Return whether a lenient file system might treat the name as `.git`."""
    if part.isascii() and not part.casefold().startswith((".git", "git~")):
        return False
    visible = "".join(letter for letter in part if unicodedata.category(letter) != "Cf")
    plain = visible.split(":")[0].rstrip(" .").casefold()
    return plain == ".git" or bool(_SHORT.fullmatch(plain))


@dataclass(frozen=True, slots=True)
class StepDiff:
    step: int
    before: str
    after: str
    text: str  # whole lines


def write_step_diffs(diffs: Iterable[StepDiff]) -> str:
    return "".join(f"# step {one.step} of {one.before}..{one.after}\n{one.text}" for one in diffs)


def read_step_diffs(text: str) -> Iterator[StepDiff]:
    """Yield the diffs of the steps, and skip any text above the first header line."""
    found = list(_STEP.pattern.finditer(text))
    starts = [*(head.start() for head in found), len(text)]
    for head, end in zip(found, starts[1:], strict=True):
        yield StepDiff(int(head[1]), head[2], head[3], text[head.end() : end])
