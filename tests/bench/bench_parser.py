"""What reading a reply costs, and how that grows with its length."""

import contextlib
import math
import sys
import time
from collections.abc import Callable, Mapping

from beside import INTERPRETED_US, judge, loops, median_seconds, share, slower, tried

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.turn.stop import StopScanner
from react_agent.parsers.turn.turn import Kind, parse_turn
from react_agent.parsers.values.arguments import read_value

ROUNDS = 301
TIMES = 200  # that a typical turn is read in one round: the clock is coarse
BAR_US = 25.0  # where the yardstick takes INTERPRETED_US
MEGABYTE = 1 << 20
SHORT = MEGABYTE // 64
# Of time over length, from the one to the other. 1 is linear and 2 is not; a core that is twice as
# slow at one end makes 0.17 of it, and so can a text that no longer fits the caches.
BAR_EXPONENT = 1.3
SHORTEST = 0.02  # seconds: what takes less is too short to tell how it grows
TRIES, MOST_TRIES = 2, 8
SHORTS = 4  # to each try
CHUNK = 4096

TYPICAL = """ The range is taken from the first number only, so the last line is never shown.
Action: apply_patch
Action Input: --- a/src/dates.py
+++ b/src/dates.py
@@ -10,6 +10,6 @@ def parse_range(text: str) -> Range:
     first, _, last = text.partition("-")
     if not first.isdigit():
         raise ValueError(f"not a range: {text!r}")
-    return Range(int(first), int(first))
+    return Range(int(first), int(last or first))
     def width(self) -> int:
         return self.last - self.first
"""

HEAD = "I look.\nAction: run\nAction Input: "
STEP = "Thought: again\nAction: grep\nAction Input: x\nObservation: y\n"
TEXTS: Mapping[str, tuple[str, str]] = {
    "`Action:` lines": ("", "Action: x\n"),
    "newline runs": ("", "\n"),
    "newline runs in an input": (HEAD, "\n"),
    "`Action`, blanks and digits": ("Action", " \t1"),
    "`Action` and blanks": ("Action: x", " "),
    "open braces": (HEAD, "{"),
    "open braces without labels": ("", '{"a": '),
    "open fences": ("", "```x\n"),
    "open fences in an input": (HEAD, "\n```x\n"),
    "open `<think>`": ("", "<think>"),
    "open `<think>` lines": ("", "<think>\n"),
    "pairs of `<think>`": ("", "<think></think>"),
    "many steps": ("", STEP),
    "many steps in one fence": ("```\n", STEP),
    "here-documents": (HEAD, "cat <<A <<B\n"),
    "special tokens": (HEAD, "<|im_end|>"),
    "remnants": (HEAD, "Obs\n"),
    "tags of calls": ("", "<tool_call>"),
    "damaged JSON": ("", '{"action": "grep", "action_input": {"x": [1, \'2\\d, // y\n'),
    "damaged JSON in an input": (HEAD, '{"x": [1, \'2\\d, // y\n'),
    "prose": ("", "I look at the file again, and see nothing that I had not seen. "),
}


def main() -> int:
    # Again where the bar is missed: a core that is busy for a moment slows the two apart.
    return max(tried(_typical), _growth())


def _typical() -> int:
    subjects = {"parse_turn": _read, "a loop in Python": loops(TIMES)}
    assert parse_turn(TYPICAL, tools=_TOOLS).kind is Kind.ACTION
    taken = median_seconds(subjects, share(ROUNDS))
    read, loop = (seconds / TIMES * 1e6 for seconds in taken.values())
    print(f"A typical turn of {len(TYPICAL.split(chr(10)))} lines (median)")
    print(f"  parse_turn {read:6.2f} us, a loop in Python {loop:6.2f} us")
    told = f"{read / slower(loop):.2f} us if the loop takes {INTERPRETED_US} us or less"
    return judge(read / slower(loop) <= BAR_US, f"{told}, the bar is {BAR_US:.0f}")


def _read() -> None:
    for _ in range(TIMES):
        parse_turn(TYPICAL, tools=_TOOLS)


_TOOLS = frozenset({"list_files", "grep", "read_file", "apply_patch", "run"})


def _growth() -> int:
    print("Growth from 16 kB to 1 MB: the exponent of the time, and the time for 1 MB")
    print(f"  {'':29}{'reader':>15}{'stop scanner':>17}{'read_value':>17}")
    worst = 0.0
    for name, (head, piece) in TEXTS.items():
        figures = [_exponent(head, piece, reader) for reader in (parse_turn, _scan, _value)]
        worst = max(worst, *(exponent for exponent, taken in figures if taken >= SHORTEST), 0)
        cells = "".join(f"{exponent:8.2f} {taken:5.2f} s" for exponent, taken in figures)
        print(f"  {name:29}{cells}")
    return judge(worst <= BAR_EXPONENT, f"{worst:.2f} at most, the bar is {BAR_EXPONENT}")


def _exponent(head: str, piece: str, reader: Callable[[str], object]) -> tuple[float, float]:
    """The best of each length; looked at again where the bar is missed: the core may be busy."""
    short, long = (head + piece * (size // len(piece)) for size in (SHORT, MEGABYTE))
    at_best = [math.inf, math.inf]
    for again in range(MOST_TRIES):
        taken = (min(_seconds(reader, short) for _ in range(SHORTS)), _seconds(reader, long))
        at_best = [min(pair) for pair in zip(at_best, taken, strict=True)]
        exponent = math.log(at_best[1] / at_best[0]) / math.log(MEGABYTE / SHORT)
        if again + 1 >= TRIES and (exponent <= BAR_EXPONENT or at_best[1] < SHORTEST):
            break
    return exponent, at_best[1]


def _seconds(reader: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    reader(text)
    return time.process_time() - start


def _scan(text: str) -> None:
    scanner = StopScanner()
    for begin in range(0, len(text), CHUNK):
        scanner.feed(text[begin : begin + CHUNK])
    scanner.finish()


def _value(text: str) -> None:
    with contextlib.suppress(ParseError):
        read_value(text)


if __name__ == "__main__":
    sys.exit(main())
