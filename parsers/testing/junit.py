"""How each test ended, as pytest writes it to a JUnit XML file (its family xunit1).

The file is made by code that nobody vouches for: only counts and names are read, a document type
or an entity is refused, and what contradicts the exit code is not used.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from xml.parsers import expat

from react_agent.parsers.testing.report import Failure, Report

MOST = 16_000_000  # bytes
_XFAIL = "pytest.xfail"


class _RefusedError(Exception):
    """A declaration that no runner writes."""


@dataclass(slots=True)
class Cases:
    passed: int = 0
    skipped: int = 0
    xfailed: int = 0
    failed: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def code(self) -> int:
        """The exit code of pytest; none of its codes where there is no test."""
        if self.failed or self.errors:
            return 1
        return 0 if self.passed or self.skipped or self.xfailed else -1


def read_junit(data: bytes) -> Cases | None:
    """None for what no runner wrote."""
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = reader.refuse
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    try:
        parser.Parse(data[: MOST + 1], True)
    except (expat.ExpatError, _RefusedError, ValueError, LookupError):
        return None
    return reader.cases if len(data) <= MOST else None


class _Reader:
    def __init__(self) -> None:
        self.cases = Cases()
        self._name = ""
        self._ends = set[str]()

    def refuse(self, *_: object) -> None:
        raise _RefusedError

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "testcase":
            self._name, self._ends = _id(attributes), set()
        elif tag in ("failure", "error", "skipped"):
            self._ends.add(_XFAIL if attributes.get("type") == _XFAIL else tag)

    def end(self, tag: str) -> None:
        if tag != "testcase":
            return
        cases, ends = self.cases, self._ends
        cases.failed += [self._name] * ("failure" in ends)
        cases.errors += [self._name] * ("error" in ends)
        cases.skipped += ends == {"skipped"}
        cases.xfailed += ends == {_XFAIL}
        cases.passed += not ends


def _id(attributes: Mapping[str, str]) -> str:
    """`tests.test_a.TestA` in tests/test_a.py is its class TestA."""
    path, name = attributes.get("file", ""), attributes.get("name", "")
    inner = attributes.get("classname", "").removeprefix(path.removesuffix(".py").replace("/", "."))
    return "::".join(part for part in (path, *inner.strip(".").split("."), name) if part)


def with_cases(report: Report | None, cases: Cases) -> Report:
    """Counts and names of the file; what explains a failure stands in the log only."""
    told = report.failures if report else ()
    notes = report.notes if report else ()
    kept = [note for note in notes if not note.endswith(("xfailed", "xpassed"))]
    return Report(
        passed=cases.passed,
        failed=len(cases.failed),
        errors=len(cases.errors),
        skipped=cases.skipped,
        failures=(
            *_named(cases.errors, [one for one in told if one.is_error], is_error=True),
            *_named(cases.failed, [one for one in told if not one.is_error]),
        ),
        notes=(*kept, *([f"{cases.xfailed} xfailed"] if cases.xfailed else ())),
    )


def _named(
    names: Sequence[str], told: Sequence[Failure], *, is_error: bool = False
) -> list[Failure]:
    """Each by its name; where the log spells as many names otherwise, by the order."""
    by_name = {one.id: one for one in told}
    others = [one for one in told if one.id not in names]
    if len(others) == sum(name not in by_name for name in names):
        left = iter(others)
        return [by_name.get(name) or replace(next(left), id=name) for name in names]
    return [by_name.get(name) or Failure(name, "", (), is_error) for name in names]
