"""A proof that a claim is wrong: a call of a tool that only looks, and what it really showed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from react_agent.loop.means import Means
from react_agent.parsers.claims.definitions import Sort, defined_as, is_aside, is_prose, uses
from react_agent.parsers.claims.found_lines import FoundLine, found_lines, is_all_of_it
from react_agent.tools.observation import Observation, Status

GREP, FIND_FILE, LIST_FILES, READ_FILE = "grep", "find_file", "list_files", "read_file"
_LONGEST = 1_500  # characters of a proof
_PATTERN = 80  # characters
_LINES = 20  # of a file
_SPECIAL = re.compile(r"([\\.*+?()\[\]{}|^$])")


@dataclass(frozen=True, slots=True)
class Proof:
    check: str
    tool: str
    given: str  # its input
    seen: Observation
    name: str  # the true one
    truth: str  # what is so, in a few words


def escaped(name: str) -> str:
    return _SPECIAL.sub(r"\\\1", name)


def look(means: Means, tool: str, given: str) -> Observation | None:
    """None where it finds nothing, or can't be asked."""
    if means.look is None:
        return None
    seen = means.look(tool, given)
    return seen if seen.status is Status.OK else None


def lines_of(means: Means, pattern: str, path: str = "") -> tuple[FoundLine, ...]:
    """All matching lines; none where there are too many to show, as one name has not."""
    seen = look(means, GREP, f"{pattern}\npath: {path}" if path else pattern)
    return found_lines(seen.text) if seen and is_all_of_it(seen.text) else ()


def is_offered(means: Means, tool: str) -> bool:
    return tool in means.offered


def shown_by_grep(means: Means, check: str, line: FoundLine, name: str, truth: str) -> Proof | None:
    """With the line itself, and as little else as can be."""
    if not is_offered(means, GREP):
        return _shown_by_reading(means, check, line, name, truth)
    words = line.text.strip()
    start = words[: words.find(name) + len(name)] if name in words else words
    patterns = [text for text in (start, words) if len(text) < _PATTERN] + [name]
    for pattern in patterns:
        given = f"{escaped(pattern)}\npath: {line.path}"
        seen = look(means, GREP, given)
        is_short = seen and (pattern == name or len(found_lines(seen.text)) == 1)
        if seen and is_short and len(seen.text) < _LONGEST and name in seen.text:
            return Proof(check, GREP, given, seen, name, truth)
    return None


def _shown_by_reading(
    means: Means, check: str, line: FoundLine, name: str, truth: str
) -> Proof | None:
    given = f"{line.path}:{line.number}-{line.number + 2}"
    seen = look(means, READ_FILE, given) if is_offered(means, READ_FILE) else None
    if seen is None or name not in seen.text:
        return None
    return Proof(check, READ_FILE, given, seen, name, truth)


def shown_as_file(
    means: Means, check: str, path: str, truth: str, *, reads: bool = False
) -> Proof | None:
    """By the first of the tools that are offered and show its path; or by what it holds."""
    finding = ((FIND_FILE, path), (LIST_FILES, path.rpartition("/")[0] or "."))
    reading = (READ_FILE, f"{path}:1-{_LINES}")
    for tool, given in (reading, *finding) if reads else (*finding, reading):
        seen = look(means, tool, given) if is_offered(means, tool) else None
        if seen and path.rpartition("/")[2] in seen.text and len(seen.text) < _LONGEST:
            return Proof(check, tool, given, seen, path, truth)
    return None


def definitions(lines: Sequence[FoundLine], name: str) -> list[tuple[FoundLine, Sort]]:
    """Of the project itself: not in its tests, documents or copies of others' code."""
    there = (line for line in lines if not is_aside(line.path) and not is_prose(line.path))
    found = ((line, defined_as(line.text, name)) for line in there)
    return [(line, sort) for line, sort in found if sort]


def usages(lines: Sequence[FoundLine], name: str) -> list[FoundLine]:
    return [line for line in lines if uses(line.path, line.text, name)]
