"""An experiment as a page is made of: attempts with real transcripts, some of them hostile."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from react_agent.eval.task import Key, Kind, Record, Tests, Used, Verdict
from react_agent.parsers.transcript.entries import (
    HEADER,
    VERSION,
    Entry,
    Event,
    Objective,
    Said,
    Seen,
)
from react_agent.parsers.transcript.writer import write_entry
from react_agent.parsers.turn.turn import Kind as Reply
from react_agent.parsers.turn.turn import Turn

HOSTILE = (
    "</script><script>window.broken = 1</script><!-- <script> \u2028 & &lt; "
    "<img src=x onerror=window.broken=1> \x1b[31mred\x1b[0m \u202eevil\u202c \ud800 ]]> "
)
PATCH = "--- a/src/area.py\n+++ b/src/area.py\n@@ -1 +1 @@\n-    return a + b\n+    return a * b\n"
WHY = (Kind.TESTS_FAIL, Kind.NEVER_FOUND, Kind.STUCK, Kind.ENDPOINT)
SEEN = (
    "1 matching line in 1 of 3 files\nsrc/area.py\n  2| return a + b",
    "exit code 1\nnot 6, but 5",
)


def experiment(
    root: Path, issues: int = 6, steps: int = 8, arms: Sequence[str] = ("plain", "bare")
) -> list[Record]:
    return [
        _attempt(root, Key(f"shop__area-{number}", arm, 1), steps, (number + place) % 5)
        for number in range(1, issues + 1)
        for place, arm in enumerate(arms)
    ]


def _attempt(root: Path, key: Key, steps: int, fate: int) -> Record:
    """Two of five are resolved, and one is no fault of the model's."""
    folder = root / "attempts" / key.instance / f"{key.arm}-{key.number}"
    write(folder, run(f"The area is wrong ({key.instance})", steps))
    record = Record(
        key,
        "shop/area",
        Verdict.RESOLVED,
        stop="concluded",
        used=Used(steps, 900 * steps, 40 * steps, cost=0.01 * steps, seconds=2.5 * steps),
        tests=Tests(("tests/test_area.py::test_area",), kept=("tests/test_area.py::test_none",)),
        patch=PATCH,
        folder=folder,
    )
    if fate in (0, 4):
        return record
    kind = WHY[fate]
    return replace(
        record,
        verdict=Verdict.UNRESOLVED,
        kind=kind,
        step=min(3, steps),
        reason="test_area still fails",
        is_infrastructure=kind.is_infrastructure,
    )


def run(objective: str, steps: int) -> list[Entry]:
    entries: list[Entry] = [Event(HEADER, VERSION), Event("run", "planted"), Objective(objective)]
    for number in range(1, steps + 1):
        seen = SEEN[number % 2]
        thought = f"Thought number {number} of this run."
        entries.append(Said(Turn(Reply.ACTION, thought, "grep", f"needle{number}")))
        status = "failed" if seen.startswith("exit") else "ok"
        entries.append(Seen(seen, {"n": str(number), "status": status, "tool": "grep"}))
    entries.append(Said(Turn(Reply.CONCLUSION, "Done.", conclusion="The area is right now.")))
    return [*entries, Event("stop", "concluded")]


def write(folder: Path, entries: Sequence[Entry]) -> None:
    folder.mkdir(parents=True)
    text = "".join(write_entry(entry) for entry in entries)
    (folder / "transcript.txt").write_bytes(text.encode(errors="surrogateescape"))
    (folder / "test_output.txt").write_bytes(b"\x1b[32mPASSED\x1b[0m tests \xff\r\n")


def hostile(root: Path) -> Record:
    """Every text of it."""
    folder = root / "attempts" / "hostile"
    turn = Turn(Reply.ACTION, HOSTILE, "grep", HOSTILE)
    write(
        folder,
        [
            Event(HEADER, VERSION),
            Objective(HOSTILE),
            Said(turn),
            Seen(HOSTILE + "\n" + HOSTILE, {"n": "1"}),
            Event("stuck", HOSTILE),
            Said(Turn(Reply.CONCLUSION, HOSTILE, conclusion=HOSTILE)),
        ],
    )
    return Record(
        Key(HOSTILE, HOSTILE, 1),
        *(HOSTILE, Verdict.UNRESOLVED, HOSTILE, 1, HOSTILE),
        stop=HOSTILE,
        tests=Tests(not_fixed=(HOSTILE,)),
        used=Used(1, parts={HOSTILE: 5}),
        patch=HOSTILE,
        folder=folder,
    )
