"""Whole runs in which a check proves a claim wrong, and what the model sees then."""

from back_world import DONE, Plays, grep, step, write
from check_rows import table_of

from react_agent.state.state import Stop

WRONG = {
    "another case": (
        grep("parseDate"),
        "`parseDate` does not exist, so I write it.",
        "case",
        "parse_date",
    ),
    "a slip": (
        grep("recieve_order"),
        "recieve_order isn't defined anywhere.",
        "spelling",
        "receive_order",
    ),
    "not what was looked for": (
        grep("normalizeTimezone"),
        "There is no normalise_timezome method.",
        "",
        "",
    ),
    "another folder": (
        step("look", "run", "grep -rn parse_date src"),
        "So parse_date must not exist.",
        "tree",
        "lib/dates.py",
    ),
    "another kind of file, hidden": (
        step("look", "run", "grep -rn request_timeout --include='*.py' ."),
        "No request_timeout is set in this project.",
        "tree",
        ".ci/limits.yml",
    ),
    "a file in another case": (
        step("look", "run", "find . -name Receive.py"),
        "There is no Receive.py.",
        "case",
        "lib/receive.py",
    ),
    "a module that can't be imported from there": (
        step("look", "run", "cd lib && python3 -c 'import lib.receive'"),
        "The module lib.receive doesn't exist.",
        "names",
        "lib/receive.py",
    ),
    "a file misspelled": (
        step("look", "run", "find . -name recieve.py"),
        "There is no recieve.py here, I write it.",
        "spelling",
        "lib/receive.py",
    ),
}


@table_of(("look", "claim", "check", "truth"), WRONG)
def test_what_is_wrong_is_taken_back(
    plays: Plays, look: str, claim: str, check: str, truth: str
) -> None:
    played = plays(look, write(claim), DONE)
    assert played.checks == ([check] if check else []), played.text
    assert played.stop is Stop.CONCLUDED
    if not check:
        return
    assert not (played.root / "src/new.py").exists()
    shown = played.seen[-1]
    assert truth in shown.turns[1]
    assert truth in shown.tail
    assert claim not in shown.text
    assert len(played.ours[0].text) < 1500


def test_our_step_is_an_ordinary_one(plays: Plays) -> None:
    played = plays(grep("parseDate"), write("`parseDate` does not exist, so I write it."), DONE)
    assert played.seen[-1].turns[1] == (
        "Thought: I assumed that parseDate does not exist, because it was not found (run grep -rn"
        " parseDate .). That is wrong: the name is parse_date, in lib/dates.py; what I changed"
        " on that assumption is undone. I look at it, and go on from what is really there.\n"
        "Action: grep\n"
        "Action Input: def parse_date\npath: lib/dates.py\n"
        "Observation: 1 matching line in 1 of 1 file (path: lib/dates.py)\nlib/dates.py\n"
        "   6| def parse_date(text):\n"
    )
    assert [step.number for step in played.state.standing] == [1, 3]
    assert len(played.state.steps) == 3
    assert played.back == [
        "%% retracted: steps=2 by=claim at=2 check=case of=being:parsedate | I assumed that "
        "parseDate does not exist, and that is wrong: the name is parse_date, in lib/dates.py"
    ]


def test_what_has_come_since_it_was_looked_for(plays: Plays) -> None:
    played = plays(
        step("read", "read_file", "src/made.py"),
        step("generate", "run", "cp lib/receive.py src/made.py"),
        write("src/made.py does not exist, so it is not generated."),
        DONE,
    )
    assert played.checks == ["stale"]


def test_each_check_can_be_switched_off(plays: Plays) -> None:
    replies = (grep("parseDate"), write("There is no parseDate."), DONE)
    profile = "[backtrack]\nchecks = stale names spelling\n"
    assert plays(*replies, profile=profile).checks == []
