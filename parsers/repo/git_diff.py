"""What a diff says, by files: which lines went, which came, and where; names as git writes them.

    diff   = file*
    file   = ["diff --git a/" name " b/" name], header*, hunk*
    header = "new file mode" | "deleted file mode" | "rename from" | "--- " name | "+++ " name | ...
    hunk   = "@@ -" place " +" place " @@", ("+" | "-" | " " | "\\") text, ...
    name   = text | '"' (text | "\\" octal | "\\" letter)* '"'

Written by git or `diff -u`, and not by a model: nothing is repaired. With any number of lines of
context. A binary file is

    part   = ("literal" | "delta") size NEWLINE line+ NEWLINE
    line   = length base85

A delta says in its first bytes how large what it is made from is, and what it makes: seven bits
in each byte, the lowest first, all but the last with the highest bit set.

The diffs of a run's steps are one text, each below the trees of git before and after it; no line of
a diff begins with `#`, as content follows a sign or a space, and names are quoted.

    steps  = ("# step 3 of 06b4fc3e5a1c..9d8fa2e8b0c7" NEWLINE diff)*
"""

import base64
import re
import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from react_agent.parsers.text.late_pattern import LatePattern

_FILE = "diff --git "
_HUNK = LatePattern(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_NOTHING = "/dev/null"
# As leniently as git: what stands behind the number does not matter.
_PART = re.compile(
    rb"^(?P<kind>literal|delta) [ \t+]*(?P<size>[0-9]+)[^\n]*\n(?P<line>[^\n]*)", re.MULTILINE
)
_ESCAPE = LatePattern(r"\\([0-7]{1,3}|.)", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_WRITTEN = {letter: f"\\{name}" for name, letter in _LETTERS.items()} | {'"': '\\"', "\\": "\\\\"}
_ODD = LatePattern(r'[\x00-\x1f"\\\x7f]')
_SHORT = LatePattern(r"git~\d+")  # as Windows shortens `.git`
_STEP = LatePattern(r"^# step ([0-9]{1,9}) of (\S+)\.\.(\S+)\n", re.ASCII | re.MULTILINE)
_DIGITS = 20
_HEAD = 20  # bytes of a delta, which hold both sizes


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Hunk:
    removed: tuple[Line, ...]
    added: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class FileDiff:
    old: str  # its name before; empty: it is new
    new: str  # its name now; empty: it is deleted
    hunks: tuple[Hunk, ...] = ()
    old_mode: str = ""  # as git writes it: 100644; empty: not told
    mode: str = ""
    is_unended: bool = False  # the change has its last line without an end, and nothing had before

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
    return tuple(map(_file, _files(text.split("\n"))))


def _files(lines: Sequence[str]) -> Iterator[list[str]]:
    """Each begins at `diff --git`, or at `---` and `+++` where neither that nor a hunk is open."""
    part = list[str]()
    is_header, old, new = False, 0, 0  # lines that the hunk still has
    for line, after in zip(lines, (*lines[1:], ""), strict=True):
        is_plain = line.startswith("--- ") and after.startswith("+++ ") and not is_header
        if line.startswith(_FILE) or (is_plain and old <= 0 and new <= 0):
            if part:
                yield part
            part, is_header, old, new = [line], line.startswith(_FILE), 0, 0
        elif part:
            part.append(line)
            if place := _HUNK.match(line):
                is_header, old, new = False, int(place[2] or 1), int(place[4] or 1)
            else:
                old -= line[:1] in ("-", " ", "")
                new -= line[:1] in ("+", " ", "")
    if part:
        yield part


def _parts(lines: Iterable[str], begins: str) -> Iterator[list[str]]:
    """From each line that begins so to the next; what stands before the first is left out."""
    part = list[str]()
    for line in lines:
        if line.startswith(begins):
            if part:
                yield part
            part = [line]
        elif part:
            part.append(line)
    if part:
        yield part


def _file(lines: Sequence[str]) -> FileDiff:
    at = next((at for at, line in enumerate(lines) if line.startswith("@@ ")), len(lines))
    old, new = _names(lines[:at])
    hunks = tuple(map(_hunk, _parts(lines[at:], "@@ ")))
    return FileDiff(old, new, hunks, *_modes(lines[:at]), _is_unended(lines[at:]))


def _modes(header: Sequence[str]) -> tuple[str, str]:
    old = new = ""
    for line in header:
        word, _, rest = line.partition(" mode ")
        if line.startswith("index ") and line.count(" ") == 2:
            old = new = line.rpartition(" ")[2]
        old = rest if word in ("old", "deleted file") else old
        new = rest if word in ("new", "new file") else new
    return old, new


def _is_unended(lines: Sequence[str]) -> bool:
    before = {line[:1] for line, mark in pairwise(lines) if mark[:1] == "\\"}
    return before == {"+"}


def _names(header: Sequence[str]) -> tuple[str, str]:
    old = new = _same_name(header[0].removeprefix(_FILE)) if header[0].startswith(_FILE) else ""
    for line in header:
        if line.startswith(("rename from ", "copy from ")):
            old = read_name(line.partition(" from ")[2])
        elif line.startswith(("rename to ", "copy to ")):
            new = read_name(line.partition(" to ")[2])
        elif line.startswith("--- ") and not line.endswith(_NOTHING):
            old = _sided(line)
        elif line.startswith("+++ ") and not line.endswith(_NOTHING):
            new = _sided(line)
    is_new = any(line.startswith("new file mode ") for line in header)
    is_gone = any(line.startswith("deleted file mode ") for line in header)
    return ("" if is_new else old), ("" if is_gone else new)


def _sided(line: str) -> str:
    return read_name(line[4:].partition("\t")[0]).partition("/")[2]


def _same_name(both: str) -> str:
    """Of a file whose name is the same on both sides; of any other, the header says more."""
    return read_name(both[: len(both) // 2])[2:]


def _hunk(lines: Sequence[str]) -> Hunk:
    place = _HUNK.match(lines[0])
    old, new = (int(place[1]), int(place[3])) if place else (0, 0)
    removed, added = list[Line](), list[Line]()
    for line in lines[1:]:
        sign, text = line[:1], line[1:]
        if sign == "-":
            removed.append(Line(old, text))
        elif sign == "+":
            added.append(Line(new, text))
        old += sign in ("-", " ")
        new += sign in ("+", " ")
    return Hunk(tuple(removed), tuple(added))


def binary_bytes(patch: bytes) -> int:
    """Of all its parts together, those that lead back included; as they say themselves."""
    return sum(
        int(part["size"][:_DIGITS]) + (_made(part["line"]) if part["kind"] == b"delta" else 0)
        for part in _PART.finditer(patch)
    )


def _made(line: bytes) -> int:
    """By a delta, of which this is the first line; nothing, if it can't be read: git refuses it."""
    try:
        head = zlib.decompressobj().decompress(base64.b85decode(line[1:].strip()), _HEAD)
    except (ValueError, zlib.error):
        return 0
    return [*_numbers(head), 0, 0][1]


def _numbers(head: bytes) -> Iterator[int]:
    found, shift = 0, 0
    for byte in head:
        found |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            yield found
            found, shift = 0, 0


def read_name(text: str) -> str:
    if len(text) < 2 or not text[0] == text[-1] == '"':
        return text
    raw, rest = bytearray(), text[1:-1]
    while escape := _ESCAPE.search(rest):
        octal = escape[1] if escape[1].isdigit() else ""
        raw += rest[: escape.start()].encode(errors="surrogateescape")
        raw += (
            bytes([int(octal, 8) & 0xFF]) if octal else _LETTERS.get(escape[1], escape[1]).encode()
        )
        rest = rest[escape.end() :]
    return (raw + rest.encode(errors="surrogateescape")).decode(errors="surrogateescape")


def write_name(name: str) -> str:
    if not _ODD.search(name):
        return name
    return '"' + _ODD.sub(lambda odd: _WRITTEN.get(odd[0]) or f"\\{ord(odd[0]):03o}", name) + '"'


def is_gits(part: str) -> bool:
    """As file systems compare it that ignore case, dots at the end, invisible characters."""
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
    """What stands above the first head is nobody's."""
    found = list(_STEP.pattern.finditer(text))
    starts = [*(head.start() for head in found), len(text)]
    for head, end in zip(found, starts[1:], strict=True):
        yield StepDiff(int(head[1]), head[2], head[3], text[head.end() : end])
