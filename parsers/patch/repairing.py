"""From what a model wrote to a patch that applies: all of it or nothing.

read -> name the files -> place the hunks -> write the patch -> prove it by applying it
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from react_agent.parsers.patch.canonical import canonical
from react_agent.parsers.patch.carried import disagreeing
from react_agent.parsers.patch.changes import (
    FileChange,
    Hunk,
    Named,
    Placement,
    Refusal,
    Result,
    Role,
)
from react_agent.parsers.patch.placing import ALREADY, placed
from react_agent.parsers.patch.proof import applied
from react_agent.parsers.patch.reading.files import named
from react_agent.parsers.patch.reading.reader import read_changes
from react_agent.parsers.patch.repeating import repeating
from react_agent.parsers.patch.source import Source, source_of, source_of_lines
from react_agent.parsers.patch.whole import deleted, most_is_gone, whole_placement

_NOTHING = "the patch changes nothing"
_THERE = "if that is to go, swap its + and -"
_ODD = "the patch holds a character that no file can hold"


class Repaired(NamedTuple):
    patch: str  # as git writes it
    results: tuple[Result, ...]
    repairs: tuple[str, ...]  # in words; empty for a patch that had nothing to mend
    roles: tuple[Role, ...] = ()  # what each line of the text was taken for


class Refused(NamedTuple):
    reasons: tuple[str, ...]
    roles: tuple[Role, ...] = ()
    of_parts: bool = False  # of lines: one of them stands in several places


def repair(text: str, files: Mapping[str, str], has_ended: bool = False) -> Repaired | Refused:
    """`files` has the text of each path, and lists them; only what is needed is asked for.

    `has_ended`: the model is known to have ended the text by itself.
    """
    reading = read_changes(text, files, has_ended)
    if reading.problem:
        return Refused((reading.problem,), reading.roles)
    done = mended(reading.changes, files)
    if isinstance(done, Refused):
        return done._replace(roles=reading.roles)
    return done._replace(repairs=(*reading.repairs, *done.repairs), roles=reading.roles)


def mended(changes: Sequence[FileChange], files: Mapping[str, str]) -> Repaired | Refused:
    """The same for changes that were read elsewhere."""
    meant = named(changes, files.keys())
    if isinstance(meant, Refusal):
        return Refused((meant.reason,))
    parts, reasons = list[tuple[Named, Source, Placement]](), list[str]()
    for one in meant:
        source = source_of(files[one.old] if one.old is not None else "")
        found = _placement(one, source)
        if isinstance(found, Refusal):
            reasons.append(found.reason)
        else:
            parts.append((one, source, found))
    if reasons:
        return Refused(tuple(reasons))
    patch = canonical(parts)
    repairs = _said(parts)
    if not patch:
        there = _are_there(repairs)
        return Refused((f"{_NOTHING}: {'; '.join(there)}; {_THERE}" if there else _NOTHING,))
    against = _against(parts, repairs) or ("" if _can_be_held(patch) else _ODD)
    if against:
        return Refused((against,))
    texts = applied(patch, files)
    return Repaired(patch, tuple(_results(parts, texts)), repairs)


def _against(parts: Sequence[tuple[Named, Source, Placement]], repairs: Sequence[str]) -> str:
    """What all hunks together say against one of them."""
    again = repeating(parts) if _are_there(repairs) else None
    if again:
        return again.reason
    unlike = disagreeing([(one.change.hunks, found) for one, _, found in parts])
    return _unlike(parts[unlike[0]][0], unlike[1]) if unlike else ""


def _are_there(repairs: Sequence[str]) -> list[str]:
    return [said for said in repairs if said.endswith(ALREADY)]


def _unlike(one: Named, number: int) -> str:
    return (
        f"hunk {number + 1} of {one.new or one.old} (line {one.change.hunks[number].at} of the "
        "patch) has in its new lines what had to be mended in other hunks: write all of them as "
        "the files are to have them"
    )


def _said(parts: Sequence[tuple[Named, Source, Placement]]) -> tuple[str, ...]:
    """With the file's name, where there is more than one."""
    return tuple(
        said if len(parts) == 1 or said.startswith(name) else f"{name}, {said}"
        for one, _, found in parts
        for name in (one.new or one.old or "",)
        for said in (*one.repairs, *found.repairs)
    )


def _can_be_held(patch: str) -> bool:
    try:
        patch.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def _placement(one: Named, source: Source) -> Placement | Refusal:
    hunks, whole, name = one.change.hunks, one.change.whole, one.new or one.old or ""
    if one.new is None:
        return deleted(hunks, source, name)
    if whole is not None:
        is_part = one.change.old is not None and most_is_gone(whole, source, name)
        return is_part or _rewritten(whole, hunks, source, name)
    return placed(hunks, source, name)


def _rewritten(
    whole: Sequence[str], hunks: Sequence[Hunk], source: Source, name: str
) -> Placement | Refusal:
    """Hunks beside a whole text are changes of that text."""
    if not hunks:
        return whole_placement(whole, source)
    found = placed(hunks, source_of_lines([*whole]), name)
    if isinstance(found, Refusal):
        return found
    lines, at = list[str](), 0
    for splice in found.splices:
        lines += [*whole[at : splice.start], *splice.lines]
        at = splice.end
    return whole_placement([*lines, *whole[at:]], source)._replace(repairs=found.repairs)


def _results(
    parts: Sequence[tuple[Named, Source, Placement]], texts: Mapping[str, str | None]
) -> list[Result]:
    return [
        Result(one.old, one.new, texts[one.new] if one.new else None, one.change.new_mode)
        for one, _, _ in parts
        if (one.new or one.old) in texts
    ]
