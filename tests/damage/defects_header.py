"""Headers of hunks written wrong."""

import re
from random import Random

from draft import Draft, File, Hunk
from row import Defect, Told

_DEF = re.compile(r"\s*((?:class|def|async def) \w+)")


def _some(draft: Draft, rng: Random) -> list[tuple[File, Hunk]]:
    hunks = draft.plain_hunks()
    return rng.sample(hunks, rng.randint(1, len(hunks))) if hunks else []


def _wrong_counts(least: int, most: int):
    def damage(draft: Draft, rng: Random) -> Told:
        hunks = [hunk for file in draft.files for hunk in file.hunks if file.old and file.new]
        if not hunks:
            return Told.UNFIT
        for hunk in rng.sample(hunks, rng.randint(1, len(hunks))):
            by = rng.choice((-1, 1)) * rng.randint(least, most)
            hunk.counts_off = rng.choice(((by, by), (0, by), (by, 0), (by, -by)))
        return Told.YES

    return damage


def _wrong_start(least: int, most: int):
    def damage(draft: Draft, rng: Random) -> Told:
        some = _some(draft, rng)
        for file, hunk in some:
            off = rng.randint(least, most) * rng.choice((-1, 1))
            hunk.off = off if hunk.start + off >= 0 else abs(off)
            later = file.hunks[file.hunks.index(hunk) + 1 :]
            if rng.random() < 0.4:  # a wrong count goes on
                for other in later:
                    other.off = hunk.off
        return Told.YES if some else Told.UNFIT

    return damage


def _all_headers(text: str):
    def damage(draft: Draft, rng: Random) -> Told:
        hunks = draft.plain_hunks()
        for _, hunk in hunks:
            hunk.header = text
        return Told.YES if hunks else Told.UNFIT

    return damage


def _named(form: str):
    def damage(draft: Draft, rng: Random) -> Told:
        changed = False
        for file, hunk in draft.plain_hunks():
            name = _section(file, hunk.start)
            hunk.header = form.format(name) if name else "@@"
            changed = changed or bool(name)
        return Told.YES if changed else Told.UNFIT

    return damage


def _section(file: File, start: int) -> str:
    for line in reversed(file.source[: start + 1]):
        if (found := _DEF.match(line)) and "@@" not in line:
            return found[1] if not line.rstrip().endswith(":") else line.strip()
    return ""


def _no_header(draft: Draft, rng: Random) -> Told:
    """Of the first hunk: the next would be one with it."""
    for file in draft.files:
        if file.old and file.new and file.hunks:
            file.hunks[0].header = ""
    return Told.YES if draft.plain_hunks() else Told.UNFIT


def _out_of_order(draft: Draft, rng: Random) -> Told:
    files = [file for file in draft.files if len(file.hunks) > 1]
    for file in files:
        file.hunks.reverse()
    return Told.YES if files else Told.UNFIT


def _section_behind(draft: Draft, rng: Random) -> Told:
    """Numbers, and behind them the name of another function than git would write."""
    named = [(hunk, _section(file, hunk.start)) for file, hunk in draft.plain_hunks()]
    for hunk, name in named:
        hunk.header = f"{hunk.written_header()} {name}".rstrip()
    return Told.YES if any(name for _, name in named) else Told.UNFIT


HEADERS = (
    Defect("wrong start, by 1-3", _wrong_start(1, 3), 304, group="start"),
    Defect("wrong start, by 4-50", _wrong_start(4, 50), 382, group="start"),
    Defect("wrong start, by more", _wrong_start(51, 900), 125, group="start"),
    Defect("hunks out of order", _out_of_order, 10),
    Defect("wrong counts, by 1-2", _wrong_counts(1, 2), 874, group="counts"),
    Defect("wrong counts, by 3 or more", _wrong_counts(3, 12), 449, group="counts"),
    Defect("`@@ ... @@`", _all_headers("@@ ... @@"), 1, group="header"),
    Defect("bare `@@`", _all_headers("@@"), 2, group="header"),
    Defect("`@@ @@`", _all_headers("@@ @@"), group="header"),
    Defect("`@@ -,+ @@`", _all_headers("@@ -,+ @@"), group="header"),
    Defect("`@@ def name @@`", _named("@@ {} @@"), group="header"),
    Defect("`@@ def name`", _named("@@ {}"), group="header"),
    Defect("a section behind the numbers", _section_behind, group="header"),
    Defect("no header at all", _no_header, group="header"),
)
