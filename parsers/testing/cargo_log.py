r"""What `cargo test` printed.

log    = ("test " NAME " ... " WORD | block | result | compiler error | other)*
block  = "---- " NAME [" stdout"] " ----" line*
result = "test result: " ... N "passed;" N "failed;" ...
error  = "error[" CODE "]: " MESSAGE NEWLINE " --> " PLACE line*, up to an empty line
"""

from collections.abc import Sequence

from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.testing.report import Failure, Report, blocks, cut_off, dedented

_RESULT = LatePattern(
    r"test result: \w+\. (?P<passed>\d+) passed; (?P<failed>\d+) failed; (?P<ignored>\d+) ignored;"
    r".*?(?P<filtered>\d+) filtered out.*"
)
_BLOCK = LatePattern(r"---- (?P<name>.+?) (?:stdout )?----")
_END = LatePattern(r"(?:failures:|test result: |successes:).*")
_COMPILER = LatePattern(
    r"(?P<name>error(?:\[E\d+\])?: (?!could not compile|test failed|aborting).+)"
)
_EMPTY = LatePattern("")
_PLACE = LatePattern(r"(?:.*panicked at (?:.*, )?|\s*--> )(?P<place>[^\s,':]+:\d+)(?::\d+)?:?")
_BACKTRACE = LatePattern(r"stack backtrace:|note: (?:run with|Some details)")
_LONGEST = 14  # lines of what a compiler says about one error


def read_cargo(text: str) -> Report | None:
    """None for what no cargo wrote."""
    lines = text.split("\n")
    results = [found for line in lines if (found := _RESULT.match(line))]
    failures = [
        _failure(found["name"], part, first) for first, found, part in blocks(lines, _BLOCK, _END)
    ]
    if not results:
        failures += [
            _failure(found["name"], part, first, is_error=True)
            for first, found, part in blocks(lines, _COMPILER, _EMPTY)
        ]
        return cut_off(failures) if failures else None
    passed, failed, ignored, filtered = (
        sum(int(one[word]) for one in results)
        for word in ("passed", "failed", "ignored", "filtered")
    )
    notes = (f"{filtered} filtered out",) if filtered else ()
    return Report(passed, failed, 0, ignored, tuple(failures), notes)


def _failure(name: str, lines: Sequence[str], first: int, is_error: bool = False) -> Failure:
    end = next((at for at, line in enumerate(lines) if _BACKTRACE.match(line)), len(lines))
    place = next((found["place"] for line in lines if (found := _PLACE.fullmatch(line))), "")
    shown = dedented(lines[: min(end, _LONGEST) if is_error else end])
    return Failure(name, place, shown, is_error, first, first + len(lines))
