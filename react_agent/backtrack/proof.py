"""The question for a check, and its proof: a read-only tool call with its observation."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from posixpath import basename

from react_agent.backtrack.assumption import Assumption, is_file_name
from react_agent.guards.means import Means
from react_agent.parsers.claims.spelling import folded, misspelled_words
from react_agent.tools.observation import Observation, Status

GREP, LIST_FILES, READ_FILE = "grep", "list_files", "read_file"
_LONGEST = 1_500  # characters of a proof
_PATTERN = 80  # characters
_LINES = 20  # of a file
_SHORT = 4  # letters
_SPECIAL = re.compile(r"([\\.*+?()\[\]{}|^$])")
_NUMBERED = re.compile(r" *(\d+)[|:] (.*)")


@dataclass(frozen=True, slots=True)
class Proof:
    check: str
    tool: str
    given: str  # its input
    seen: Observation
    name: str  # the true name
    truth: str  # what is true, in a few words


@dataclass(frozen=True, slots=True)
class FoundLine:
    path: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """An assumption of a run, with everything that a check of it needs."""

    assumed: Assumption
    objective: str
    means: Means
    written: frozenset[str] = frozenset()  # files written since the claim
    commands: str = ""  # commands since the claim that may have written files
    gives_up: bool = False  # the run would end on the claim

    def was_made(self, path: str) -> bool:
        """Return whether the model itself may have made the file since the claim."""
        return path in self.written or basename(path) in self.commands

    @property
    def name(self) -> str:
        """The bare name, as source code writes it."""
        name = self.assumed.name.removesuffix("()").removeprefix("./")
        return name if is_file_name(name) or name.startswith("-") else name.rpartition(".")[2]

    @property
    def is_loose(self) -> bool:
        """Whether the claim repeats the search in plain words, so a longer name may be meant."""
        claim, name = self.assumed.claim, re.escape(self.assumed.name)
        is_purpose = re.search(rf"\bfor (?:the |an? )?`?{name}\b", claim.sentence)
        is_plain = claim.is_plain or not claim.names or bool(is_purpose)
        return is_plain and len(folded(self.name)) > _SHORT


def is_slip(question: Question, written: str, name: str) -> bool:
    """Return whether one name is a typo for the other: its word is used nowhere else."""
    words = misspelled_words(written, name)
    if words is None:
        return False
    looked = zip(words, (written, name), strict=True)
    return any(not _is_elsewhere(question, word, of) for word, of in looked)


def _is_elsewhere(question: Question, word: str, name: str) -> bool:
    """Return whether the objective or another name holds the word."""
    if question.means.look is None or word in question.objective.casefold():
        return True
    seen = question.means.look(GREP, f"({word}|{word.capitalize()}|{word.upper()})")
    lines = _found_lines(seen.text)
    return any(word in line.text.casefold().replace(name.casefold(), "") for line in lines)


def escaped(name: str) -> str:
    return _SPECIAL.sub(r"\\\1", name)


def lines_of(means: Means, pattern: str, path: str = "") -> tuple[FoundLine, ...]:
    """Return all matching lines, or none if there are too many to show."""
    seen = _look(means, GREP, f"{pattern}\npath: {path}" if path else pattern)
    is_all = seen and not re.match(r".*\b(?:not shown|left out)\b", seen.text)
    return tuple(_found_lines(seen.text)) if seen and is_all else ()


def _look(means: Means, tool: str, given: str) -> Observation | None:
    """Return the observation, or None if the tool finds nothing or can't be called."""
    seen = means.look(tool, given) if means.look else None
    return seen if seen and seen.status is Status.OK else None


def _found_lines(shown: str) -> Iterator[FoundLine]:
    """Yield the lines of grep's output: a header, then paths with numbered lines below each."""
    path = ""
    for line in shown.split("\n")[1:]:
        if found := _NUMBERED.fullmatch(line):
            if path:
                yield FoundLine(path, int(found[1]), found[2])
        elif line and not line.startswith(("[", " ")):
            path = line


def shown_by_grep(means: Means, check: str, line: FoundLine, name: str, truth: str) -> Proof | None:
    """Return a proof that shows the line and as little else as possible, or None."""
    words = line.text.strip()
    start = words[: words.find(name) + len(name)] if name in words else words
    patterns = (*(text for text in (start, words) if len(text) < _PATTERN), name)
    calls = [(GREP, f"{escaped(text)}\npath: {line.path}") for text in patterns]
    if GREP not in means.offered:
        calls = [(READ_FILE, f"{line.path}:{line.number}-{line.number + 2}")]
    for tool, given in calls:
        seen = _look(means, tool, given) if tool in means.offered else None
        if seen and len(seen.text) < _LONGEST and name in seen.text:
            is_one = len(list(_found_lines(seen.text))) == 1
            if is_one or (tool, given) == calls[-1]:
                return Proof(check, tool, given, seen, name, truth)
    return None


def shown_as_file(
    means: Means, check: str, path: str, truth: str, *, reads: bool = False
) -> Proof | None:
    """Return a proof by the first offered tool that shows the path or the file, or None."""
    listing = (LIST_FILES, path.rpartition("/")[0] or ".")
    reading = (READ_FILE, f"{path}:1-{_LINES}")
    for tool, given in (reading, listing) if reads else (listing, reading):
        seen = _look(means, tool, given) if tool in means.offered else None
        if seen and basename(path) in seen.text and len(seen.text) < _LONGEST:
            return Proof(check, tool, given, seen, path, truth)
    return None
