"""Checks of a Conclusion: the lines that the change adds."""

from collections import Counter
from collections.abc import Iterator

from react_agent.guards.gate_known import Known
from react_agent.guards.points import Fault
from react_agent.parsers.repo.file_roles import is_code, is_of_tests, is_program
from react_agent.parsers.repo.git_diff import FileDiff, Line
from react_agent.parsers.text.debugging import is_debugging, prints, prints_a_name
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.tools.clip import clip_line
from react_agent.tools.edits.syntax import check_of, flaw_of

_MARKER = LatePattern(r"(?:<{7}|>{7}|\|{7})(?: .*)?")
_SHOWN = 3  # lines of a file
_LINE = 80  # characters
_TALKS = (b"__main__", b"argparse", b"click", b"typer", b"process.argv", b"#!/", b" main(")


def conflicts(known: Known) -> Iterator[Fault]:
    for one in known.changes:
        found = [line for line in one.added if _MARKER.fullmatch(line.text.rstrip("\r"))]
        if found and not _parses(one, known):
            numbers = ", ".join(str(line.number) for line in found[:_SHOWN])
            yield Fault(f"{one.new}:{numbers} holds a conflict marker", "settle the conflict")


def _parses(one: FileDiff, known: Known) -> bool:
    """Then the markers are the words of a text, as in a test of them."""
    data = known.holding.now(one.new)
    check = check_of(one.new, data) if data is not None else None
    return bool(check and data is not None and flaw_of(check, data) is None)


def debugging(known: Known) -> Iterator[Fault]:
    for one in known.changes:
        if is_of_tests(one.path) or not is_code(one.path):
            continue
        found = _left(one, known)
        for line in found[:_SHOWN]:
            shown = clip_line(line.text.strip(), _LINE)
            said = f"{one.new}:{line.number} is left over from debugging ({shown})"
            yield Fault(said, "remove it")


def _left(one: FileDiff, known: Known) -> list[Line]:
    moved = Counter(line.text.strip() for line in one.removed)
    added = [line for line in one.added if not moved[line.text.strip()]]
    names = [line for line in added if prints_a_name(one.path, line.text)]
    if names and not _is_library(one, len(names), known):
        names = []
    return [line for line in added if line in names or is_debugging(one.path, line.text)]


def _is_library(one: FileDiff, names: int, known: Known) -> bool:
    """Code that prints nothing but these names."""
    data = known.holding.now(one.new)
    if data is None or is_program(one.new) or any(word in data for word in _TALKS):
        return False
    lines = data.decode(errors="replace").split("\n")
    return sum(prints(one.path, line) for line in lines) == names
