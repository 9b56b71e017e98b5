"""What a step costs that is remembered, and a question among 100,000; beside Python's own work."""

import os
import random
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from beside import judge, least_seconds, loops, machine, median_seconds, tried

from react_agent.memory.index import Memory
from react_agent.memory.recall import reminders
from react_agent.memory.search import search
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Said, Seen
from react_agent.parsers.transcript.writer import observation_text, turn_text
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.state.state import Step

FRACTION = float(os.environ.get("LONG_FRACTION", "1"))
EVENTS = int(100_000 * FRACTION)
INSERT_BAR_MS, RECALL_BAR_MS = 1.0, 20.0
INSERTED = 200  # steps of 2 to 8 kB
ROUNDS = 5
LOOPS = 1000  # of the yardstick
MODULES = ("socket", "ssl", "argparse", "tarfile", "zipfile", "shutil", "decimal", "threading")
ASKED = (
    "retry limit of the client",
    "how many connections has the pool",
    "timeout",
    "ValueError: unknown unit",
    "self.close",
    "return the name of the file",
    "parse_args of the argument parser",
)
THOUGHT = "Next I change src/net/client.py, where DEFAULT_RETRY_LIMIT and `timeout` are used."


def _steps(count: int, least: int, most: int) -> list[Step]:
    library = Path(sysconfig.get_path("stdlib"))
    texts = [(library / f"{name}.py").read_text(encoding="utf-8") for name in MODULES]
    lines = "\n".join(texts).split("\n")
    return [_step(at, least, most, lines) for at in range(count)]


def _step(at: int, least: int, most: int, lines: Sequence[str]) -> Step:
    chosen = random.Random(at)
    size, first = chosen.randrange(least, most), chosen.randrange(len(lines))
    text = "\n".join(lines[first : first + 300])[:size]
    if at % 5000 == 77:
        text = f"DEFAULT_RETRY_LIMIT = {at}\n{text}"
    turn = Turn(Kind.ACTION, f"look at part {at} of the client", "read_file", f"src/{at}.py")
    whole = turn_text(turn) + observation_text(text)
    return Step(at + 1, Said(turn), Seen(text), whole, estimate_tokens(whole))


def main() -> int:
    print("Memory")
    missed = tried(_inserted)
    steps = _steps(EVENTS, 200, 900)
    memory = Memory(lambda: steps)
    memory.catch_up()
    held = sum(map(sys.getsizeof, memory.holding.values()))
    print(f"  {EVENTS:,} events in {held / 1e6:,.0f} MB")
    return max(missed, tried(_asked, memory))


def _inserted() -> int:
    made = _steps(INSERTED, 2000, 8000)

    def insert() -> None:
        steps = list[Step]()
        memory = Memory(lambda: steps)
        for step in made:
            steps.append(step)
            memory.catch_up()

    taken = median_seconds({"insert": insert, "yardstick": loops(LOOPS)}, ROUNDS)
    each = taken["insert"] * 1000 / INSERTED
    return _judged({"insert, a step of 2 to 8 kB": each}, taken["yardstick"], INSERT_BAR_MS)


def _asked(memory: Memory) -> int:
    subjects = {
        query: lambda query=query: search(memory, query, {EVENTS})  # type: ignore[misc]
        for query in ASKED
    }
    remind = {"reminders": lambda: reminders(memory, THOUGHT, {EVENTS}, 4)}
    taken = least_seconds({**subjects, **remind, "yardstick": loops(LOOPS)}, ROUNDS)
    yardstick = taken.pop("yardstick")
    each = {name: seconds * 1000 for name, seconds in taken.items()}
    return _judged(each, yardstick, RECALL_BAR_MS)


def _judged(taken: dict[str, float], yardstick: float, bar: float) -> int:
    times = machine(yardstick, LOOPS)
    for name, milliseconds in taken.items():
        print(f"  {name:40} {milliseconds:7.2f} ms")
    told = f"{bar:.0f} ms, times {times:.1f} for the machine"
    return judge(max(taken.values()) <= bar * times, f"the bar is {told}")


if __name__ == "__main__":
    sys.exit(main())
