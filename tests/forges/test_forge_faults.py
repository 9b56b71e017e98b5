"""Whatever goes wrong at a forge is one line, the same for each, and leaves nothing half-made."""

import re
import socket
import time
import traceback
from functools import partial
from typing import Any

import pytest
from check_rows import EachRow
from loopback import Fault, Loopback
from places import WANTED, Place
from reader_rows import FOLDER, read_rows
from refusals import refusal

from react_agent.forges.account import Account
from react_agent.forges.contract import ForgeError
from react_agent.forges.faults import Patience


def test_says_what_went_wrong_or_asks_again(
    place: Place, server: Loopback, each_row: EachRow
) -> None:
    def why(fault: dict[str, Any], **otherwise: Any) -> str:
        server.plant(place.issue, Fault(**fault))
        said = refusal(ForgeError, place.forge(server, **otherwise).issue, 12).removeprefix(
            f"{server.host}: can't read issue 12 of {place.path}: "
        )
        return said.replace(f"{server.host} a {place.name}", "HOST a KIND")

    def waited(fault: dict[str, Any]) -> list[float]:
        server.plant(place.issue, Fault(**fault))
        slept: list[float] = []
        forge = place.forge(server, first=2.0, sleep=slept.append, random=lambda: 0.5)
        assert forge.issue(12).title == "It breaks"
        return slept

    functions = {"waited": waited, "why": why, "why_without_token": partial(why, token="")}
    each_row(read_rows(FOLDER / "own/forge-faults.txt"), lambda row: row.check(functions))


def test_half_a_character_becomes_a_question_mark(
    place: Place, fake: Any, server: Loopback
) -> None:
    fake.issues[12]["title"] = "half \ud83d\r\nwhole 😀"
    forge = place.forge(server)
    assert forge.issue(12).title == "half ?\nwhole 😀"
    forge.comment(12, "half \ud83d, whole 😀")
    assert [said.body for said in forge.comments(12)] == ["half ?, whole 😀"]


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(Fault(is_slow=True, times=2), id="no answer"),
        pytest.param(Fault(drips="head", times=2), id="a byte now and then"),
        pytest.param(Fault(body=[0] * 100, drips="body", times=2), id="and of the body"),
    ],
)
def test_gives_up_a_slow_forge(place: Place, server: Loopback, fault: Fault) -> None:
    server.plant(place.issue, fault)
    began = time.monotonic()
    line = f"{server.host}: can't read issue 12 of {place.path}: no answer in time (asked 2 times)"
    assert refusal(ForgeError, place.forge(server, answer=0.3, tries=2).issue, 12) == line
    assert time.monotonic() - began < 3


def test_a_limit_of_hours_is_said_at_once(place: Place, server: Loopback) -> None:
    used_up = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "99999999999"}
    server.plant("GET *", Fault(403, {"message": "API rate limit exceeded"}, used_up))
    said = f"{server.host}: can't read issue 12 of {place.path}: too many requests; try again in "
    with pytest.raises(ForgeError, match=re.escape(said)):
        place.forge(server).issue(12)


def test_gives_up_a_forge_that_is_not_there(place: Place) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        host = f"127.0.0.1:{closed.getsockname()[1]}"
    account = Account(host, f"http://{host}{place.api}", place.token)
    forge = place.make(account, place.path, Patience(sleep=lambda seconds: None))
    assert refusal(ForgeError, forge.issue, 12) == (
        f"{host}: can't read issue 12 of {place.path}: "
        "no connection: Connection refused (asked 3 times)"
    )


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(Fault(502, is_done=True), id="an error"),
        pytest.param(Fault(is_reset=True, is_done=True), id="no answer"),
        pytest.param(Fault(is_cut=True, is_done=True), id="half an answer"),
    ],
)
def test_does_nothing_twice_of_which_only_the_answer_was_lost(
    place: Place, fake: Any, server: Loopback, fault: Fault
) -> None:
    forge = place.forge(server)
    server.plant("POST *", fault)
    number = forge.propose(WANTED).number
    server.plant("POST *", fault)
    url = forge.comment(12, "Done.\n")
    assert len([line for line in server.lines if line.startswith("POST")]) == 2
    assert [said.url for said in forge.comments(12)] == [url]
    assert forge.pull(number).title == "Mend it"


def test_asks_again_before_a_comment(place: Place, server: Loopback) -> None:
    server.plant("GET *", Fault(502))  # the first that is asked for
    url = place.forge(server).comment(12, "Done.")
    assert [said.url for said in place.forge(server).comments(12)] == [url]


def test_says_what_the_forge_does_not_like(place: Place, server: Loopback) -> None:
    server.plant(place.opened, Fault(422, {"message": "No commits\n\x1b[2Jbetween \u202ethem"}))
    request = "merge request" if place.name == "GitLab" else "pull request"
    assert refusal(ForgeError, place.forge(server).propose, WANTED) == (
        f"{server.host}: can't open a {request} from fix in {place.path}: "
        'it was refused (status 422): "No commits ?[2Jbetween ?them"'
    )


def test_shows_the_token_nowhere(place: Place, server: Loopback) -> None:
    words = f"bad token {place.token} in https://x:{place.token}@127.0.0.1/"
    forge = place.forge(server)
    for status in (401, 403, 422):
        server.plant(place.issue, Fault(status, {"message": words * 3}))
        with pytest.raises(ForgeError) as caught:
            forge.issue(12)
        assert place.token not in "".join(traceback.format_exception(caught.value))
    assert place.token not in repr(vars(forge))
    assert caught.value.__suppress_context__
    assert all(place.token not in str((one.path, one.query, one.raw)) for one in server.asked)
    assert all(place.token in one.headers["authorization"] for one in server.asked)


def test_sends_the_token_nowhere_else(place: Place, server: Loopback) -> None:
    with Loopback({}) as other:
        server.plant(place.issue, Fault(302, headers={"Location": f"{other.url}/x"}))
        server.plant("GET *", Fault(301, headers={"Location": f"//{other.host}/x"}))
        for _ in range(2):
            with pytest.raises(ForgeError):
                place.forge(server).issue(12)
    assert other.asked == []


def test_goes_round_in_no_circle(place: Place, server: Loopback) -> None:
    server.plant(place.issue, Fault(302, headers={"Location": "?again"}, times=9))
    with pytest.raises(ForgeError, match="it moved to "):
        place.forge(server).issue(12)
    assert len(server.asked) < 9
