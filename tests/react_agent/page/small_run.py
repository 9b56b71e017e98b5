"""A short run by hand: a summary, a step taken back, a run within it, and words of a person."""

from pathlib import Path

from react_agent.page.run import read_run, run_page
from react_agent.parsers.secrets.redaction import Redaction
from react_agent.parsers.transcript.entries import (
    HEADER,
    VERSION,
    Entry,
    Event,
    Objective,
    Said,
    Seen,
)
from react_agent.parsers.transcript.writer import write_transcript
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.runs.run_folder import RunFolder
from react_agent.state.transcript import NAME

LONG = "\n".join(f"line {n} of the file" for n in range(40))
PATCH = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-old\n+new\n"


def step(n: int, thought: str, tool: str, given: str, seen: str, **facts: str) -> list[Entry]:
    turn = Turn(Kind.ACTION, thought, tool, given)
    said = Said(turn, facts={"n": str(n), "in": str(400 * n), "out": "20", "cost": "0.01"})
    return [said, Seen(seen, {"n": str(n), "status": "ok", "tool": tool, **facts})]


def entries() -> list[Entry]:
    return [
        Event(HEADER, VERSION),
        Event("run", "small"),
        Event("profile", "issue"),
        Event("model", "planted"),
        Objective("The sum is wrong\n\nIt says 3.", {"at": "2026-05-01T12:00:00+00:00"}),
        *step(1, "Where is it?", "read_file", "a.py", LONG, kind="read"),
        *step(2, "An attempt.", "apply_patch", PATCH, "changed a.py", kind="write", paths="a.py"),
        Event("compressed", "steps=1 stage=oldest"),
        *step(3, "It failed.", "cat", "b.py", "There is no b.py", status="failed", how="alias"),
        Event("retracted", "steps=2 | the test says otherwise"),
        Event("from the maintainer", "look at c.py"),
        *step(4, "Let another do it.", "update_file", "a.py\nmend it", "done", sub="sub/004"),
        Said(Turn(Kind.CONCLUSION, "That is all.", conclusion="The sum is right."), facts={}),
        Event("stop", "concluded"),
        Event("branch", "react-agent/small"),
        Event("refused", "a key is in it"),
    ]


def within() -> list[Entry]:
    return [
        Event(HEADER, VERSION),
        Event("run", "sub/004"),
        Objective("mend a.py"),
        *step(1, "Inside.", "read_file", "a.py", "1| x"),
        Said(Turn(Kind.CONCLUSION, "", conclusion="mended"), facts={}),
        Event("stop", "concluded"),
    ]


def write(folder: Path, made: list[Entry]) -> RunFolder:
    folder.mkdir(parents=True)
    (folder / NAME).write_bytes(write_transcript(made).encode(errors="surrogateescape"))
    return RunFolder(folder)


def small_run(folder: Path) -> RunFolder:
    run = write(folder, entries())
    write(folder / "sub" / "004", within())
    run.patch.write_text(f"diff --git a/a.py b/a.py\n{PATCH}")
    return run


def page_of(run: RunFolder) -> str:
    return run_page(read_run(run, Redaction()))
