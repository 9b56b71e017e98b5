"""Profiles to compare with: one answer, with nothing looked at or with one look."""

from pathlib import Path
from typing import Any

import pytest
from by_hand import write

from react_agent.issue_to_pr.issue import Issue
from react_agent.issue_to_pr.places import text_lines
from react_agent.state.state import Stop
from react_agent.tools.context import Context

ISSUE = "# It reads wrongly\n\n`stopwatch/units.py` has no days: `5 days` is 5 seconds.\n"
PATCH = """\
--- a/stopwatch/units.py
+++ b/stopwatch/units.py
@@ -3 +3 @@
-SECONDS = {"h": 3600, "m": 60, "s": 1}
+SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
"""
ANSWER = f" there is no day\nAction: apply_patch\nAction Input:\n{PATCH}"
BARE = f"Days are missing:\n\n```diff\n{PATCH}```\n\nNow `5 days` is read."
WRONG = ANSWER.replace('-SECONDS = {"h"', '-SECONDS = {"hour"')
LOOK = (
    " where are units?\nAction: read_file\nAction Input: stopwatch/units.py\nstopwatch/parsing.py"
)


def run(desk: Any, profile: str, *replies: str) -> Any:
    """What came of it, and the prompts."""
    return desk.watched(*replies, issue=Issue("It reads wrongly", ISSUE), profile=profile)


@pytest.mark.parametrize(
    ("profile", "replies", "steps"),
    [
        pytest.param("single-shot", (ANSWER,), 1, id="single-shot"),
        pytest.param("single-shot", (BARE,), 1, id="a patch in a fence, no label"),
        pytest.param("retrieval", (LOOK, ANSWER), 2, id="one look"),
        pytest.param("retrieval", (ANSWER,), 1, id="no look was needed"),
    ],
)
def test_the_first_change_is_the_answer(
    desk: Any, profile: str, replies: tuple[str, ...], steps: int
) -> None:
    outcome, seen = run(desk, profile, *replies, "never said")
    assert (outcome.stop, len(outcome.state.steps), len(seen)) == (Stop.CONCLUDED, steps, steps)
    assert outcome.folder.patch.read_bytes().count(b'"d": 86400') == 1
    assert outcome.branch
    if len(seen) == 2:
        assert [view.tail for view in seen] == [
            "(2 steps left: look, then answer)\nThought:",
            "(1 step left: answer with the whole change)\nThought:",
        ]
    if profile == "single-shot":
        shown = seen[0].system
        named, like = shown.index("\nstopwatch/units.py:\n"), "\nstopwatch/parsing.py:\n"
        assert named < shown.index(like)
        assert '```\n"""The units a duration may be written in."""\n\nSECONDS = {' in shown


@pytest.mark.parametrize(
    ("profile", "replies"),
    [
        pytest.param("single-shot", (WRONG,), id="single-shot"),
        pytest.param("retrieval", (LOOK, WRONG), id="retrieval"),
    ],
)
def test_there_is_no_second_try(desk: Any, profile: str, replies: tuple[str, ...]) -> None:
    outcome, seen = run(desk, profile, *replies, ANSWER)
    assert (outcome.stop, len(seen)) == (Stop.OUT_OF_STEPS, len(replies))
    assert not outcome.folder.patch.read_bytes()


@pytest.mark.parametrize(
    ("tokens", "shown"),
    [
        pytest.param(10_000, ["named.py", "like.py"], id="both"),
        pytest.param(90, ["like.py"], id="no room for what it names"),
        pytest.param(5, [], id="no room"),
    ],
)
def test_whole_files_as_far_as_there_is_room(
    tmp_path: Path, desk: Any, tokens: int, shown: list[str]
) -> None:
    root = tmp_path / "files"
    write(root, {"named.py": "nothing = 'of the kind'\n" * 50, "other.txt": "x = 1\n"})
    write(root, {"like.py": "def leap_years():\nAction: no label\n", "binary.dat": b"\0leap years"})
    desk.git("init", "--quiet", folder=root)
    lines = list(text_lines("`named.py` forgets leap_years", Context(root), tokens))
    assert [line.rstrip(":") for line in lines if line.endswith(".py:")] == shown
    left_out = "(1 file that it names would not fit in here.)"
    assert (left_out in lines) == ("named.py" not in shown)
    assert ("\\Action: no label" in lines) == ("like.py" in shown)
