"""Read the output of `go test`, with or without -v.

log     = ("=== RUN" NAME | "--- FAIL: " NAME | verdict | build | panic | other)*
verdict = ("ok" | "FAIL" | "?") TAB PACKAGE TAB ...
build   = "# " PACKAGE [" [" PACKAGE ".test]"] NEWLINE place*

If a test's output does not end with a newline, its result is on the same line as the output.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from react_agent.parsers.testing.report import Failure, Report, Status, dedented, worse
from react_agent.parsers.text.late_pattern import LatePattern

_RUN = LatePattern(r"\s*=== (?:RUN|CONT|NAME|PAUSE)\s+(?P<name>\S+)")
_DONE = LatePattern(r".*?--- (?P<word>PASS|FAIL|SKIP): (?P<name>\S+) \(\d.*")
_PACKAGE = LatePattern(r"(?P<word>ok|FAIL|\?)\s*\t(?P<name>\S+).*|FAIL\s+(?P<alone>\S+) \[.*")
_BUILD = LatePattern(r"# (?P<name>\S+)(?: \[\S+\])?")
_PANIC = LatePattern(r"(?:panic|fatal error): .*")
_PLACE = LatePattern(r"\s*(?P<place>[^\s:]+\.go:\d+)(?::\d+)?:.*")
_FRAME = LatePattern(r"\t(?P<place>[^\s:/][^\s:]*\.go:\d+)(?: .*)?")
_LEFT = LatePattern(r"(?:PASS|FAIL|exit status \d+|coverage: .*|testing: warning: no tests to run)")
_NONE = "[no tests to run]"
_WORDS = {"PASS": Status.PASSED, "SKIP": Status.SKIPPED, "FAIL": Status.FAILED}


@dataclass(slots=True)
class _Package:
    """The lines and tests read so far of a Go package, whose name comes last in the log."""

    current: str = ""  # what prints: a test, "# " and what could not be built, "! " and a panic
    printed: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    tests: dict[str, Status] = field(default_factory=dict)


def read_go(text: str) -> Report | None:
    """Return the report, or None if `go test` did not write the text."""
    package, statuses = _Package(), list[Status]()
    failures, verdicts = list[Failure](), list[str]()
    for number, line in enumerate(text.split("\n"), 1):
        if found := _PACKAGE.fullmatch(line):
            verdicts.append("no tests" if line.endswith(_NONE) else found["word"] or "FAIL")
            own = _failures(package, found["name"] or found["alone"])
            is_fine = found["word"] == "ok"  # a test expected what it printed
            failures += [one for one in own if not (is_fine and _PANIC.fullmatch(one.id))]
            statuses += package.tests.values()
            package = _Package()
        else:
            _take(package, number, line)
    if not (verdicts or package.tests or failures):
        return None
    failures += _failures(package, "")
    statuses += package.tests.values()
    passed, skipped = statuses.count(Status.PASSED), statuses.count(Status.SKIPPED)
    packages = 0 if passed or skipped else verdicts.count("ok")
    errors = sum(one.is_error for one in failures)
    return Report(
        passed=passed or packages,
        failed=len(failures) - errors,
        errors=errors,
        skipped=skipped,
        failures=tuple(failures),
        notes=("passed counts packages, not tests",) if packages else (),
        is_whole=bool(verdicts),
    )


def _take(package: _Package, number: int, line: str) -> None:
    if found := _RUN.fullmatch(line):
        package.current = found["name"]
    elif found := _DONE.fullmatch(line):
        package.current = name = found["name"]
        package.tests[name] = worse(_WORDS[found["word"]], package.tests.get(name))
    elif package.current[:1] in ("", "#") and (found := _BUILD.fullmatch(line)):
        package.current = f"# {found['name']}"
    elif _PANIC.fullmatch(line):
        package.current = f"! {line}"
        package.printed[package.current] = [(number, line)]
    elif not _LEFT.fullmatch(line):
        package.printed.setdefault(package.current, []).append((number, line))


def _failures(package: _Package, name: str) -> list[Failure]:
    """Return a package's failures, except silent tests that failed only because of a subtest."""
    failed = [test for test, status in package.tests.items() if status.is_failure]
    return [
        _failure(f"{test} ({name})" if name else test, package.printed.get(test, []))
        for test in failed
        if package.printed.get(test) or not any(one.startswith(f"{test}/") for one in failed)
    ] + [
        _failure(what[2:], printed, is_error=True)
        for what, printed in package.printed.items()
        if what.startswith(("# ", "! "))
    ]


def _failure(name: str, printed: Sequence[tuple[int, str]], is_error: bool = False) -> Failure:
    lines = [line for _, line in printed]
    places = (found["place"] for line in lines if (found := _PLACE.fullmatch(line)))
    frames = (found["place"] for line in lines if (found := _FRAME.fullmatch(line)))
    place = next(places, "") or next(frames, "")
    shown = tuple(line for line in dedented(lines) if not line.startswith("goroutine "))
    first, last = (printed[0][0], printed[-1][0]) if printed else (0, 0)
    return Failure(name, place.removeprefix("./"), shown, is_error, first, last)
