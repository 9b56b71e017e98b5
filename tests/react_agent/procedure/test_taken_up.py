"""Broken off anywhere, a procedure goes on as if nothing had happened; and it is done again."""

import contextlib
import random
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from replies import LOOK, interrupt
from replies import TITLE as CHANGE
from walking import TALK, THREE, Walk, says, turns_of

from react_agent.models.contract import View
from react_agent.parsers.settings.procedure import read_procedure
from react_agent.parsers.transcript.entries import Entry, Event, Said, Seen
from react_agent.parsers.transcript.facts import read_facts
from react_agent.runs.report import Outcome
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import Names
from react_agent.runs.solve import solve
from react_agent.state import transcript as transcripts
from react_agent.state.state import Stop

pytestmark = pytest.mark.slow  # all of them together

TEXT = THREE.replace("every: 0", "every: 2").replace(
    "  role checker:",
    "  begin query: Is it well?\n  begin role: asker\n  role asker:\n  role checker:",
)
ASKED_ANEW = ("resumed", "torn", "model", "limits", "prompt", "reach", "repository", "sandbox")
NAMES = Names("run", "react-agent/branch")


class Killed(BaseException):
    """As by a signal that nobody can catch."""


class Answering:
    """A model whose answer follows from what it is shown, so that it can be asked at any moment."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, view: View) -> str:
        self.asked += 1
        if view.tail == "History summary:":
            return f"history summary: {view.task.count('  ')} words"
        if view.tail == "Next:":
            return "1" if "README" in view.task.rpartition("Said last:")[2] else "0"
        return self._step(view)

    def _step(self, view: View) -> str:
        if not view.turns:
            return CHANGE if "You edit." in view.system else LOOK
        if "You look." in view.system and "turn 1 of" in view.task:
            return says("Nothing yet.")
        return says("README.md it is.")


def killed(desk: Any, after: int) -> list[Entry]:
    """When so many entries are written, to whichever transcript; those that were."""
    written: list[Entry] = []

    def die(entry: Entry) -> None:
        written.append(entry)
        if len(written) == after:
            raise Killed

    around = replace(desk.around(*[desk.model] * 99), listeners=(die,), within=(die,))
    with contextlib.suppress(Killed):
        solve(desk.request(procedure=read_procedure(TEXT), names=NAMES), around)
    return written


def happened(folder: RunFolder) -> list[tuple[str, ...]]:
    """All that is in its transcripts but times, and that it was broken off."""
    found = []
    for place in sorted(folder.path.glob("**/transcript.txt")):
        name = str(place.relative_to(folder.path))
        found += [
            (name, *told) for entry in transcripts.read(place).entries if (told := _told(entry))
        ]
    return found


def _told(entry: Entry) -> tuple[str, ...]:
    match entry:
        case Said(turn):
            return (turn.thought, turn.action, turn.input, turn.conclusion)
        case Seen(text):
            return (text,)
        case Event(name, text) if name == "asked":
            return (name, text.rpartition("seconds=")[0])
        case Event("note", text) if text.startswith("sandbox "):
            return ()
        case Event(
            "spent", text
        ):  # and calls that were cut off, which an undisturbed run has none of
            facts = read_facts(text)
            return ("spent", *(f"{one}={facts[one]}" for one in ("steps", "in", "out")))
        case Event(name, text) if name not in (*ASKED_ANEW, "base", "commit", "seed", "stop"):
            return (name, text)
    return ()


def _cut(desk: Any, place: Path) -> None:
    """The next entry was being written."""
    for transcript in place.glob("**/transcript.txt"):
        if "Thought: torn" not in (text := transcript.read_text()) and "%% stop" not in text:
            transcript.write_text(f"{text}Thought: torn\nAct")


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_killed_behind_any_entry_it_goes_on(
    desk: Any, share: Callable[[int], int], long_seed: int
) -> None:
    desk.model = Answering()
    names = [entry.name if isinstance(entry, Event) else "" for entry in killed(desk, 0)]
    points = range(names.index("entered") + 1, len(names) - names[::-1].index("stop") + 1)
    folder = RunFolder(desk.folder / "runs" / NAMES.run)
    expected, asked = happened(folder), desk.model.asked
    for point in random.Random(long_seed).sample(points, share(len(points))):
        for place in (desk.folder / "runs", desk.repository):
            shutil.rmtree(place)
        desk.model = Answering()
        killed(desk, point)
        if point % 3 == 0:
            _cut(desk, folder.path)
        if point % 5 == 0:
            shutil.rmtree(folder.workspace, ignore_errors=True)
        outcome = desk.take_up(folder, *[desk.model] * 99)
        assert (outcome.stop, desk.model.asked) == (Stop.CONCLUDED, asked), point
        assert happened(folder) == expected, point
        assert desk.git("show", f"{outcome.branch}:README.md").startswith("# Stopwatch")


def test_interrupted_in_a_turn_no_reply_is_paid_twice(walk: Walk, desk: Any) -> None:
    first, _ = walk(THREE, LOOK, says("a"), "1", CHANGE, interrupt)
    assert (first.stop, len(first.state.steps), turns_of(first)) == (Stop.INTERRUPTED, 2, 1)
    outcome = desk.take_up(first.folder, says("Changed."), "1", says("Well."))
    assert (outcome.stop, turns_of(outcome)) == (Stop.CONCLUDED, 3)
    assert desk.git("show", f"{outcome.branch}:README.md").startswith("# Stopwatch")


def test_with_more_steps_the_turn_goes_on(walk: Walk, desk: Any) -> None:
    first, _ = walk(THREE, LOOK, LOOK, budget={"steps": "2"})
    assert first.stop is Stop.OUT_OF_STEPS
    replies = (says("a"), "1", CHANGE, says("b"), "1", says("c"))
    outcome = desk.take_up(first.folder, *replies, budget={"steps": "9"})
    assert (outcome.stop, len(outcome.state.steps)) == (Stop.CONCLUDED, 3)


def test_done_again_it_is_the_same(desk: Any) -> None:
    desk.model = Answering()
    killed(desk, 0)
    folder = RunFolder(desk.folder / "runs" / NAMES.run)
    outcome = desk.replay(folder)
    assert desk.told == []
    assert _without_costs(outcome.folder) == _without_costs(folder)


def _without_costs(folder: RunFolder) -> list[tuple[str, ...]]:
    """A model that only repeats counts nothing, and no tests follow where no branch is made."""
    kept = (told for told in happened(folder) if told[1:2] != ("run",))
    return [
        told[:2] if told[1] == "asked" else told
        for told in kept
        if told[1] not in ("branch", "subject", "tests", "tested")
    ]


def test_a_talk_of_chance_is_done_again_with_the_same_speakers(walk: Walk, desk: Any) -> None:
    text = TALK.replace("  maximum turns: 20", "  controller: random\n  maximum turns: 6")
    first, _ = walk(text, *[said for _ in range(6) for said in (says("x"), "0")])
    again = desk.replay(first.folder)
    assert desk.told == []
    assert len(set(_speakers(first))) > 1
    assert _speakers(again) == _speakers(first)


def _speakers(outcome: Outcome) -> list[str]:
    return re.findall("(?m)^%% picked: (.*)$", outcome.folder.transcript.read_text())
