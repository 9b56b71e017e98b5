"""What runs do about replies as weak models write them: in circles, or the same again."""

from pathlib import Path
from typing import Any

from check_rows import each_of
from fake_endpoint import FakeEndpoint, Reply

from react_agent.parsers.turn.turn import Kind
from react_agent.state.state import fold
from react_agent.state.transcript import read

CIRCLE = " I look at the file again.\n" * 200
DONE = " Nothing to do.\nConclusion: I give up because nothing is wrong."


FAILS = " I mend it.\nAction: read_file\nAction Input: nosuch.py\n"
UNREAD = " I mend it."
TESTS = " I test it.\nAction: run\nAction Input: false\n"
AT_ZERO = " temperature=0 seed=7"


def _solve(cli: Any, url: str, more: str = "") -> Path:
    model = ("--model", f"openai/m@{url}/v1{more}")
    answer = cli("solve", "Mend it.", "--repo", "repository", *model)
    assert (answer.code, answer.err) == (1, "")
    path: Path = cli.runs[0] / "transcript.txt"
    return path


def test_a_reply_that_goes_in_circles_is_one_that_was_cut(cli: Any, repository: Path) -> None:
    with FakeEndpoint([Reply(CIRCLE, drip=0.001), DONE]) as endpoint:
        transcript = _solve(cli, endpoint.url)
        first, _ = endpoint.posts
    (step, *_) = fold(read(transcript).entries).steps
    assert (step.said.turn.kind, step.said.facts["why"]) == (Kind.MALFORMED, "repeats")
    assert step.said.turn.thought == "I look at the file again."
    assert "the reply repeated itself and was cut off" in step.seen.text
    assert "%% note: the reply repeated itself, so it was cut off\n" in transcript.read_text()
    assert first.closed_early
    assert cli("replay", cli.runs[0].name).ends_well().endswith("every prompt as recorded\n")


def _drawn(endpoint: FakeEndpoint) -> list[tuple[float | None, int | None]]:
    return [(one.body.get("temperature"), one.body.get("seed")) for one in endpoint.posts]


@each_of(
    ("more", "replies", "drawn", "steps"),
    {
        "unreadable": (AT_ZERO, [UNREAD, UNREAD, DONE], [(0, 7), (0, 7), (0.4, 8)], 1),
        "twice, and then it is run": (
            *(AT_ZERO, [FAILS, FAILS, FAILS, FAILS, DONE]),
            *([(0, 7), (0, 7), (0.4, 8), (0.8, 9), (0, 7)], 2),
        ),
        "a command may end otherwise": (AT_ZERO, [TESTS, TESTS, DONE], [(0, 7)] * 3, 2),
        "nobody set a temperature": ("", [FAILS, FAILS, DONE], [(None, None)] * 3, 2),
    },
)
def test_a_reply_that_failed_before_is_drawn_again(
    cli: Any, repository: Path, more: str, replies: list[str], drawn: list[Any], steps: int
) -> None:
    with FakeEndpoint(replies) as endpoint:
        transcript = _solve(cli, endpoint.url, more)
        assert _drawn(endpoint) == drawn
    assert len(fold(read(transcript).entries).steps) == steps
    assert transcript.read_text().count("%% asked: for=redraw answer=") == len(replies) - 1 - steps
    assert cli("replay", cli.runs[0].name).out.endswith("every prompt as recorded\n")


def test_a_run_that_is_taken_up_goes_on_with_the_next_draw(cli: Any, repository: Path) -> None:
    refused = Reply(status=400, error="not now")
    with FakeEndpoint([FAILS, FAILS, refused, DONE]) as endpoint:
        model = ("--model", f"openai/m@{endpoint.url}/v1{AT_ZERO}")
        assert cli("solve", "Mend it.", "--repo", "repository", *model).code == 1
        assert cli("resume", "last").code == 1
        assert _drawn(endpoint) == [(0, 7), (0, 7), (0.4, 8), (0.4, 8)]
