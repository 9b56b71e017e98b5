"""Whether lines of a file stand in the section that a header names: `def name`, `class Name:`."""

from collections.abc import Sequence

from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.patch.indentation import indent

_WORDS = LatePattern(r"\w+")
_HEAD = LatePattern(r"[A-Za-z_$]|\s+(?:class|def|async\s+def)\s")
_DEFINES = LatePattern(
    r"\s*(?:export\s+|public\s+|private\s+|static\s+|async\s+)*"
    r"(?:def|class|function|func|fn|interface|struct|module|sub)\s+(?P<name>[\w$]+)"
)
_SHORT = 3  # letters; less name nothing


def is_below(sections: Sequence[str], first: int, last: int, file: Sequence[str]) -> bool:
    """Each section is named in the block that stands around the lines, or by one of them.

    git names the nearest line above that begins with a letter, or that defines something.
    """
    above = _around(first, last, file)
    if all(any(_names(line, section) for line in above) for section in sections):
        return bool(sections)
    heads = (file[at] for at in range(min(first, len(file)) - 1, -1, -1))
    nearest = next((line for line in heads if _HEAD.match(line)), "")
    return len(sections) == 1 and _names(nearest, sections[0])


def defined(line: str) -> str:
    """The name that the line defines; empty if none."""
    found = _DEFINES.match(line)
    return found["name"] if found else ""


def _around(first: int, last: int, file: Sequence[str]) -> list[str]:
    """The lines themselves, and above them each that is indented less than all below it."""
    found = [file[at] for at in range(first, min(last + 1, len(file)))]
    depths = [len(indent(line)) for line in found if line.strip()]
    depth = min(depths, default=0)
    # the line a section is named by may be the first of the lines' own depth
    depth += 1 if depth == 0 else 0
    for at in range(first - 1, -1, -1):
        line = file[at]
        if line.strip() and len(indent(line)) < depth:
            found.append(line)
            depth = len(indent(line))
            if not depth:
                break
    return found


def _names(line: str, section: str) -> bool:
    line, section = " ".join(line.split()), " ".join(section.split())
    if len(section) < _SHORT or not _WORDS.search(section):
        return False
    at = line.find(section)
    if at < 0:
        return False
    behind = line[at + len(section) : at + len(section) + 1]
    return not (behind.isalnum() and section[-1:].isalnum())
