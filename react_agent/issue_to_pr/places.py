"""Find the files, symbols and lines that an issue names, and those that are missing.

The issue and the repository are untrusted, so each row begins with the agent's own words and has a
length limit.
"""

import contextlib
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path

from react_agent.memory.index import words
from react_agent.parsers.claims.definitions import Sort, defined_as, is_aside, is_data, is_prose
from react_agent.parsers.issue.clues import Clues, Kind, Named, clues_of
from react_agent.parsers.issue.places import Frame, PathEnds
from react_agent.parsers.repo.globs import folders_of
from react_agent.parsers.repo.outline import python_outline
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.quoting import escape, quote_world
from react_agent.tools.clip import clip_line
from react_agent.tools.context import Context
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.files.file_list import listing, one_line
from react_agent.tools.files.git_grep import Flavour, Match, Search, search
from react_agent.tools.files.paths import Place, start_of
from react_agent.tools.testing.tests_command import tests_near

_MOST_BYTES = 1_000_000  # of a file whose lines are looked at
_MEANT = 3  # files that one path may mean
_FRAMES = 300  # that are looked for
_INTERPRETERS = LatePattern(r".*/lib(?:64)?/python[\d.]+/(?!site-packages/|dist-packages/)")
_CHANGED = "that line has changed"

Lines = Callable[[str], Sequence[str]]
_ASKED = 40  # names
_MOST_LINES = 20_000  # that are looked at
_LONGEST = 400  # characters of a line: a longer one is made by a program
_MOST_PLACES = 3  # a plain word that is defined in more of them says nothing
_DEADLINE_S = 10.0
_FLAVOURS = (Flavour.PERL, Flavour.EXTENDED)
_KEYWORDS = (
    "def|class|function|func|fn|sub|proc|struct|interface|enum|trait|type|protocol|union|record|const"
    "|let|var|val|module|define"
)
_ACCESS = "public|private|protected|static|async|export|override"
_BY_KEYWORD = rf"(^|[^A-Za-z0-9_])({_KEYWORDS})[ \t*]+(\([^)]*\)[ \t]*)?(NAMES)([^A-Za-z0-9_]|$)"
_BY_CALL = r"^[A-Za-z_][A-Za-z0-9_ \t*&<>:,]*[ \t*&](NAMES)[ \t]*\("
_BY_ACCESS = rf"^[ \t]+({_ACCESS})[^=;]*[ \t](NAMES)[ \t]*\("
_BY_VALUE = r"^[ \t-]*[\"']?(NAMES)[\"']?[ \t]*[:=]"
_BY_OPTION = r"[\"'](NAMES)[\"']"
_WORD = re.compile(r"--\w[\w-]*|\w+")
_TITLE = "What the issue names, looked up in this repository:"
_ROW = 600  # characters
_FILES, _SYMBOLS, _MISSING, _PLACES = 10, 10, 6, 6
_OF_A_SYMBOL = 2  # places


@dataclass(frozen=True, slots=True)
class NamedFile:
    name: str  # as the issue writes it
    paths: tuple[str, ...]  # what it means
    alike: tuple[str, ...] = ()  # files of that name, where it means none

    @property
    def told(self) -> str:
        where, has = " or ".join(self.paths), "has" if len(self.alike) == 1 else "have"
        if where:
            is_same = self.paths == (self.name,) or where == f"{self.name}/"
            return where if is_same else f"{where} ({self.name})"
        files = f" ({' and '.join(self.alike)} {has} that name)" if self.alike else ""
        return f"{self.name}{files}"


@dataclass(frozen=True, slots=True)
class PlaceHere:
    path: str
    line: int  # as it is now, where that is known
    name: str = ""
    note: str = ""

    @property
    def told(self) -> str:
        within = f" in {self.name}" if self.name else ""
        return f"{self.path}:{self.line}{within}{f' ({self.note})' if self.note else ''}"


def lines_in(root: Path) -> Lines:
    """Return a function that returns the lines of a file, or none if it can't be read."""

    @lru_cache(64)
    def lines(path: str) -> Sequence[str]:
        data = start_of(Place(root, path), _MOST_BYTES)
        return data.decode(errors="replace").split("\n") if data and b"\0" not in data else ()

    return lines


def named_files(clues: Clues, ends: PathEnds) -> Iterator[NamedFile]:
    """Yield the names that match files here, that clearly mean a file, or that are modules.

    A module is given as a dotted name, as in Python.
    """
    folders = folders_of(ends.files)
    seen = set[tuple[str, ...]]()
    for one in clues.of(Kind.PATH):
        paths = _meant(one.text, ends, folders)
        alike = ends.named(one.text.rpartition("/")[2])
        if (paths and paths not in seen) or (not paths and one.is_sure):
            seen.add(paths)
            yield NamedFile(one.text, paths, () if paths or len(alike) >= _MEANT else alike)
    for one in clues.of(Kind.SYMBOL):
        stem = one.text.replace(".", "/")
        for path in (f"{stem}.py", f"{stem}/__init__.py") if "/" in stem else ():
            found = ends.of(path)
            if len(found) == 1 and f"/{found[0]}".endswith(f"/{path}"):
                yield NamedFile(one.text, found)


def _meant(name: str, ends: PathEnds, folders: set[str]) -> tuple[str, ...]:
    bare = name.removesuffix("/")
    if bare in folders:
        return (f"{bare}/",)
    found = ends.of(bare)
    if not found and "/" in bare:
        alike, length = ends.alike(bare)
        found = alike if length > 1 else ()
    return found if len(found) <= _MEANT else ()


def places_here(frames: Sequence[Frame], ends: PathEnds, lines: Lines) -> Iterator[PlaceHere]:
    """Yield the places of the stack frames that are in this repository."""
    for frame in frames[-_FRAMES:]:
        found = [here for path in _candidates(frame, ends) if (here := _here(frame, path, lines))]
        certain = [here for here in found if here.note != _CHANGED] if frame.code else found
        if len(found) == 1 or len(certain) == 1:
            yield (certain or found)[0]


def _candidates(frame: Frame, ends: PathEnds) -> tuple[str, ...]:
    """Return files that a frame may refer to: exact matches, or matches of two path components."""
    exact = ends.of(frame.path) if not frame.path.startswith(("/", "..")) else ()
    if exact or "/" not in frame.path:
        return exact[:_MEANT]
    alike, length = ends.alike(frame.path)
    is_theirs = _INTERPRETERS.match(frame.path) is not None
    return alike[:_MEANT] if length > 1 and not (is_theirs and not frame.code) else ()


def _here(frame: Frame, path: str, lines: Lines) -> PlaceHere | None:
    text = lines(path)
    is_theirs = _INTERPRETERS.match(frame.path) is not None
    if not frame.code:
        note = "" if 0 < frame.line <= len(text) else f"it has {len(text)} lines now"
        return PlaceHere(path, frame.line, frame.name, note)
    found = [number for number, one in enumerate(text, 1) if one.strip() == frame.code]
    now = min(found, key=lambda number: abs(number - frame.line), default=None)
    if now is None:
        return None if is_theirs else PlaceHere(path, frame.line, frame.name, _CHANGED)
    return PlaceHere(path, now, frame.name, "" if now == frame.line else f"was line {frame.line}")


@dataclass(frozen=True, slots=True)
class Symbol:
    name: str  # as the issue writes it
    places: tuple[str, ...]  # `PATH:LINE`, or `PATH:LINE-END`

    @property
    def told(self) -> str:
        left = len(self.places) - _OF_A_SYMBOL
        more = f" and {counted(left, 'other line')}" if left > 0 else ""
        return f"{self.name} ({', '.join(self.places[:_OF_A_SYMBOL])}{more})"


Defining = Mapping[str, Sequence[tuple[Match, Sort]]]  # by name, the lines that may define it


def symbols_in(
    root: Path, names: Sequence[Named]
) -> tuple[list[Symbol], list[Symbol], tuple[str, ...]]:
    """Return the names that are defined, those only used, and those not found, with their places.

    Raises ReactAgentError if git takes too long.
    """
    asked = names[:_ASKED]
    lines = _defining(root, {part for one in asked for part in _parts(one.text)})
    defined = [_defined(one, lines) for one in asked]
    known = {one.text for one, found in zip(asked, defined, strict=True) if found.places}
    sure = [one.text for one in asked if one.is_sure and one.text not in known]
    used = _used(root, [name for name in sure if name not in lines])
    missing = tuple(name for name in sure if name not in used and name not in lines)
    found = dict.fromkeys(one for one in defined if one.places)
    return list(found), [Symbol(name, used[name]) for name in sure if name in used], missing


def _defining(root: Path, wanted: Collection[str]) -> Defining:
    found = dict[str, list[tuple[Match, Sort]]]()
    pattern = "|".join(_patterns(wanted))
    for match in _matches(root, Search((pattern,))) if pattern else ():
        if is_prose(match.path):
            continue
        is_inner = match.text[:1].isspace() and not is_data(match.path) and "--" not in match.text
        for name in sorted(set(_WORD.findall(match.text)).intersection(wanted)):
            sort = defined_as(match.text, name)
            if sort and not (sort is Sort.VALUE and is_inner):  # within a function, it is its own
                found.setdefault(name, []).append((match, sort))
    return found


def _patterns(wanted: Collection[str]) -> Iterator[str]:
    options = sorted(name for name in wanted if name.startswith("-"))
    others = sorted(name for name in wanted if not name.startswith("-"))
    for row in (_BY_KEYWORD, _BY_CALL, _BY_ACCESS) if others else ():
        yield row.replace("NAMES", "|".join(others))
    if shaped := list(filter(_is_shaped, others)):
        yield _BY_VALUE.replace("NAMES", "|".join(shaped))
    if options:
        yield _BY_OPTION.replace("NAMES", "|".join(options))


def _matches(root: Path, wanted: Search) -> Iterator[Match]:
    wanted = replace(wanted, flavours=_FLAVOURS)
    short = (one for one in search(root, wanted, _DEADLINE_S).matches if len(one.text) <= _LONGEST)
    return islice(short, _MOST_LINES)


def _defined(one: Named, lines: Defining) -> Symbol:
    """Return where a name is defined, or where its class is if the name is not found there."""
    places = _places_of(_chosen(one.text, lines))
    owner = one.text.rpartition(".")[0]
    if places or not owner.rpartition(".")[2][:1].isupper():
        return Symbol(one.text, places)
    return Symbol(owner, _places_of(_chosen(owner, lines)))


def _chosen(name: str, lines: Defining) -> list[Match]:
    """Return the definitions of a name, preferably those in the project's own code.

    Qualifiers must match the definition's file, a folder, or a class in its file.
    """
    *qualifiers, last = _parts(name)
    found = list(lines.get(last, ()))
    if not qualifiers and not _is_shaped(last):
        found = [line for line in found if line[1] is not Sort.VALUE]
    matches = [match for match, _ in found]
    if qualifiers:
        beside = {match.path for one in qualifiers for match, _ in lines.get(one, ())}
        matches = [
            match
            for match in matches
            if match.path in beside
            or {part.partition(".")[0] for part in match.path.split("/")} & {*qualifiers}
        ]
    if not _is_shaped(last) and len(matches) > _MOST_PLACES:
        return []
    return [match for match in matches if not is_aside(match.path)] or matches


def _used(root: Path, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the places where each of the names occurs, first in code and then in prose."""
    found = dict[str, list[Match]]()
    if not names:
        return {}
    for match in _matches(root, Search(("|".join(names),), whole_words=True)):
        for name in set(_WORD.findall(match.text)).intersection(names):
            found.setdefault(name, []).append(match)

    def rank(name: str, match: Match) -> tuple[bool, bool]:
        return is_prose(match.path), defined_as(match.text, name) is None

    return {name: _places_of(sorted(found[name], key=partial(rank, name))) for name in found}


def _places_of(matches: Sequence[Match]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"{match.path}:{match.line}" for match in matches))


def _ended(symbol: Symbol, lines: Lines) -> Symbol:
    """Return the symbol with the last line of each definition added, where it is known."""
    name, places = symbol.name.rpartition(".")[2], list[str]()
    for place in symbol.places[:_OF_A_SYMBOL]:
        path, _, line = place.rpartition(":")
        defined = python_outline("\n".join(lines(path))).defined if path.endswith(".py") else ()
        around = [one for one in defined if one.first <= int(line) <= one.last]
        own = max(around, key=lambda one: one.first, default=None)
        is_it = own and own.last > int(line) and own.title.partition("(")[0].split()[-1] == name
        places.append(f"{place}-{own.last}" if own and is_it else place)
    return replace(symbol, places=(*places, *symbol.places[_OF_A_SYMBOL:]))


def _parts(name: str) -> list[str]:
    if name.startswith("-"):
        return [name]
    parts = name.split(".")
    return [part for part in parts[:-1] if part not in ("self", "cls", "this")] + parts[-1:]


def _is_shaped(name: str) -> bool:
    """Return whether the name looks like code, not like one plain word."""
    return name.startswith("-") or "_" in name.strip("_") or (name[1:] != name[1:].casefold())


def found_lines(issue: str, context: Context) -> tuple[str, ...]:
    """Return lines about the places that the issue names."""
    clues = clues_of(issue)
    rows = tuple(_rows(clues, context)) if clues != Clues() else ()
    return (_TITLE, *(clip_line(escape(one_line(row)), _ROW) for row in rows)) if rows else ()


def _rows(clues: Clues, context: Context) -> Iterator[str]:
    """Yield the rows, except those that can't be listed or take too long to find."""
    root, listed, nowhere = context.root, tuple[str, ...](), tuple[str, ...]()
    defined, used = list[Symbol](), list[Symbol]()
    with contextlib.suppress(ReactAgentError):
        listed = listing(context).files
    ends, lines = PathEnds(listed), lines_in(root)
    files = list(named_files(clues, ends))
    known = {one.name for one in files}
    with contextlib.suppress(ReactAgentError):
        names = (*clues.of(Kind.SYMBOL), *clues.of(Kind.OPTION))
        defined, used, nowhere = symbols_in(root, [one for one in names if one.text not in known])
    here = list(places_here(clues.frames, ends, lines))
    pointed = {(one.path,) for one in here}
    shown = [one.told for one in files if one.paths and one.paths not in pointed]
    missing = [*(one.told for one in files if not one.paths), *nowhere]
    traced = list(dict.fromkeys(one.told for one in here))[-_PLACES:]
    left = sum(bool(one.name) for one in clues.frames) - sum(bool(one.name) for one in here)
    if here and left > 0:
        traced.append(f"and {counted(left, 'frame')} of other code")
    yield from _titled("files", shown, _FILES)
    yield from _titled("defined", [_ended(one, lines).told for one in defined], _SYMBOLS)
    code = [path for one in files for path in one.paths]
    code += [place.rpartition(":")[0] for one in defined for place in one.places[:1]]
    beside = [path for path in tests_near(code, listed) if path not in code]
    yield from _titled("tests", beside, _FILES)
    yield from _titled("used", [one.told for one in used], _MISSING)
    yield from _titled("nowhere in it", missing, _MISSING)
    yield from _titled("lines that it points to", traced, _PLACES + 1)


def _titled(title: str, told: Sequence[str], most: int) -> Iterator[str]:
    if told:
        more = [f"and {len(told) - most} more"] if len(told) > most else []
        yield f"- {title}: {', '.join((*told[:most], *more))}"


TITLE = "The files that the issue mentions, and those most similar to it:"
_MOST_OF_A_FILE = 200_000  # of a file; a longer one is data
_MOST_READ = 50_000_000  # of all
_MOST_FILES = 20
_FENCE = "```"
_SATURATION, _LENGTH = 1.2, 0.75  # of BM25, as usual


def text_lines(issue: str, context: Context, tokens: int) -> Iterator[str]:
    """Yield the text of the files that match the issue, `tokens` tokens at most."""
    names = tuple[str, ...]()
    with contextlib.suppress(ReactAgentError):
        names = listing(context).files
    texts, clues, ends = dict(_texts(context.root, names)), clues_of(issue), PathEnds(names)
    paths = [here.path for here in places_here(clues.frames, ends, lines_in(context.root))]
    paths += [path for one in named_files(clues, ends) for path in one.paths]
    named = [path for path in dict.fromkeys(paths) if path in texts]
    like = [path for path in _by_likeness(issue, texts) if path not in named]
    chosen, left = dict[str, list[str]](), tokens
    for path in (*named, *like)[: 2 * _MOST_FILES]:
        lines = quote_world(texts[path].removesuffix("\n")).split("\n")
        shown = [f"{path}:", _FENCE, *lines, _FENCE]
        cost = estimate_tokens("\n".join(shown))
        if cost <= left and len(chosen) < _MOST_FILES:
            chosen[path] = shown
            left -= cost
    if chosen:
        yield TITLE
    for shown in chosen.values():
        yield from shown
    if left_out := sum(path not in chosen for path in named):
        yield f"({counted(left_out, 'file')} that it names would not fit in here.)"


def _texts(root: Path, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    read = 0
    for name in names:
        data = start_of(Place(root, name), _MOST_OF_A_FILE + 1)
        read += len(data)
        if read > _MOST_READ:
            return
        if data.strip() and b"\0" not in data and len(data) <= _MOST_OF_A_FILE:
            yield name, data.decode(errors="replace")


def _by_likeness(issue: str, texts: Mapping[str, str]) -> list[str]:
    """Return the paths that share a word with the issue, the most similar first."""
    wanted = words(issue)
    held = {path: words(f"{path}\n{text}") for path, text in texts.items()}
    counts = Counter(term for one in held.values() for term in one & wanted)
    worth = {
        term: math.log(1 + (len(held) - count + 0.5) / (count + 0.5))
        for term, count in counts.items()
    }
    mean = sum(map(len, held.values())) / max(1, len(held))
    like = {
        path: sum(worth[term] for term in sorted(one & wanted))
        / (1 + _SATURATION * (1 - _LENGTH + _LENGTH * len(one) / mean))
        for path, one in held.items()
    }
    return sorted((path for path in like if like[path]), key=lambda path: (-like[path], path))
