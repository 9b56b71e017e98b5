"""Where the symbols and options that an issue names are defined in the repository, or used."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path

from react_agent.parsers.claims.definitions import Sort, defined_as, is_aside, is_data, is_prose
from react_agent.parsers.issue.clues import Named
from react_agent.tools.files.git_grep import Flavour, Match, Search, search

_ASKED = 40  # names
_LINES = 20_000  # that are looked at
_LONGEST = 400  # characters of a line: a longer one is made by a program
_PLACES = 3  # a plain word that is defined in more of them says nothing
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


@dataclass(frozen=True, slots=True)
class Symbol:
    name: str  # as the issue writes it
    places: tuple[str, ...]  # `PATH:LINE`


@dataclass(frozen=True, slots=True)
class Symbols:
    defined: tuple[Symbol, ...] = ()
    used: tuple[Symbol, ...] = ()  # and, as far as can be seen, not defined
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Line:
    match: Match
    sort: Sort


def symbols_in(root: Path, names: Sequence[Named]) -> Symbols:
    """Raises ReactAgentError where git takes too long."""
    asked = names[:_ASKED]
    lines = _defining(root, {part for one in asked for part in _parts(one.text)})
    defined = [_defined(one, lines) for one in asked]
    known = {one.text for one, found in zip(asked, defined, strict=True) if found.places}
    sure = [one.text for one in asked if one.is_sure and one.text not in known]
    used = _used(root, [name for name in sure if name not in lines])
    return Symbols(
        tuple(dict.fromkeys(one for one in defined if one.places)),
        tuple(Symbol(name, used[name]) for name in sure if name in used),
        tuple(name for name in sure if name not in used and name not in lines),
    )


def _defining(root: Path, wanted: Collection[str]) -> dict[str, list[_Line]]:
    found = dict[str, list[_Line]]()
    pattern = "|".join(_rows(wanted))
    for match in _matches(root, Search((pattern,))) if pattern else ():
        for name in sorted(set(_WORD.findall(match.text)).intersection(wanted)):
            sort = defined_as(match.text, name)
            if sort and _counts(match, sort):
                found.setdefault(name, []).append(_Line(match, sort))
    return found


def _rows(wanted: Collection[str]) -> Iterator[str]:
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
    return islice(short, _LINES)


def _counts(match: Match, sort: Sort) -> bool:
    """A value within a function is of that function only."""
    is_inner = match.text[:1].isspace() and not is_data(match.path) and "--" not in match.text
    return not is_prose(match.path) and not (sort is Sort.VALUE and is_inner)


def _defined(one: Named, lines: Mapping[str, Sequence[_Line]]) -> Symbol:
    """Of what is not found in a class, the class."""
    places = _places(_chosen(one.text, lines))
    owner = one.text.rpartition(".")[0]
    if places or not owner.rpartition(".")[2][:1].isupper():
        return Symbol(one.text, places)
    return Symbol(owner, _places(_chosen(owner, lines)))


def _chosen(name: str, lines: Mapping[str, Sequence[_Line]]) -> list[Match]:
    """The project's own, where it has any."""
    *qualifiers, last = _parts(name)
    found = list(lines.get(last, ()))
    if qualifiers:
        found = [line for line in found if _is_of(line, qualifiers, lines)]
    elif not _is_shaped(last):
        found = [line for line in found if line.sort is not Sort.VALUE]
    if not _is_shaped(last) and len(found) > _PLACES:
        return []
    matches = [line.match for line in found]
    return [match for match in matches if not is_aside(match.path)] or matches


def _is_of(line: _Line, qualifiers: Sequence[str], lines: Mapping[str, Sequence[_Line]]) -> bool:
    """By the names of its file and folders, or by a class of its file."""
    path = line.match.path
    parts = {part.partition(".")[0] for part in path.split("/")}
    within = {
        name for name in qualifiers for other in lines.get(name, ()) if other.match.path == path
    }
    return bool(within or parts.intersection(qualifiers))


def _used(root: Path, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Where they stand at all."""
    if not names:
        return {}
    found = dict[str, list[Match]]()
    for match in _matches(root, Search(("|".join(names),), whole_words=True)):
        for name in set(_WORD.findall(match.text)).intersection(names):
            found.setdefault(name, []).append(match)
    return {name: _places(sorted(found[name], key=partial(_rank, name))) for name in found}


def _rank(name: str, match: Match) -> tuple[bool, bool]:
    """Code before texts, and what gives it a value before what takes it."""
    return is_prose(match.path), defined_as(match.text, name) is None


def _places(matches: Sequence[Match]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"{match.path}:{match.line}" for match in matches))


def _parts(name: str) -> list[str]:
    if name.startswith("-"):
        return [name]
    parts = name.split(".")
    return [part for part in parts[:-1] if part not in ("self", "cls", "this")] + parts[-1:]


def _is_shaped(name: str) -> bool:
    """More than one plain word."""
    return name.startswith("-") or "_" in name.strip("_") or (name[1:] != name[1:].casefold())
