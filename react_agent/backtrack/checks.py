"""A table of checks for the claim that something does not exist, the strictest check first.

No check calls a model. Since a true claim must never be refuted, a similar name is not enough. A
check must find a file, a definition or a line of data in the project itself. It must be of the kind
that the claim is about, and it must be the only candidate. The proof is a read-only tool call.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from posixpath import basename, dirname, splitext

from react_agent.backtrack.assumption import Assumption, is_file_name
from react_agent.guards.means import Means
from react_agent.parsers.claims.claims import HERE
from react_agent.parsers.claims.definitions import (
    Sort,
    defined_as,
    is_aside,
    is_data,
    is_prose,
    stands_in,
)
from react_agent.parsers.claims.spelling import (
    folded,
    is_misspelled,
    is_part,
    is_restyled,
    misspelled,
    word_parts,
)
from react_agent.tools.observation import Observation, Status

GREP, LIST_FILES, READ_FILE = "grep", "list_files", "read_file"
_LONGEST = 1_500  # characters of a proof
_PATTERN = 80  # characters
_LINES = 20  # of a file
_SHORT = 4  # letters
_SPECIAL = re.compile(r"([\\.*+?()\[\]{}|^$])")
_NUMBERED = re.compile(r" *(\d+)[|:] (.*)")
_ASKS = re.compile(
    r"\b(?:(?:add|creat|introduc|implement|provid|expos)\w*|new|missing)\b", re.IGNORECASE
)
_WORD_OF_LINE = re.compile(r"--[\w-]+|[A-Za-z_$][\w$]*")
_SHORTEST = 6  # letters of a name that may be misspelled
_MOST_LINES = 60  # matching lines: a more frequent name proves little
_DISTINCT, _VERY_DISTINCT = 8, 12  # letters of a name that is not there by chance


@dataclass(frozen=True, slots=True)
class Proof:
    check: str
    tool: str
    given: str  # its input
    seen: Observation
    truth: str  # what is true, in a few words


@dataclass(frozen=True, slots=True)
class FoundLine:
    path: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """An assumption made in a run, with all the information needed to check it."""

    assumed: Assumption
    objective: str
    means: Means
    written: frozenset[str] = frozenset()  # files written since the claim
    commands: str = ""  # commands since the claim that may have written files

    def was_made(self, path: str) -> bool:
        """Return whether the model itself may have created the file since the claim."""
        return path in self.written or basename(path) in self.commands

    @property
    def name(self) -> str:
        """The unqualified name, as it is written in source code."""
        name = self.assumed.name.removesuffix("()").removeprefix("./")
        return name if is_file_name(name) or name.startswith("-") else name.rpartition(".")[2]

    @property
    def is_loose(self) -> bool:
        """Whether the claim only paraphrases the search, so that it may refer to a longer name."""
        claim, name = self.assumed.claim, re.escape(self.assumed.name)
        is_purpose = re.search(rf"\bfor (?:the |an? )?`?{name}\b", claim.sentence)
        is_plain = claim.is_plain or not claim.names or bool(is_purpose)
        return is_plain and len(folded(self.name)) > _SHORT


def escaped(name: str) -> str:
    return _SPECIAL.sub(r"\\\1", name)


def lines_of(means: Means, pattern: str, path: str = "") -> tuple[FoundLine, ...]:
    """Return all lines that match the pattern, or none if grep can't show all of them."""
    seen = _look(means, GREP, f"{pattern}\npath: {path}" if path else pattern)
    is_all = seen and not re.match(r".*\b(?:not shown|left out)\b", seen.text)
    return tuple(_found_lines(seen.text)) if seen and is_all else ()


def _look(means: Means, tool: str, given: str) -> Observation | None:
    """Return the tool's observation, or None if the tool finds nothing or can't be called."""
    seen = means.look(tool, given) if means.look else None
    return seen if seen and seen.status is Status.OK else None


def _found_lines(shown: str) -> Iterator[FoundLine]:
    """Parse the output of the tool `grep`: a header, then paths followed by numbered lines."""
    path = ""
    for line in shown.split("\n")[1:]:
        if found := _NUMBERED.fullmatch(line):
            if path:
                yield FoundLine(path, int(found[1]), found[2])
        elif line and not line.startswith(("[", " ")):
            path = line


def shown_by_grep(means: Means, check: str, line: FoundLine, name: str, truth: str) -> Proof | None:
    """Return a proof that shows the line and little else, or None."""
    words = line.text.strip()
    start = words[: words.find(name) + len(name)] if name in words else words
    searching = (GREP, f"{escaped(start[-_PATTERN:])}\npath: {line.path}")
    reading = (READ_FILE, f"{line.path}:{line.number}-{line.number + 2}")
    return _shown(means, check, (searching, reading), name, truth)


def shown_as_file(
    means: Means, check: str, path: str, truth: str, *, reads: bool = False
) -> Proof | None:
    listing = (LIST_FILES, path.rpartition("/")[0] or ".")
    reading = (READ_FILE, f"{path}:1-{_LINES}")
    calls = (reading, listing) if reads else (listing, reading)
    return _shown(means, check, calls, basename(path), truth)


def _shown(
    means: Means, check: str, calls: Iterable[tuple[str, str]], text: str, truth: str
) -> Proof | None:
    """Return a proof from the first offered tool whose output contains the text, or None."""
    for tool, given in calls:
        seen = _look(means, tool, given) if tool in means.offered else None
        if seen and text in seen.text and len(seen.text) < _LONGEST:
            return Proof(check, tool, given, seen, truth)
    return None


Check = Callable[[Question], Proof | None]


def proved_wrong(question: Question, checks: tuple[str, ...]) -> Proof | None:
    """Return the first proof. If the objective is to create the thing, only check `stale` runs."""
    table = _FILE_CHECKS if question.assumed.is_of_file else _CHECKS
    if _is_asked_for(question.name, question.objective):
        checks = tuple(check for check in checks if check == "stale")
    chosen = (check for name, check in table.items() if name in checks)
    return next((proof for check in chosen if (proof := check(question))), None)


def _is_asked_for(name: str, objective: str) -> bool:
    sentences = re.split(r"[.!?](?=\s|$)|\n", objective)
    return any(_ASKS.search(one) and folded(name) in folded(one) for one in sentences)


def _stale_file(question: Question) -> Proof | None:
    """Check whether the file exists by now, provided that something changed since the search."""
    assumed = question.assumed
    paths = [name for name in (assumed.name, *assumed.looked.names) if "/" in name]
    if not assumed.is_stale or not paths or not paths[0].endswith(assumed.name):
        return None
    path = paths[0].removeprefix("./")
    return shown_as_file(question.means, "stale", path, f"{path} exists now", reads=True)


def _file(check: str, question: Question) -> Proof | None:
    """Find the only candidate file, in another folder or with a different spelling."""
    wanted, looked = basename(question.name), question.assumed.looked
    is_path, is_same = _is_path(question), check in ("tree", "names")
    if check == "tree" and is_path:
        return None  # the claim about that exact path is true
    folder = None
    if is_path and not is_same:  # only in the folder of the claim
        paths = (question.name, *looked.names)
        folder = next((dirname(path.removeprefix("./")) for path in paths if "/" in path), "")
    places = (f"{place}/" for place in (question.assumed.claim.place, *looked.places))
    is_of_aside = is_aside(question.name) or any(map(is_aside, places))
    there = {
        path
        for path in _known_files(question, wanted)
        if folder in (None, dirname(path)) and _is_meant(question, check, path)
        if not question.was_made(path) and (is_of_aside or not is_aside(path))
    }
    if len(there) != 1:
        return None
    path = there.pop()
    return shown_as_file(question.means, check, path, f"the file is {path}")


def _is_meant(question: Question, check: str, path: str) -> bool:
    wanted, name, looked = basename(question.name), basename(path), question.assumed.looked
    (bare, suffix), (stem, its) = splitext(wanted), splitext(name)
    match check:
        case "tree":
            return name == wanted
        case "names":  # the search was in files, not in their names
            return not looked.by_name and wanted in (name, stem)
        case "case":
            return is_restyled(wanted, name if suffix else stem)
        case _:
            return its == (suffix or its) and is_misspelled(bare, stem)


def _is_path(question: Question) -> bool:
    """Return whether the claim refers to a single location, given in the claim or the search."""
    looked, place = question.assumed.looked, question.assumed.claim.place
    if "/" in question.name or (place and (place != HERE or looked.places)):
        return True
    return looked.is_path and any("/" in name for name in looked.names)


def _known_files(question: Question, name: str) -> Iterable[str]:
    """Return the files with similar names, including files that the run may have created."""
    bare = splitext(basename(name))[0].casefold()
    third = max(3, len(bare) // 3)
    parts = (bare[:third], bare[-third:])
    files = ((path, basename(path).casefold()) for path in question.means.files)
    return [path for path, last in files if any(part in last for part in parts)]


_FILE_CHECKS: Mapping[str, Check] = {
    "stale": _stale_file,
    **{name: partial(_file, name) for name in ("tree", "names", "case", "spelling")},
}


@dataclass(frozen=True, slots=True)
class _Hit:
    line: FoundLine
    name: str
    sort: Sort | None  # None: a line of data that holds the name

    @property
    def is_outer(self) -> bool:
        """Whether the line is not indented, so that it is not nested in a class or function."""
        return self.sort is None or is_data(self.line.path) or not self.line.text[:1].isspace()

    @property
    def is_distinct(self) -> bool:
        """Whether the name is distinctive enough. A name inside a class has to be longer."""
        letters, words = len(folded(self.name)), len(word_parts(self.name))
        if self.sort is None or is_data(self.line.path):
            return True
        if not self.is_outer:
            return self.sort is not Sort.VALUE and letters >= _VERY_DISTINCT and words > 1
        return words > 1 or letters >= _DISTINCT or self.sort is Sort.CLASS


def _stale(question: Question) -> Proof | None:
    """Check whether the name was added to the file after the file was read or searched."""
    assumed = question.assumed
    looked = (*assumed.rests_on.paths, *assumed.looked.places)
    paths = {path for path in looked if path.endswith(assumed.claim.place) and is_file_name(path)}
    if not assumed.is_stale or len(paths) != 1:
        return None
    lines = lines_of(question.means, escaped(question.name), paths.pop())
    for hit in _hits(question, _exact(question, lines)):
        truth = f"{hit.line.path} has {hit.name} by now, in line {hit.line.number}"
        return shown_by_grep(question.means, "stale", hit.line, hit.name, truth)
    return None


def _tree(question: Question) -> Proof | None:
    """Search for the exact name in all files of the work tree."""
    assumed = question.assumed
    if assumed.looked.by_name or assumed.claim.place:
        return None
    lines = lines_of(question.means, escaped(question.name))
    found = [
        hit
        for hit in _hits(question, _exact(question, lines))
        # Or the search had the right keyword: `def page`.
        if (hit.is_distinct or (hit.sort and hit.sort is assumed.sought_as and hit.is_outer))
        and not question.was_made(hit.line.path)
    ]
    if len({hit.line.path for hit in found}) != 1:
        return None
    line, name = found[0].line, found[0].name
    verb = "defines" if found[0].sort else "has"
    return shown_by_grep(question.means, "tree", line, name, f"{line.path} {verb} {name}")


def _exact(question: Question, lines: Iterable[FoundLine]) -> Iterator[tuple[FoundLine, str]]:
    """Yield the lines that contain the exact name or, for a loose claim, a longer name with it."""
    for line in lines:
        for name in dict.fromkeys(_WORD_OF_LINE.findall(line.text)):
            is_longer = question.is_loose and question.name in name and is_part(question.name, name)
            if name == question.name or is_longer:
                yield line, name


def _module(question: Question) -> Proof | None:
    """Check whether the name refers to a file, as the module `dates` refers to dates.py."""
    is_other = question.assumed.sort not in (None, Sort.FILE)
    if question.assumed.claim.place or len(question.name) < 4 or is_other:
        return None
    return _file("names", question)


def _case(question: Question) -> Proof | None:
    """Search for the name in another naming style, such as camel case instead of snake case."""
    words = word_parts(question.name)
    if len(words) < 2 and question.assumed.sort is None and not question.is_loose:
        return None
    is_constant = question.assumed.claim.kind == "constant"

    def is_same(name: str) -> bool:
        is_longer = question.is_loose and name != question.name and is_part(question.name, name)
        is_alike = is_restyled(question.name, name) or is_longer
        return is_alike and (name.isupper() or not is_constant)

    pattern = "[-_ ]?".join(map(re.escape, words))
    return _only_one(question, "case", pattern, is_same) if words else None


def _spelling(question: Question) -> Proof | None:
    """Search for the name, allowing for a typo in one word in the claim or in the project."""
    if len(folded(question.name)) < _SHORTEST:
        return None

    other, is_meant = next(misspelled(question.name), None), partial(is_misspelled, question.name)
    found = _only_one(question, "spelling", other.pattern, is_meant) if other else None
    return found or _file("spelling", question)


def _only_one(
    question: Question, check: str, pattern: str, is_meant: Callable[[str], bool]
) -> Proof | None:
    """Return a proof if there is exactly one candidate name."""
    place = question.assumed.claim.place
    lines = lines_of(question.means, f"(?i){pattern}")
    if len(lines) > _MOST_LINES or (place and (place == HERE or not is_file_name(place))):
        return None
    named = (
        (line, name)
        for line in lines
        if line.path.endswith(place) and not question.was_made(line.path)
        for name in dict.fromkeys(_WORD_OF_LINE.findall(line.text))
        if is_meant(name)
    )
    found = [hit for hit in _hits(question, named) if hit.is_outer or hit.sort is not Sort.VALUE]
    if len({hit.name for hit in found}) != 1:
        return None
    line, name = found[0].line, found[0].name
    return shown_by_grep(question.means, check, line, name, f"the name is {name}, in {line.path}")


def _hits(question: Question, named: Iterable[tuple[FoundLine, str]]) -> Iterator[_Hit]:
    """Yield the hits in the project's own source, excluding tests, documents and vendored code."""
    denied = None if question.assumed.sort is Sort.FILE else question.assumed.sort
    for line, found in named:
        if is_aside(line.path) or is_prose(line.path):
            continue
        sort = defined_as(line.text, found)
        if sort and denied in (None, sort):
            yield _Hit(line, found, sort)
        elif is_data(line.path) and denied in (None, Sort.VALUE) and stands_in(line.text, found):
            yield _Hit(line, found, None)


_CHECKS: Mapping[str, Check] = {
    "stale": _stale,
    "tree": _tree,
    "names": _module,
    "case": _case,
    "spelling": _spelling,
}
