"""Random edits such as people make, and the diffs that say them to the letter."""

import re
from random import Random
from typing import NamedTuple

from draft import NO_NEWLINE, Draft, File, Hunk, Line
from made_files import NAMES, VERBS, library_file, made_file, statement

CONTEXT = 3
_WORD = re.compile(r"[^\W\d]\w*|\d+")


class Splice(NamedTuple):
    """Lines `start` to `end`, not included, become `lines`."""

    start: int
    end: int
    lines: tuple[str, ...]


def true_draft(rng: Random, of_library: float = 0.3) -> Draft:
    """A tree of files, some of which are changed."""
    names = _paths(rng)
    before = {
        name: library_file(rng) if rng.random() < of_library else made_file(rng) for name in names
    }
    after = dict(before)
    count = rng.choice((1, 1, 1, 1, 2, 2, 3))
    files = [_edited(rng, name, before, after) for name in rng.sample(names, count)]
    if rng.random() < 0.1:
        files.append(_created(rng, before, after))
    files.sort(key=lambda file: file.new or file.old or "")
    return Draft(files, before, after)


def _paths(rng: Random) -> list[str]:
    folders = ("src", "src/core", "lib/io", "tests", "")
    paths = {f"{rng.choice(folders)}/{rng.choice(VERBS)}_{n}.py".lstrip("/") for n in range(5)}
    if rng.random() < 0.3:
        paths |= {"src/__init__.py", "lib/io/__init__.py"}
    return sorted(paths)


def _created(rng: Random, before: dict[str, str], after: dict[str, str]) -> File:
    name = f"src/new_{rng.choice(NAMES[:5])}.py"
    lines = [statement(rng) for _ in range(rng.randint(2, 12))] + ["pass"]
    after[name] = "".join(f"{line}\n" for line in lines)
    hunk = Hunk(0, 0, [Line("+", line) for line in lines])
    return File(None, name, [], [hunk])


def _edited(rng: Random, name: str, before: dict[str, str], after: dict[str, str]) -> File:
    raw, newline = _parted(before[name])
    kind = rng.random()
    if kind < 0.02:
        del after[name]
        splices, new, ends = [Splice(0, len(raw), ())], None, (newline, True)
    else:
        ends = (newline, newline ^ (rng.random() < 0.02))
        splices = _splices(rng, raw, ends)
        if not ends[1] and not "".join(_spliced(raw, splices)[-1:]).rstrip("\r"):
            ends = (newline, True)  # an empty line without a newline is none
            splices = [Splice(len(raw) - 1, len(raw), (f"# {rng.choice(NAMES)}{_end(raw[-1])}",))]
        new = name.replace(".py", "_moved.py") if kind < 0.05 else name
        del after[name]
        after[new] = _joined(_spliced(raw, splices), ends[1])
    lines = [line.removesuffix("\r") for line in raw]
    file = File(name, new, lines, list(_hunks(raw, splices, ends)), ends)
    crs = sum(line.endswith("\r") for line in raw)
    file.is_crlf, file.is_mixed = crs == len(raw) > 0, 0 < crs < len(raw) - (not newline)
    return file


def _end(raw: str) -> str:
    return "\r" if raw.endswith("\r") else ""


def _parted(text: str) -> tuple[list[str], bool]:
    lines = text.split("\n")
    return (lines[:-1], True) if not lines[-1] else (lines, False)


def _joined(lines: list[str], newline: bool) -> str:
    return "\n".join(lines) + ("\n" if newline and lines else "")


def _spliced(lines: list[str], splices: list[Splice]) -> list[str]:
    lines = list(lines)
    for splice in reversed(splices):
        lines[splice.start : splice.end] = splice.lines
    return lines


def _splices(rng: Random, raw: list[str], ends: tuple[bool, bool]) -> list[Splice]:
    found: list[Splice] = []
    at = rng.randrange(len(raw))
    for _ in range(rng.choice((1, 1, 2, 2, 3, 4))):
        splice = _trimmed(raw, _random_splice(rng, raw, at))
        free = all(splice.end < one.start or one.end < splice.start for one in found)
        if free and (splice.start < splice.end or splice.lines):
            found.append(splice)
        near = rng.random() < 0.3
        at = min(at + rng.randint(3, 12), len(raw) - 1) if near else rng.randrange(len(raw))
    found = found or [Splice(0, 0, ("# " + rng.choice(NAMES),))]
    return _to_the_end(raw, sorted(found), ends)


def _random_splice(rng: Random, raw: list[str], at: int) -> Splice:
    line = raw[at].removesuffix("\r")
    end = _end(raw[at])
    below = min(at + rng.randint(1, 4), len(raw))
    kind = rng.random()
    if kind < 0.45:
        return Splice(at, at + 1, (changed(rng, line) + end,))
    if kind < 0.65:
        return Splice(at + 1, at + 1, (changed(rng, line) + end,))
    if kind < 0.8:
        return Splice(at, below, ())
    indent = line[: len(line) - len(line.lstrip())]
    new = [indent + statement(rng) for _ in range(rng.randint(1, 6))]
    new = [one if one.strip() else "" for one in new]
    if kind < 0.9:
        return Splice(at, below, tuple(one + end for one in new))
    head = f"{indent}def {rng.choice(VERBS)}_new():"
    return Splice(at, at, tuple(one + end for one in (head, *new, "")))


def changed(rng: Random, line: str) -> str:
    words = list(_WORD.finditer(line))
    if not words:
        return f"{line}# {rng.choice(NAMES)}"
    word = rng.choice(words)
    other = rng.choice([name for name in (*NAMES, *VERBS, f"{word[0]}_2") if name != word[0]])
    other = str(rng.randint(100, 999)) if word[0].isdigit() else other
    return line[: word.start()] + other + line[word.end() :]


def _trimmed(raw: list[str], splice: Splice) -> Splice:
    start, end, new = splice.start, splice.end, list(splice.lines)
    while new and start < end and new[0] == raw[start]:
        start, new = start + 1, new[1:]
    while new and start < end and new[-1] == raw[end - 1]:
        end, new = end - 1, new[:-1]
    return Splice(start, end, tuple(new))


def _to_the_end(raw: list[str], splices: list[Splice], ends: tuple[bool, bool]) -> list[Splice]:
    """Where a last line has no newline, the lines around it are changed, too."""
    if ends == (True, True):
        return splices
    last = splices[-1]
    if last.end < len(raw):
        if ends[0] == ends[1]:
            return splices
        last = Splice(len(raw) - 1, len(raw), (raw[-1],))
        return [*(one for one in splices if one.end < last.start), last]
    if last.lines and last.start < len(raw):
        return splices
    start = max(min(last.start, len(raw)) - 1, 0)
    return [
        *(one for one in splices[:-1] if one.end < start),
        Splice(start, len(raw), (*raw[start : last.start], *last.lines) or ("#",)),
    ]


def _hunks(raw: list[str], splices: list[Splice], ends: tuple[bool, bool]) -> list[Hunk]:
    groups: list[list[Splice]] = []
    for splice in splices:
        if groups and splice.start - groups[-1][-1].end <= 2 * CONTEXT:
            groups[-1].append(splice)
        else:
            groups.append([splice])
    hunks, moved = [], 0
    for group in groups:
        hunks.append(_hunk(raw, group, ends, moved))
        moved += sum(len(one.lines) - (one.end - one.start) for one in group)
    return hunks


def _hunk(raw: list[str], group: list[Splice], ends: tuple[bool, bool], moved: int) -> Hunk:
    start, stop = max(group[0].start - CONTEXT, 0), min(group[-1].end + CONTEXT, len(raw))
    lines: list[Line] = []
    at = start
    for splice in group:
        lines += (_line(" ", raw[n], n) for n in range(at, splice.start))
        lines += (_line("-", raw[n], n) for n in range(splice.start, splice.end))
        at_end = splice.end == len(raw)
        if at_end and splice.start < splice.end and not ends[0]:
            lines.append(Line("\\", NO_NEWLINE))
        lines += (_line("+", text) for text in splice.lines)
        if at_end and splice.lines and not ends[1]:
            lines.append(Line("\\", NO_NEWLINE))
        at = splice.end
    lines += (_line(" ", raw[n], n) for n in range(at, stop))
    if at < stop == len(raw) and not ends[0]:
        lines.append(Line("\\", NO_NEWLINE))
    return Hunk(start, moved, lines)


def _line(mark: str, raw: str, at: int | None = None) -> Line:
    text = raw.removesuffix("\r")
    return Line(mark, text, at, raw[len(text) :])
