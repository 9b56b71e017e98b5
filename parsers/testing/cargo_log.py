r"""What `cargo test` printed.

log    = ("test " NAME " ... " WORD | block | result | compiler error | other)*
block  = "---- " NAME " stdout ----" line*
result = "test result: " ... N "passed;" N "failed;" ...
"""

import re
from collections.abc import Iterator, Sequence

from react_agent.parsers.testing.report import Failure, Report, dedented

_RESULT = re.compile(
    r"test result: \w+\. (?P<passed>\d+) passed; (?P<failed>\d+) failed; (?P<ignored>\d+) ignored;"
    r".*?(?P<filtered>\d+) filtered out.*"
)
_BLOCK = re.compile(r"---- (?P<name>.+?) (?:stdout )?----|---- (?P<doc>.+) ----")
_ENDS = ("failures:", "test result: ", "successes:")
_PANICKED = re.compile(r".*panicked at (?:.*, )?(?P<place>[^\s,':]+:\d+)(?::\d+)?:?")
_COMPILER = re.compile(r"error(?:\[E\d+\])?: (?!could not compile|test failed|aborting).+")
_ARROW = re.compile(r"\s*--> (?P<place>[^\s:]+:\d+)(?::\d+)?")
_BACKTRACE = re.compile(r"stack backtrace:|note: (?:run with|Some details)")
_LONGEST = 14  # lines of what a compiler says about one error


def read_cargo(text: str) -> Report | None:
    """None for what no cargo wrote."""
    lines = text.split("\n")
    results = [found for line in lines if (found := _RESULT.match(line))]
    failures = (*_failures(lines), *(() if results else _refusals(lines)))
    if not results and not failures:
        return None
    filtered = sum(int(one["filtered"]) for one in results)
    return Report(
        passed=sum(int(one["passed"]) for one in results),
        failed=sum(int(one["failed"]) for one in results),
        errors=sum(one.is_error for one in failures),
        skipped=sum(int(one["ignored"]) for one in results),
        failures=failures,
        notes=(f"{filtered} filtered out",) if filtered else (),
        is_whole=bool(results),
    )


def _failures(lines: Sequence[str]) -> Iterator[Failure]:
    name, first = "", 0
    for number, line in enumerate((*lines, _ENDS[0]), 1):
        block = _BLOCK.fullmatch(line)
        if name and (block or line.startswith(_ENDS)):
            yield _failure(name, lines[first : number - 1], first)
            name = ""
        if block:
            name, first = block["name"] or block["doc"], number


def _failure(name: str, lines: Sequence[str], first: int) -> Failure:
    end = next((at for at, line in enumerate(lines) if _BACKTRACE.match(line)), len(lines))
    places = [found["place"] for line in lines if (found := _PANICKED.fullmatch(line))]
    places += [found["place"] for line in lines if (found := _ARROW.fullmatch(line))]
    place = places[0] if places else ""
    return Failure(name, place, dedented(lines[:end]), False, first, first + len(lines))


def _refusals(lines: Sequence[str]) -> Iterator[Failure]:
    """Errors of the compiler, up to the next blank line."""
    for number, line in enumerate(lines):
        if not _COMPILER.fullmatch(line):
            continue
        rest = lines[number + 1 :]
        part = rest[: rest.index("") if "" in rest else len(rest)]
        places = [found["place"] for one in part if (found := _ARROW.fullmatch(one))]
        place = places[0] if places else ""
        last = number + 1 + len(part)
        yield Failure(line, place, dedented(part[:_LONGEST]), True, number + 1, last)
