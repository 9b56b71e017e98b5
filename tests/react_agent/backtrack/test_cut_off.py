"""A run that goes back by proof, is refused, gets stuck and goes back by its critic: wherever it is
cut off, and taken up again, it comes to the same files."""

import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from back_world import DONE, grep, step, write

from react_agent.backtrack import backtracker
from react_agent.loop.agent import run
from react_agent.models.contract import View
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.writer import write_entry
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import Run, begin
from react_agent.runs.solve import Otherwise, take_up
from react_agent.state import transcript as transcripts
from react_agent.state.state import State, Stop

MINE = "[profile]\nname = mine\nbased on = issue\ngate = on\n[stuck]\nladder = back stop\n"
CHANGE = step("change", "run", "echo 'END = 2' >> src/app.py")
ROUND = step("round and round", "run", "echo 1 >> src/app.py && ls src")
TRUTH, REASON = "parse_date, in lib/dates.py", "it only looks"


def says(view: View) -> str:
    """What comes next hangs on what is shown, and on nothing else."""
    if view.system == backtracker.SYSTEM:
        found = re.search(r"^(\d+)\. round and round$", view.task, re.MULTILINE)
        return f"Step: {found[1] if found else 0}\nReason: {REASON}"
    if TRUTH not in view.text:
        return write("There is no parseDate.") if view.turns else grep("parseDate")
    if "END = 2" not in view.text:
        return CHANGE
    is_refused = "Not accepted yet" in view.text
    return DONE if not is_refused or REASON in view.tail else ROUND


@pytest.fixture
def whole(desk: Any, world: Path) -> Run:
    desk.profiles.joinpath("mine.cfg").write_text(MINE)
    request = desk.request(repository=world, keep=True, profile="mine")
    opened = begin(request, desk.around(*[says] * 40))
    run(opened.agent)
    closed(opened)
    return opened


def closed(opened: Run) -> State:
    opened.close()
    opened.transcript.close()
    return opened.transcript.state


def test_it_meets_all_of_it(whole: Run) -> None:
    entries = transcripts.read(whole.transcript.path).entries
    events = [entry.name for entry in entries if isinstance(entry, Event)]
    assert events.count("retracted") == 2
    assert {"stuck", "asked", "open"} < set(events)
    assert whole.transcript.state.stop is Stop.CONCLUDED
    assert len(whole.transcript.state.dead_ends) == 2
    assert (whole.workspace.root / "src/app.py").read_text().endswith("END = 2\n")


def places(text: bytes, entries: Any) -> list[int]:
    """Behind each entry from the first turn on, and in the middle of it."""
    found, at = list[int](), 0
    for entry in entries:
        size = len(write_entry(entry).encode())
        found += [at + size // 2, at + size]
        at += size
    assert at == len(text)
    return found[2 * next(n for n, one in enumerate(entries) if not isinstance(one, Event)) :]


@pytest.mark.long
@pytest.mark.timeout(900)
def test_wherever_it_is_cut_off(
    desk: Any, whole: Run, share: Callable[[int], int], long_seed: int
) -> None:
    text = whole.transcript.path.read_bytes()
    expected = whole.transcript.state
    kept = desk.folder / "kept"
    whole.folder.path.rename(kept)
    ends = places(text, transcripts.read(kept / transcripts.NAME).entries)[4:]
    for end in sorted(random.Random(long_seed).sample(ends, share(len(ends)))):
        shutil.copytree(kept, whole.folder.path, symlinks=True)
        whole.transcript.path.write_bytes(text[:end])
        opened = take_up(RunFolder(whole.folder.path), desk.around(*[says] * 40), Otherwise())
        stop = opened.transcript.state.stop or run(opened.agent)
        state = closed(opened)
        where = text[:end].decode(errors="replace")[-300:]
        assert stop is Stop.CONCLUDED, where
        assert (state.tree, state.wrote) == (expected.tree, expected.wrote), where
        assert set(state.dead_ends) >= set(expected.dead_ends), where
        shutil.rmtree(whole.folder.path)
