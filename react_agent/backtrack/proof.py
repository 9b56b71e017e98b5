"""What a check is asked, and its proof: a call of a tool that only looks, with what it showed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from posixpath import basename

from react_agent.backtrack.assumption import Assumption, is_file_name
from react_agent.guards.means import Means
from react_agent.parsers.claims.spelling import folded, misspelled_words
from react_agent.tools.observation import Observation, Status

GREP, FIND_FILE, LIST_FILES, READ_FILE = "grep", "find_file", "list_files", "read_file"
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
    name: str  # the true one
    truth: str  # what is so, in a few words


@dataclass(frozen=True, slots=True)
class FoundLine:
    path: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """Whether what a run assumes is so."""

    assumed: Assumption
    objective: str
    means: Means
    written: frozenset[str] = frozenset()  # files, since the claim
    commands: str = ""  # that may have written some, since the claim
    gives_up: bool = False  # the run ends on it

    def was_made(self, path: str) -> bool:
        """By the model itself, since it claimed that there is no such thing."""
        return path in self.written or basename(path) in self.commands

    @property
    def name(self) -> str:
        """The bare one, as source has it."""
        name = self.assumed.name.removesuffix("()").removeprefix("./")
        return name if is_file_name(name) or name.startswith("-") else name.rpartition(".")[2]

    @property
    def is_loose(self) -> bool:
        """Claimed in plain words of what was searched for: more of a name may be meant."""
        claim, name = self.assumed.claim, re.escape(self.assumed.name)
        is_purpose = re.search(rf"\bfor (?:the |an? )?`?{name}\b", claim.sentence)
        is_plain = claim.is_plain or not claim.names or bool(is_purpose)
        return is_plain and len(folded(self.name)) > _SHORT


def is_slip(question: Question, written: str, name: str) -> bool:
    """Where the word that differs is written nowhere else."""
    words = misspelled_words(written, name)
    if words is None:
        return False
    looked = zip(words, (written, name), strict=True)
    return any(not _is_elsewhere(question, word, of) for word, of in looked)


def _is_elsewhere(question: Question, word: str, name: str) -> bool:
    """Some other name has it, or the objective."""
    if question.means.look is None or word in question.objective.casefold():
        return True
    seen = question.means.look(GREP, f"({word}|{word.capitalize()}|{word.upper()})")
    lines = _found_lines(seen.text)
    return any(word in line.text.casefold().replace(name.casefold(), "") for line in lines)


def escaped(name: str) -> str:
    return _SPECIAL.sub(r"\\\1", name)


def lines_of(means: Means, pattern: str, path: str = "") -> tuple[FoundLine, ...]:
    """All matching lines; none where there are too many to show, as one name has not."""
    seen = _look(means, GREP, f"{pattern}\npath: {path}" if path else pattern)
    is_all = seen and not re.match(r".*\b(?:not shown|left out)\b", seen.text)
    return tuple(_found_lines(seen.text)) if seen and is_all else ()


def _look(means: Means, tool: str, given: str) -> Observation | None:
    """None where it finds nothing, or can't be asked."""
    seen = means.look(tool, given) if means.look else None
    return seen if seen and seen.status is Status.OK else None


def _found_lines(shown: str) -> Iterator[FoundLine]:
    """Of what grep shows: a header, and below each path its lines with their numbers."""
    path = ""
    for line in shown.split("\n")[1:]:
        if found := _NUMBERED.fullmatch(line):
            if path:
                yield FoundLine(path, int(found[1]), found[2])
        elif line and not line.startswith(("[", " ")):
            path = line


def shown_by_grep(means: Means, check: str, line: FoundLine, name: str, truth: str) -> Proof | None:
    """With the line itself, and as little else as can be."""
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
    """By the first of the tools that are offered and show its path; or by what it holds."""
    finding = ((FIND_FILE, path), (LIST_FILES, path.rpartition("/")[0] or "."))
    reading = (READ_FILE, f"{path}:1-{_LINES}")
    for tool, given in (reading, *finding) if reads else (*finding, reading):
        seen = _look(means, tool, given) if tool in means.offered else None
        if seen and basename(path) in seen.text and len(seen.text) < _LONGEST:
            return Proof(check, tool, given, seen, path, truth)
    return None
