"""What of an issue is in the repository, and what is not: lines of the first prompt.

The issue and the repository are foreign: each row begins with words of ours, and has an end.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from react_agent.issue_to_pr.issue_files import (
    NamedFile,
    PlaceHere,
    lines_in,
    modules,
    named_files,
    places_here,
)
from react_agent.issue_to_pr.issue_links import linked
from react_agent.issue_to_pr.issue_symbols import Symbol, Symbols, symbols_in
from react_agent.parsers.issue.clues import Clues, Kind, Named, clues_of
from react_agent.parsers.issue.places import Frame, PathEnds
from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools.clip import clip_line
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.files.file_list import file_list, one_line

_TITLE = "What the issue names, looked up in this repository:"
_ROW = 600  # characters
_FILES, _SYMBOLS, _MISSING, _PLACES = 10, 10, 6, 6
_OF_A_SYMBOL = 2  # places


def found_lines(issue: str, root: Path, repository: str = "") -> tuple[str, ...]:
    """None for an issue that names nothing; `repository` is what the person's folder is called."""
    clues = clues_of(issue)
    rows = tuple(_rows(clues, root, repository)) if clues != Clues() else ()
    return (_TITLE, *(clip_line(escape(one_line(row)), _ROW) for row in rows)) if rows else ()


def _rows(clues: Clues, root: Path, repository: str) -> Iterator[str]:
    ends, lines = PathEnds(_listed(root)), lines_in(root)
    symbols = clues.of(Kind.SYMBOL)
    files = [*named_files(clues.of(Kind.PATH), ends), *modules(symbols, ends)]
    known = {one.name for one in files}
    others = [one for one in (*symbols, *clues.of(Kind.OPTION)) if one.text not in known]
    found = _looked_up(root, others)
    here = list(places_here(clues.frames, ends, lines))
    pointed = {(one.path,) for one in here}
    missing = [*map(_missing, (one for one in files if not one.paths)), *found.missing]
    yield from _row(
        "files", [_file(one) for one in files if one.paths and one.paths not in pointed], _FILES
    )
    yield from _row("defined", map(_symbol, found.defined), _SYMBOLS)
    yield from _row("used", map(_symbol, found.used), _MISSING)
    yield from _row("nowhere in it", missing, _MISSING)
    yield from _traced(clues.frames, here)
    yield from linked(clues.links, root, repository, lines)


def _listed(root: Path) -> Sequence[str]:
    try:
        return file_list(root)
    except ReactAgentError:
        return ()


def _looked_up(root: Path, names: Sequence[Named]) -> Symbols:
    """Nothing is said of them where that takes too long."""
    try:
        return symbols_in(root, names)
    except ReactAgentError:
        return Symbols()


def _traced(frames: Sequence[Frame], here: Sequence[PlaceHere]) -> Iterator[str]:
    others = sum(bool(one.name) for one in frames) - sum(bool(one.name) for one in here)
    told = [f"and {counted(others, 'frame')} of other code"] if here and others > 0 else []
    last = list(dict.fromkeys(map(_place, here)))[-_PLACES:]
    yield from _row("lines that it points to", [*last, *told], _PLACES + 1)


def _row(title: str, told: Iterable[str], most: int) -> Iterator[str]:
    every = list(told)
    if every:
        more = [f"and {len(every) - most} more"] if len(every) > most else []
        yield f"- {title}: {', '.join((*every[:most], *more))}"


def _file(one: NamedFile) -> str:
    where = " or ".join(one.paths)
    return where if one.paths == (one.name,) or where == f"{one.name}/" else f"{where} ({one.name})"


def _missing(one: NamedFile) -> str:
    has = "has" if len(one.alike) == 1 else "have"
    return f"{one.name} ({' and '.join(one.alike)} {has} that name)" if one.alike else one.name


def _symbol(one: Symbol) -> str:
    left = len(one.places) - _OF_A_SYMBOL
    more = f" and {counted(left, 'other line')}" if left > 0 else ""
    return f"{one.name} ({', '.join(one.places[:_OF_A_SYMBOL])}{more})"


def _place(one: PlaceHere) -> str:
    within = f" in {one.name}" if one.name else ""
    return f"{one.path}:{one.line}{within}{f' ({one.note})' if one.note else ''}"
