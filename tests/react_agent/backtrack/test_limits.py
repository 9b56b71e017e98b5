"""How often a run goes back, what a critic may do, and what a file holds of it."""

from typing import Any

from back_world import DONE, Plays, grep, replayed, step, write
from check_rows import table_of

from react_agent.runs.run_folder import RunFolder
from react_agent.runs.solve import Otherwise, take_up
from react_agent.state.state import Stop

CLAIMS = (
    (grep("parseDate"), write("There is no parseDate.")),
    (grep("recieve_order"), write("There is no recieve_order.")),
    (grep("LongNames"), write("There is no LongNames, so I write it.")),
    (grep("dateParser"), write("There is no dateParser class.")),
)
SAME = step("again", "run", "ls src")
AGAIN = "[stuck]\nladder = back stop\n"


def test_three_times_at_most(plays: Plays) -> None:
    replies = [reply for pair in CLAIMS for reply in pair]
    assert len(plays(*replies, DONE).back) == 3
    assert len(plays(*replies, DONE, profile="[backtrack]\nmost = 1\n").back) == 1


def test_the_same_claim_is_taken_back_once(plays: Plays) -> None:
    look, claim = CLAIMS[0]
    played = plays(look, claim, look, claim, look, claim, DONE)
    assert len(played.back) == 1
    assert (played.root / "src/new.py").exists()


@table_of(
    ("answer", "back", "note"),
    {
        "good": ("**Step:** 2\nReason: it only looks", ["steps=2-3 by=critic at=2"], ""),
        "unreadable": ("I can't tell.", [], "critic: named no step: I can't tell."),
        "out of range": ("Step: 9\nReason: x", [], "critic: named step 9"),
    },
)  # fmt: skip
def test_a_critic(plays: Plays, answer: str, back: list[str], note: str) -> None:
    played = plays(SAME, SAME, SAME, answer, DONE, profile=AGAIN)
    assert [line.split(": ", 1)[1].split(" | ")[0] for line in played.back] == back
    assert not note or f"%% note: {note}" in played.text
    assert played.text.count("%% asked: for=critic") == 1
    assert played.stop is Stop.CONCLUDED
    asked = next(view for view in played.seen if "wrong turn" in view.system)
    assert "1. again\n2. again\n3. again\n" in asked.task
    if back:
        assert '(dead end, taken back: "again" led nowhere: it only looks)' in played.seen[-1].tail


@table_of("script", [CLAIMS[0], (SAME, SAME, SAME, "Step: 2\nReason: x")])
def test_a_replay_goes_the_same_way(plays: Plays, desk: Any, script: tuple[str, ...]) -> None:
    replayed(desk, plays(*script, DONE, profile=AGAIN if len(script) > 2 else ""))


def test_it_is_taken_up_where_files_were_not_yet_brought_back(plays: Plays, desk: Any) -> None:
    played = plays(*CLAIMS[0])  # the script ends, and with it the model
    assert played.stop is Stop.MODEL_FAILED
    (played.root / "src/new.py").write_text("VALUE = 1\n")
    again = take_up(RunFolder(played.place), desk.around(DONE), Otherwise())
    assert not (again.workspace.root / "src/new.py").exists()
    assert [step.number for step in again.transcript.state.standing] == [1, 3]
    again.close()
    again.transcript.close()
