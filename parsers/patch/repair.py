"""Turn a model's text into a patch that applies, either completely or not at all.

read -> name the files -> place the hunks -> write the patch -> verify it by applying it
"""

from collections.abc import Mapping, Sequence

from react_agent.parsers.patch.changes import (
    FileChange,
    Fix,
    Hunk,
    Named,
    Problem,
    Refused,
    Repair,
    Repaired,
    Why,
)
from react_agent.parsers.patch.line_diff import differing
from react_agent.parsers.patch.placing.indentation import is_uneven
from react_agent.parsers.patch.placing.placing import Placement, placed
from react_agent.parsers.patch.reading.files import named
from react_agent.parsers.patch.reading.reader import read_changes
from react_agent.parsers.patch.source import Source, Splice, source_of
from react_agent.parsers.patch.words import problem_in_words, repairs_in_words
from react_agent.parsers.patch.write import written
from react_agent.parsers.text.late_pattern import LatePattern

_NOTHING = "the patch changes nothing"
_THERE = "to undo that change, swap its + and -"
_ODD = "the patch contains a character that can't be stored in a file"
_UNHOLDABLE = LatePattern("[\ud800-\udc7f\udd00-\udfff]")
_FILE = "100644"
_BOM, _SHOWN_BOM = "\ufeff", "<U+FEFF>"
_LEAST_QUOTED = 0.8  # share of a deletion's quoted lines that must be in the file
_LEAST_KEPT = 0.5  # share of a file's lines that a new whole text must have
_SMALL = 10  # lines; a shorter file may be rewritten


_Part = tuple[Named, Source, Placement]


def repair(text: str, files: Mapping[str, str]) -> Repaired | Refused:
    """Repair a patch. `files` maps all paths to their texts. Only the necessary texts are read."""
    reading = read_changes(text, files)
    if reading.problem:
        return Refused((reading.problem,))
    done = mended(reading.changes, files)
    if isinstance(done, Refused):
        return done
    return done._replace(repairs=(*reading.repairs, *done.repairs))


def mended(changes: Sequence[FileChange], files: Mapping[str, str]) -> Repaired | Refused:
    """Repair changes that another reader has already parsed."""
    meant = named(changes, files.keys())
    if isinstance(meant, Refused):
        return meant
    parts, reasons = list[_Part](), list[str]()
    for one in meant:
        source = source_of(files[one.old] if one.old is not None else "")
        found = _placement(one, source)
        if isinstance(found, Problem):
            reasons.append(_in_words(found, one))
        else:
            parts.append((one, source, found))
    if reasons:
        return Refused(tuple(reasons))
    patch, results = written(parts)
    if not patch:
        there = repairs_in_words(
            [one for part in parts for one in part[2].repairs if one.fix is Fix.ALREADY_APPLIED]
        )
        return Refused((f"{_NOTHING}: {'; '.join(there)}; {_THERE}" if there else _NOTHING,))
    uneven = _uneven(parts)
    if uneven or _UNHOLDABLE.search(patch):
        return Refused((uneven or _ODD,))
    return Repaired(patch, results, _repairs(parts))


def rewritten(texts: Mapping[str, str], files: Mapping[str, str]) -> Repaired | Refused:
    """Return the patch that changes the files to these texts."""
    parts = [_rewriting(name, text, files) for name, text in texts.items()]
    patch, results = written(parts)
    if not patch:
        return Refused(("it changes nothing: the file has this text already",))
    return Repaired(patch, results, ())


def _placement(one: Named, source: Source) -> Placement | Problem:
    hunks, whole = one.change.hunks, one.change.whole
    if one.new is None:
        return deleted(hunks, source)
    if whole is None:
        return placed(hunks, source)
    if one.change.old is not None and (problem := _mostly_gone(whole, source)):
        return problem
    return whole_placement(whole, source)


def whole_placement(lines: Sequence[str], source: Source) -> Placement:
    """Replace only the lines that differ. The line ends of the file are kept."""
    if lines and source.lines and source.lines[0][:1] == _BOM != lines[0][:1]:
        lines = [_BOM + lines[0].removeprefix(_SHOWN_BOM), *lines[1:]]
    splices = list[Splice]()
    for start, end, first, last in differing(source.lines, lines):
        newline = source.newline_at(start, end)
        splices.append(Splice(start, end, tuple(line + newline for line in lines[first:last])))
    return Placement(tuple(splices), source.final_newline)


def _mostly_gone(lines: Sequence[str], source: Source) -> Problem | None:
    """Return a problem if only a part of a file was sent instead of the whole file."""
    old = [line.strip() for line in source.lines if line.strip()]
    new = {line.strip() for line in lines if line.strip()}
    kept = sum(line in new for line in old)
    count = sum(bool(line.strip()) for line in lines)
    if len(old) < _SMALL or max(count, kept) >= _LEAST_KEPT * len(old):
        return None
    return Problem(Why.MOSTLY_GONE, numbers=(kept, len(old)))


def deleted(hunks: Sequence[Hunk], source: Source) -> Placement | Problem:
    """Delete the whole file if it contains most of the quoted lines."""
    quoted = [line.text for hunk in hunks for line in hunk.lines]
    added = [line.text for hunk in hunks for line in hunk.lines if line.mark == "+"]
    if added:
        return Problem(Why.DELETION_ADDS, text=added[0].strip())
    known, exact = {line.strip() for line in source.lines}, {*source.lines, *source.raw}
    strange = [text.strip() for text in quoted if text.strip() and text.strip() not in known]
    asked = sum(bool(text.strip()) for text in quoted)
    if asked - len(strange) < _LEAST_QUOTED * asked:
        return Problem(Why.DELETION_MISQUOTES, text=strange[0])
    splices = (Splice(0, len(source.raw), ()),) if source.raw else ()
    misquoted = sum(bool(text.strip()) and text not in exact for text in quoted)
    repairs: tuple[Repair, ...] = ()
    if misquoted:
        repairs = (Repair(Fix.DELETED_MISQUOTED, (misquoted, len(quoted))),)
    elif len(quoted) < len(source.raw):
        repairs = (Repair(Fix.DELETED_WHOLE, (len(quoted), len(source.raw))),)
    return Placement(splices, True, repairs)


def _uneven(parts: Sequence[_Part]) -> str:
    """Return a problem if a hunk repeats a mistake that was corrected in other hunks, or ""."""
    undone = {one.fix: one for _, _, found in parts for one in found.repairs}
    for one, _, found in parts:
        for number, hunk in enumerate(one.change.hunks):
            own = {repair.fix for repair in found.repairs if repair.hunk == number}
            if Fix.ALREADY_APPLIED not in own and any(
                is_uneven(repair, hunk.lines) for fix, repair in undone.items() if fix not in own
            ):
                return _in_words(Problem(Why.UNEVEN, number), one)
    return ""


def _in_words(problem: Problem, one: Named) -> str:
    return problem_in_words(problem, one.new or one.old or "", one.change.hunks)


def _repairs(parts: Sequence[_Part]) -> tuple[str, ...]:
    """Return descriptions of the repairs, with the file's name if there are several files."""
    return tuple(
        text if len(parts) == 1 else f"{one.new or one.old}, {text}"
        for one, _, found in parts
        for text in (*one.repairs, *repairs_in_words(found.repairs))
    )


def _rewriting(name: str, text: str, files: Mapping[str, str]) -> _Part:
    old = name if name in files else None
    before, after = source_of(files[name] if old else ""), source_of(text)
    splices = (
        Splice(start, end, tuple(after.raw[first:last]))
        for start, end, first, last in differing(before.raw, after.raw)
    )
    change = FileChange(0, old, name, new_mode="" if old else _FILE)
    return Named(change, old, name), before, Placement(tuple(splices), after.final_newline)
