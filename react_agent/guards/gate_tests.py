"""Checks of a Conclusion: what was done to the tests."""

from collections import Counter
from collections.abc import Iterable, Iterator

from react_agent.guards.gate_known import Known, listed
from react_agent.guards.points import Fault
from react_agent.parsers.repo.file_roles import is_code
from react_agent.parsers.repo.git_diff import FileDiff, Hunk, Line
from react_agent.parsers.testing.repository import is_skip, named_test, skips_now
from react_agent.parsers.text.gist import headline

_LINE = 60  # characters


def no_test(known: Known) -> Iterator[Fault]:
    code = [one.path for one in known.code if any(one.added)]
    if code and not known.of_tests and known.has_tests:
        yield Fault(f"{listed(code)} changed, but no test", "add one that fails without the change")


def only_tests(known: Known) -> Iterator[Fault]:
    if known.meant and known.of_tests == known.meant:
        changed = listed([one.path for one in known.of_tests])
        yield Fault(f"only tests changed ({changed})", "change what they test")


def tests_gone(known: Known) -> Iterator[Fault]:
    """Deleted or passed over; a test that was moved or got another name is neither."""
    added = Counter(name for one in known.of_tests for name in _names(one.added))
    for one in known.of_tests:
        gone = [name for hunk in one.hunks for name in _gone(hunk, added)]
        if gone and is_code(one.path):
            where = one.path if one.new else f"{one.path}, which was deleted,"
            yield Fault(f"{where} has lost {listed(gone)}", "bring back what still holds")
        yield from _passed_over(one, known)


def _gone(hunk: Hunk, added: Counter[str]) -> list[str]:
    """Where a hunk has a new one in its place, it is taken to be the same under another name."""
    removed = _names(hunk.removed)
    gone = [name for name in removed if not added[name]]
    new = [name for name in _names(hunk.added) if name not in removed]
    return gone[len(new) :]


def _names(lines: Iterable[Line]) -> list[str]:
    return [name for line in lines if (name := named_test(line.text))]


def _passed_over(one: FileDiff, known: Known) -> Iterator[Fault]:
    moved = {line.text.strip() for line in one.removed}
    for line in one.added:
        text = line.text.strip()
        if text not in moved and (is_skip(text) or _skips_at_once(one, line, known)):
            said = f"{one.path}:{line.number} has a test passed over ({headline(text, _LINE)})"
            yield Fault(said, "let it run")


def _skips_at_once(one: FileDiff, line: Line, known: Known) -> bool:
    """As the first that a test does, so whatever is the case."""
    if not skips_now(line.text):
        return False
    lines = (known.holding.now(one.new) or b"").decode(errors="replace").split("\n")
    return any(map(named_test, lines[max(line.number - 2, 0) : line.number - 1]))
