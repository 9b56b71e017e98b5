"""How long it takes to repair a patch: an ordinary one, the worst ones, and one from the shell."""

import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from beside import TRIES, judge, least_seconds, loop_us, loops, share, slower

from react_agent.parsers.patch import Repaired, repair

TYPICAL_MS = 3.0
WORST_S = 1.0
MOST_GROWTH = 3.5  # from half the size to all of it: linear doubles, a square is 4 times as much
SHORTEST = 0.02  # seconds: what takes less is too short to tell how it grows
IMPORT_MS = 30.0
COMMAND_MS = 200.0
LOOPS = 500
ROUNDS = 51
# Its own time on a processor: the start of a process is at the mercy of the machine.
IMPORT = (
    "import time; began = time.process_time(); import react_agent.parsers.patch; "
    "print(time.process_time() - began)"
)
LEAST_ROUNDS = 15  # fewer may all be disturbed

Sized = Callable[[int], tuple[str, Mapping[str, str]]]


def main() -> int:
    return max(_typical(), _worst(), _starts())


def _file(count: int) -> list[str]:
    return [f"    value_{n} = read({n * 7919 % 10007}, total)" for n in range(count)]


def _patch(
    name: str, lines: list[str], places: list[int], quoted: Callable[[str], str] = str, off: int = 3
) -> str:
    """One line replaced at each place; wrong starts, and counts that are one too small."""
    parts = [f"--- a/{name}\n+++ b/{name}\n"]
    for at in places:
        above, below = lines[at - 3 : at], lines[at + 1 : at + 4]
        body = [
            *(f" {quoted(line)}" for line in above),
            f"-{quoted(lines[at])}",
            f"+    changed({at})",
            *(f" {quoted(line)}" for line in below),
        ]
        parts.append(f"@@ -{at - 2 + off},6 +{at - 2 + off},6 @@\n" + "\n".join(body) + "\n")
    return "".join(parts)


def _text(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


def _misquoted(line: str) -> str:
    return line.replace("total", "totel")


def _ordinary() -> tuple[str, Mapping[str, str]]:
    first, second = _file(1000), [line.replace("value", "count") for line in _file(1000)]
    patch = _patch("a.py", first, [200, 700]) + _patch("b.py", second, [500])
    return f"Here it is:\n\n```diff\n{patch}```\n", {"a.py": _text(first), "b.py": _text(second)}


def _nowhere(count: int) -> tuple[str, Mapping[str, str]]:
    lines = [line.replace("read", "no such").replace("value", "x") for line in _file(count)]
    places = list(range(count // 40, count, count // 20))
    return _patch("a.py", lines, places), {"a.py": _text(_file(count))}


def _all_misquoted(count: int) -> tuple[str, Mapping[str, str]]:
    places = list(range(count // 40, count, count // 20))
    return _patch("a.py", _file(count), places, _misquoted), {"a.py": _text(_file(count))}


def _long_hunk(count: int) -> tuple[str, Mapping[str, str]]:
    lines = _file(count * 5)
    quoted = [f" {line}" for line in lines[count : 2 * count]]
    for at in range(10, count - 10, 50):
        quoted[at] = f"-{quoted[at][1:]}\n+    changed({at})"
        quoted[at + 20] = _misquoted(quoted[at + 20])
    body = "\n".join(quoted)
    return f"--- a/a.py\n+++ b/a.py\n@@ -5,9 +5,9 @@\n{body}\n", {"a.py": _text(lines)}


WORST: Mapping[str, tuple[Sized, int]] = {
    "no match anywhere in 10,000 lines": (_nowhere, 10_000),
    "all lines misquoted, 10,000 lines": (_all_misquoted, 10_000),
    "a hunk of 2,000 lines": (_long_hunk, 2000),
}


def _typical() -> int:
    patch, files = _ordinary()
    done = repair(patch, files)
    assert isinstance(done, Repaired), done
    subjects = {"repair": lambda: repair(patch, files), "a loop in Python": loops(LOOPS)}
    taken = least_seconds(subjects, max(share(ROUNDS), LEAST_ROUNDS))
    return _judged("3 hunks, 2 files of 1,000 lines", taken["repair"], _slow(taken), TYPICAL_MS)


def _slow(taken: Mapping[str, float]) -> float:
    """How much slower this machine is, now, than the one that the bars were set on."""
    return slower(taken["a loop in Python"] / LOOPS * 1e6)


def _judged(name: str, seconds: float, slow: float, bar_ms: float) -> int:
    undisturbed = seconds / slow * 1000
    told = f"{name}: {undisturbed:.2f} ms undisturbed, the bar is {bar_ms:.0f} ms"
    return judge(undisturbed <= bar_ms, told)


def _worst() -> int:
    print(f"The worst: half the size, all of it (bars: {WORST_S} s, {MOST_GROWTH} times)")
    return max([_grown(name, *each) for name, each in WORST.items()])


def _grown(name: str, make: Sized, size: int) -> int:
    half, whole, slow = _seconds(make(size // 2)), _seconds(make(size)), _speed()
    growth = whole / half
    met = whole / slow <= WORST_S and (growth < MOST_GROWTH or whole < SHORTEST)
    outcome = type(repair(*make(size))).__name__
    print(
        f"  {'met' if met else 'MISSED':6}  {name:36}{half:8.3f} s{whole:8.3f} s{growth:6.1f}"
        f"  {outcome}"
    )
    return int(not met)


def _seconds(given: tuple[str, Mapping[str, str]]) -> float:
    best = math.inf
    for _ in range(TRIES):
        start = time.process_time()
        repair(*given)
        best = min(best, time.process_time() - start)
    return best


def _speed() -> float:
    return slower(min(loop_us(LOOPS) for _ in range(TRIES)))


def _starts() -> int:
    patch, files = _ordinary()
    cli = str(Path(sys.executable).with_name("react-agent"))
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text)
        subjects = {
            "command": lambda: _run(cli, "repair", "--repo", folder, given=patch),
            "a loop in Python": loops(LOOPS),
        }
        rounds = max(share(ROUNDS // 2), LEAST_ROUNDS)
        taken = least_seconds(subjects, rounds)
    slow = _slow(taken)
    imported = min(float(_run(sys.executable, "-c", IMPORT)) for _ in range(rounds))
    return max(
        _judged("import of react_agent.parsers.patch", imported, slow, IMPORT_MS),
        _judged("react-agent repair, start to end", taken["command"], slow, COMMAND_MS),
    )


def _run(*command: str, given: str = "") -> str:
    return subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    sys.exit(main())
