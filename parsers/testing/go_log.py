r"""What `go test` printed, with -json, -v or without.

log    = ("=== RUN" NAME | "--- FAIL: " NAME | verdict | build | other)*
verdict = ("ok" | "FAIL" | "?") TAB PACKAGE TAB ...       build = "# " PACKAGE NEWLINE place*
json   = ({"Action", "Package", "Test", "Output", ...} | other)*, an object a line
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from react_agent.parsers.terminal import plain
from react_agent.parsers.testing.report import Failure, Report, dedented

_RUN = re.compile(r"\s*=== (?:RUN|CONT|NAME|PAUSE)\s+(?P<name>\S+)")
_DONE = re.compile(r"\s*--- (?P<word>PASS|FAIL|SKIP): (?P<name>\S+) .*")
_PACKAGE = re.compile(
    r"(?P<word>ok|FAIL|\?)\s*\t(?P<name>\S+)(?P<rest>.*)|FAIL\s+(?P<alone>\S+) \[.*"
)
_BUILD = re.compile(r"# (?P<name>\S+).*")
_PLACE = re.compile(r"\s*(?P<place>[^\s:]+\.go:\d+)(?::\d+)?:.*")
_PANIC = re.compile(r"(?:panic|fatal error): .*")
_FRAME = re.compile(r"\t(?P<place>[^\s:]+\.go:\d+)(?: .*)?")
_LEFT = re.compile(r"(?:PASS|FAIL|exit status \d+|coverage: .*|testing: warning: no tests to run)")


@dataclass(slots=True)
class _Seen:
    """What was read so far."""

    current: str = ""
    said: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    packages: list[tuple[str, str]] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    passed: int = 0
    skipped: int = 0


def read_go_json(text: str) -> tuple[str, Report | None]:
    """As a log that people read, package after package; tests by their events."""
    others, said = list[str](), dict[str, list[str]]()
    ended = dict[tuple[str, str], str]()
    for line in text.split("\n"):
        event = _event(line)
        if event is None:
            others.append(line)
            continue
        package, test = event.get("Package", ""), event.get("Test", "")
        said.setdefault(package, []).append(plain(event.get("Output", "")).text)
        if test and event["Action"] in ("pass", "fail", "skip"):
            ended[package, test] = event["Action"]
    log = "\n".join((*filter(None, others), *("".join(parts).rstrip() for parts in said.values())))
    report = read_go(log)
    return log, report and _by_events(report, ended)


def _event(line: str) -> Mapping[str, str] | None:
    try:
        value = json.loads(line) if line.startswith("{") else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not isinstance(value.get("Action"), str):
        return None
    told = ((key, text) for key, text in value.items() if isinstance(text, str))
    return {key: text.encode(errors="replace").decode() for key, text in told}  # no half pairs


def _by_events(report: Report, ended: Mapping[tuple[str, str], str]) -> Report:
    """A line of the log is lost where a test printed no end of line before it."""
    words = list(ended.values())
    if not words:
        return report
    failed = [key for key, word in ended.items() if word == "fail"]
    known = {one.id for one in report.failures}
    lost = [
        Failure(f"{test} ({package})", "", ())
        for package, test in failed
        if f"{test} ({package})" not in known
        and not any(of == package and name.startswith(f"{test}/") for of, name in failed)
    ]
    return replace(
        report,
        passed=words.count("pass"),
        failed=report.failed + len(lost),
        skipped=words.count("skip"),
        failures=(*report.failures, *lost),
        notes=(),
    )


def read_go(text: str) -> Report | None:
    """None for what no `go test` wrote."""
    seen = _Seen()
    for number, line in enumerate(text.split("\n"), 1):
        _take(seen, number, line)
    if not (seen.packages or seen.words or seen.failures):
        return None
    _close(seen, "")
    ok = sum(word == "ok" for word, _ in seen.packages)
    failed = sum(not one.is_error for one in seen.failures)
    return Report(
        passed=seen.passed or ok,
        failed=failed,
        errors=len(seen.failures) - failed,
        skipped=seen.skipped,
        failures=tuple(seen.failures),
        notes=() if seen.passed or not ok else ("passed are counted in packages",),
        is_whole=bool(seen.packages),
    )


def _take(seen: _Seen, number: int, line: str) -> None:
    if found := _RUN.fullmatch(line):
        seen.current = found["name"]
    elif found := _DONE.fullmatch(line):
        seen.current = found["name"]
        seen.words[seen.current] = found["word"]
    elif found := _PACKAGE.fullmatch(line):
        name = found["name"] or found["alone"]
        seen.packages.append((found["word"] or "FAIL", name))
        _close(seen, name)
    elif found := _BUILD.fullmatch(line):
        seen.current = f"# {found['name']}"
    elif _PANIC.fullmatch(line):
        seen.current = f"! {line}"
        seen.said[seen.current] = [(number, line)]
    elif not _LEFT.fullmatch(line):
        seen.said.setdefault(seen.current, []).append((number, line))


def _close(seen: _Seen, package: str) -> None:
    """At the end of a package: what failed in it."""
    words = seen.words
    for name, word in words.items():
        inner = any(other.startswith(f"{name}/") for other in words if words[other] == "FAIL")
        if word == "FAIL" and not (inner and not seen.said.get(name)):
            seen.failures.append(_failure(f"{name} ({package})", seen.said.get(name, [])))
    for name, said in seen.said.items():
        if name.startswith(("# ", "! ")) and said:
            seen.failures.append(_failure(name[2:], said, is_error=True))
    seen.passed += sum(word == "PASS" for word in words.values())
    seen.skipped += sum(word == "SKIP" for word in words.values())
    seen.words, seen.said, seen.current = {}, {}, ""


def _failure(name: str, said: Sequence[tuple[int, str]], is_error: bool = False) -> Failure:
    lines = [line for _, line in said]
    places = [found["place"] for line in lines if (found := _PLACE.fullmatch(line))]
    frames = [found["place"] for line in lines if (found := _FRAME.fullmatch(line))]
    ours = [place for place in frames if not place.startswith("/")]
    place = next(iter([*places, *ours]), "")
    shown = tuple(line for line in dedented(lines) if not line.startswith("goroutine "))
    first, last = (said[0][0], said[-1][0]) if said else (0, 0)
    return Failure(name, place.removeprefix("./"), shown, is_error, first, last)
