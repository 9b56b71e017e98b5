"""An endpoint that fails in the middle of a run: before each of its calls, and for good."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from check_rows import each_of
from endpoint_runs import PASSING, TEXT, WIRES, Desk, never, speaking
from fake_endpoint import Reply
from machine_runs import Ended, make_repository

from react_agent.state.state import Stop

pytestmark = pytest.mark.slow

FINAL = {
    "status 400": Reply(status=400, error="No."),
    "the key is refused": Reply(status=401, error="No."),
    "nothing is left to pay with": Reply(status=402, error="No."),
    "status 403": Reply(status=403, error="No."),
    "the model is gone": Reply(status=404, error="No."),
    "what is asked is refused": Reply(status=422, error="No."),
    "it fails and fails": Reply(status=500, error="No."),
    "closed for an hour": Reply(status=429, headers={"retry-after": "3700"}),
}
PLACES = ("step 1", "step 6", "step 11", "summary", "words")
Undisturbed = dict[str, tuple[list[str], Ended]]
MakeDesk = Callable[[str], Desk]


@pytest.fixture
def desk(tmp_path: Path) -> MakeDesk:
    def make(name: str) -> Desk:
        make_repository(tmp_path / name / "repository")
        return Desk(tmp_path / name, tmp_path / name / "repository")

    return make


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """The calls of a run, and how it ends, by wire."""
    found = {}
    for wire in WIRES:
        folder = tmp_path_factory.mktemp(wire)
        make_repository(folder / "repository")
        desk = Desk(folder, folder / "repository")
        with speaking(never) as (endpoint, speaker):
            ended = desk.ended(desk.solve(wire, endpoint.url))
        found[wire] = speaker.answered, ended
    return found


def test_a_run_makes_all_these_calls(undisturbed: Undisturbed) -> None:
    for answered, ended in undisturbed.values():
        assert set(PLACES) <= set(answered)
        assert (ended.stop, len(ended.trees)) == ("concluded", 1)
    assert len({ended.trees for _, ended in undisturbed.values()}) == 1


@pytest.mark.fault("{id}, before each call of a run", after="asked again, and it ends the same")
@pytest.mark.parametrize("name", PASSING)
def test_what_passes_changes_nothing(desk: MakeDesk, undisturbed: Undisturbed, name: str) -> None:
    wire = WIRES[list(PASSING).index(name) % len(WIRES)]
    here = desk(wire)
    with speaking(lambda place, times: PASSING[name] if times == 1 else None) as (url, speaker):
        outcome = here.solve(wire, url.url)
        requests = url.posts
    answered, expected = undisturbed[wire]
    ended = here.ended(outcome)
    assert (speaker.answered, replace(ended, tokens=expected.tokens)) == (answered, expected)
    assert ended.tokens >= expected.tokens  # an answer that broke off was paid for, too
    assert len(requests) == 2 * len(speaker.answered)


@pytest.mark.fault("{id}, at a step of a run", after="resume ends it the same")
@pytest.mark.parametrize("name", FINAL)
def test_what_stays_ends_a_run_that_is_taken_up(
    desk: MakeDesk, undisturbed: Undisturbed, name: str
) -> None:
    number = list(FINAL).index(name)
    wire, place = WIRES[number % len(WIRES)], PLACES[number % 3]
    here, gone = desk(wire), [FINAL[name]]
    with speaking(lambda at, times: gone[0] if gone and at == place else None) as (url, speaker):
        outcome = here.solve(wire, url.url)
        assert outcome.stop in (Stop.MODEL_FAILED, Stop.OUT_OF_TIME)
        assert "\n" not in outcome.state.stop_reason
        gone.clear()
        outcome = here.resume(outcome, wire, url.url)
    assert (speaker.answered, here.ended(outcome)) == undisturbed[wire]


@pytest.mark.fault(
    "{id} while the model is asked for a summary or for its words", after="done without"
)
@pytest.mark.parametrize("name", FINAL)
def test_what_is_asked_beside_steps_is_done_without(
    desk: MakeDesk, undisturbed: Undisturbed, name: str
) -> None:
    number = list(FINAL).index(name)
    wire, place = WIRES[number % len(WIRES)], PLACES[3 + number % 2]
    here = desk(wire)
    with speaking(lambda at, times: FINAL[name] if at == place else None) as (url, speaker):
        ended = here.ended(here.solve(wire, url.url))
    answered, expected = undisturbed[wire]
    assert speaker.answered == [one for one in answered if one != place]
    assert (ended.stop, ended.trees, ended.said) == (expected.stop, expected.trees, expected.said)


@pytest.mark.fault(
    "{id}, until the run's time is over", after="resume with more time ends it the same"
)
@each_of(
    ("fault", "wire"),
    {
        "no answer ever comes": (Reply(fault="hang"), "openai"),
        "an answer stops and nothing more comes": (Reply(TEXT, fault="stall"), "anthropic"),
        "an answer comes a word in three seconds": (Reply(TEXT, drip=3.0), "completions"),
    },
)
def test_what_hangs_is_left(
    desk: MakeDesk, undisturbed: Undisturbed, fault: Reply, wire: str
) -> None:
    here, hangs = desk(wire), [fault]
    with speaking(lambda at, times: hangs[0] if hangs and at == "step 6" else None) as (
        url,
        speaker,
    ):
        outcome = here.solve(wire, url.url, seconds="5")
        assert outcome.stop is Stop.OUT_OF_TIME
        hangs.clear()
        outcome = here.resume(outcome, wire, url.url, seconds="600")
    assert (speaker.answered, here.ended(outcome).trees) == (
        undisturbed[wire][0],
        undisturbed[wire][1].trees,
    )


@pytest.mark.fault("time is up while the model is asked for its words", after="the branch is made")
def test_no_time_is_left_for_words(desk: MakeDesk, undisturbed: Undisturbed) -> None:
    here, hangs = desk("openai"), Reply(fault="hang")
    with speaking(lambda at, times: hangs if at == "words" else None) as (url, _):
        outcome = here.solve("openai", url.url, seconds="15")
    assert here.ended(outcome).trees == undisturbed["openai"][1].trees


@pytest.mark.fault("{id}", after="one line, and resume ends it the same")
@pytest.mark.parametrize(
    "scheme", [pytest.param("http", id="nobody listens"), pytest.param("https", id="TLS fails")]
)
def test_an_address_that_is_none(desk: MakeDesk, undisturbed: Undisturbed, scheme: str) -> None:
    here = desk("responses")
    with speaking(never) as (url, speaker):
        other = url.url if scheme == "https" else "http://127.0.0.1:9"
        outcome = here.solve("responses", other.replace("http:", f"{scheme}:"))
        assert (outcome.stop, "no connection" in outcome.state.stop_reason) == (
            Stop.MODEL_FAILED,
            True,
        )
        outcome = here.resume(outcome, "responses", url.url)
    assert (speaker.answered, here.ended(outcome)) == undisturbed["responses"]
