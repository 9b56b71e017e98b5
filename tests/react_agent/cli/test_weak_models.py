"""What runs do about replies as weak models write them: a reply that goes in circles."""

from pathlib import Path
from typing import Any

from fake_endpoint import FakeEndpoint, Reply

from react_agent.loop.state import fold
from react_agent.loop.transcript import read
from react_agent.parsers.turn.turn import Kind

CIRCLE = " I look at the file again.\n" * 200
DONE = " Nothing to do.\nConclusion: I give up because nothing is wrong."


def _solve(cli: Any, url: str, *more: str) -> Path:
    model = ("--model", f"openai/m@{url}/v1")
    answer = cli("solve", "Mend it.", "--repo", "repository", *model, *more)
    assert (answer.code, answer.err) == (1, "")
    path: Path = cli.runs[0] / "transcript.txt"
    return path


def test_a_reply_that_goes_in_circles_is_one_that_was_cut(cli: Any, repository: Path) -> None:
    with FakeEndpoint([Reply(CIRCLE, drip=0.001), DONE]) as endpoint:
        transcript = _solve(cli, endpoint.url)
        first, _ = (one for one in endpoint.settled() if one.method == "POST")
    (step, *_) = fold(read(transcript).entries).steps
    assert (step.said.turn.kind, step.said.facts["why"]) == (Kind.MALFORMED, "repeats")
    assert step.said.turn.thought == "I look at the file again."
    assert "the reply repeated itself and was cut off" in step.seen.text
    assert "%% note: the reply repeated itself, so it was cut off\n" in transcript.read_text()
    assert first.closed_early
    answer = cli("replay", cli.runs[0].name)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.endswith("every prompt as recorded\n")
