"""Whether an edit may stay: one that makes a file that parsed stop parsing may not."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from posixpath import dirname

from react_agent.tools.context import Context
from react_agent.tools.edits.both_regions import compared
from react_agent.tools.edits.edit import Change, Edit, FileState, state_of
from react_agent.tools.edits.edit_report import lines_of
from react_agent.tools.edits.syntax import Flaw, check_of, flaw_of
from react_agent.tools.files.file_list import by_glob, file_list
from react_agent.tools.files.paths import Place

_NOTHING = "nothing was changed"
_PYTHON = (".py", ".pyi")
_MOST_OTHERS = 50  # files looked at, to see whether this Python can read the repository's
_OF_EVERY_PYTHON = re.compile(
    r"'.' was never closed|unmatched '|unexpected indent|unindent does not match"
    r"|expected an indented block|unterminated "
)
_BROKEN_ON_PURPOSE = frozenset({"data", "fixtures", "fixture", "testdata", "test_data", "samples"})


@dataclass(frozen=True, slots=True)
class Verdict:
    notes: tuple[str, ...] = ()  # what was checked, and how it came out
    refusal: str = ""  # empty: the edit may stay


def judged(edit: Edit, context: Context) -> Verdict:
    good, notes = list[Change](), list[str]()
    for change in edit.changes:
        old = edit.before[change.old] if change.old else None
        new = edit.after[change.new] if change.new else None
        check = check_of(change.name, new.data) if new else None
        if check is None or new is None or new == old:
            continue
        flaw = flaw_of(check, new.data)
        if flaw is None:
            good.append(change)
        elif excuse := _excuse(change, old, flaw, context):
            notes.append(f"{change.name} does not parse, {flaw}; it was kept, {excuse}")
        else:
            return Verdict(refusal="\n".join(_refusal(change, lines_of(old), new, flaw, context)))
    return Verdict((*_parse(good), *notes))


def _parse(good: Sequence[Change]) -> Iterator[str]:
    if good:
        still = "still " if all(change.old for change in good) else ""
        names = ", ".join(change.name for change in good)
        yield f"{names} {still}{'parses' if len(good) == 1 else 'parse'}"


def _excuse(change: Change, old: FileState | None, flaw: Flaw, context: Context) -> str:
    """Why a file that does not parse may stay, if it may."""
    check = check_of(change.old, old.data) if change.old and old else None
    if check and old and flaw_of(check, old.data):
        return "as it did not before"
    if check is None and not change.name.endswith(_PYTHON):
        return "as it is new"
    if check is None and not _BROKEN_ON_PURPOSE.isdisjoint(PurePosixPath(change.name).parts):
        return "as files of test data may be broken on purpose"
    other = _other_with(flaw, change, context) if change.name.endswith(_PYTHON) else ""
    return f"as {other} does not either" if other else ""


def _other_with(flaw: Flaw, change: Change, context: Context) -> str:
    """One that has the very same flaw: they may be for another Python than ours. Files of the same
    folder are looked at first."""
    if _OF_EVERY_PYTHON.match(flaw.reason):
        return ""
    known = [name for name in file_list(context.root, by_glob("*.py")) if name != change.name]
    near = sorted(known, key=lambda name: dirname(name) != dirname(change.name))
    for name in near[:_MOST_OTHERS]:
        state = state_of(Place(context.root, name))
        check = check_of(name, state.data) if isinstance(state, FileState) else None
        on_purpose = not _BROKEN_ON_PURPOSE.isdisjoint(PurePosixPath(name).parts)
        if check is None or on_purpose or not isinstance(state, FileState):
            continue
        found = flaw_of(check, state.data)
        if found and found.reason == flaw.reason:
            return name
    return ""


def _refusal(
    change: Change, old: Sequence[str], new: FileState, flaw: Flaw, context: Context
) -> Iterator[str]:
    would = "would no longer" if change.old else "would not"
    yield f"{change.name} {would} parse, {flaw}; {_NOTHING}"
    yield from compared(change.name, (old, lines_of(new)), flaw.line, context.limits)
