"""Whatever goes wrong at a forge is one line, the same for each, and leaves nothing half-made."""

import re
import socket
import time
import traceback
from typing import Any

import pytest
from check_rows import table_of
from loopback import Fault, Loopback
from places import WANTED, Place

from react_agent.forges.account import Account
from react_agent.forges.contract import ForgeError, Wanted
from react_agent.forges.faults import Patience


def fails(place: Place, server: Loopback, why: str, **otherwise: Any) -> None:
    with pytest.raises(ForgeError) as caught:
        place.forge(server, **otherwise).issue(12)
    assert str(caught.value) == f"{server.host}: can't read issue 12 of {place.path}: {why}"


PAGE = b"<html><body><h1>Sign in</h1></body></html>"
SECONDS = {"Retry-After": "3600"}
TO_SIGN_ON = {"X-GitHub-SSO": "required; url=https://github.com/orgs/x/sso?a=1"}
SCOPES = {"X-OAuth-Scopes": "read:org", "X-Accepted-OAuth-Scopes": "repo"}


@table_of(
    ("fault", "why"),
    {
        "401": (Fault(401), "the token is not accepted; put a valid one into THE_TOKEN"),
        "403": (
            Fault(403, {"message": "insufficient_scope"}),
            'the token may not do that; it needs permission for all of it: "insufficient_scope"',
        ),
        "403, a right is missing": (
            Fault(403, {"message": "no"}, {"X-Accepted-GitHub-Permissions": "a=b"}),
            'the token may not do that; it needs permission for all of it: "no; wanted: a=b"',
        ),
        "403, a scope is missing": (
            Fault(403, {"message": "no"}, SCOPES),
            'the token may not do that; it needs permission for all of it: "no; wanted: repo"',
        ),
        "403, single sign-on": (
            Fault(403, {"message": "no"}, TO_SIGN_ON),
            "the token may not do that; it needs permission for all of it: "
            '"no; single sign-on at https://github.com/orgs/x/sso?a=1"',
        ),
        "403, a long limit": (
            Fault(403, {"message": "API rate limit exceeded"}, SECONDS),
            "too many requests; try again in 3600 s",
        ),
        "404": (Fault(404), "it was not found, or the token may not see it"),
        "409": (Fault(409, {"message": ["in use"]}), 'it was refused (status 409): "in use"'),
        "410": (Fault(410), "it was deleted"),
        "422": (
            Fault(422, {"message": {"title": ["is too long", "is bad"]}}),
            'it was refused (status 422): "title is too long, is bad"',
        ),
        "422, with fields": (
            Fault(422, {"message": "Invalid", "errors": [{"field": "base", "code": "bad"}, "x"]}),
            'it was refused (status 422): "Invalid; base bad; x"',
        ),
        "423": (Fault(423), "it is archived and read-only"),
        "429": (Fault(429, headers=SECONDS), "too many requests; try again in 3600 s"),
        "502": (Fault(502, PAGE, times=3), "the forge failed (status 502) (asked 3 times)"),
        "503 for an hour": (Fault(503, headers=SECONDS), "the forge failed (status 503)"),
        "no answer": (Fault(is_reset=True, times=3), "the answer was interrupted (asked 3 times)"),
        "half an answer": (
            Fault(body={"title": "It"}, is_cut=True, times=3),
            "the answer was interrupted (asked 3 times)",
        ),
        "moved elsewhere": (
            Fault(302, headers={"Location": "https://u:p@other.example/login?token=1"}),
            "it moved to https://other.example/login, and the token is not sent there",
        ),
    },
)
def test_says_what_went_wrong(place: Place, server: Loopback, fault: Fault, why: str) -> None:
    server.plant(place.issue, fault)
    fails(place, server, why)


NO_JSON = "it is not JSON"
OTHER = "it lacks required fields"
LONG = b'"' + b"x" * 20_000_000


@table_of(
    ("answer", "found"),
    {
        "a page": (Fault(body=PAGE), NO_JSON),
        "nothing": (Fault(body=b""), NO_JSON),
        "deep": (Fault(body=b"[" * 100_000), NO_JSON),
        "a list": (Fault(body=[1]), OTHER),
        "a text": (Fault(body="x"), OTHER),
        "no number": (Fault(body={"iid": "12", "number": None}), OTHER),
        "null": (Fault(body=None), OTHER),
        "long": (Fault(body=LONG), "it is longer than 20 MB"),
        "no address": (
            Fault(302, headers={"Location": "http://[::no/x"}),
            "the redirect names no address",
        ),
    },
)
def test_can_not_read_what_is_no_forge(
    place: Place, server: Loopback, answer: Fault, found: str
) -> None:
    server.plant(place.issue, answer)
    fails(place, server, f"the answer can't be read: {found}; is {server.host} a {place.name}?")


def test_half_a_character_becomes_a_question_mark(
    place: Place, fake: Any, server: Loopback
) -> None:
    fake.issues[12]["title"] = "half \ud83d\r\nwhole 😀"
    forge = place.forge(server)
    assert forge.issue(12).title == "half ?\nwhole 😀"
    forge.comment(12, "half \ud83d, whole 😀")
    assert [said.body for said in forge.comments(12)] == ["half ?, whole 😀"]


@table_of(
    ("status", "why"),
    [
        (401, "it wants a token; put one into THE_TOKEN"),
        (403, "it wants a token; put one into THE_TOKEN"),
        (404, "it was not found, or wants a token; put one into THE_TOKEN"),
    ],
)
def test_asks_for_a_token(place: Place, server: Loopback, status: int, why: str) -> None:
    server.plant(place.issue, Fault(status))
    fails(place, server, why, token="")


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
    fails(place, server, "no answer in time (asked 2 times)", answer=0.3, tries=2)
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
    with pytest.raises(ForgeError) as caught:
        place.make(account, place.path, Patience(sleep=lambda seconds: None)).issue(12)
    assert str(caught.value) == (
        f"{host}: can't read issue 12 of {place.path}: "
        "no connection: Connection refused (asked 3 times)"
    )


@table_of(
    ("fault", "waited"),
    {
        "fails once": (Fault(502), [2.0]),
        "fails twice": (Fault(500, times=2), [2.0, 4.0]),
        "says how long": (Fault(429, headers={"Retry-After": "7"}), [7.0]),
        "says nothing": (Fault(429), [2.0]),
        "broke off": (Fault(is_reset=True), [2.0]),
        "403, a limit": (Fault(403, {"message": "a secondary rate limit"}), [60.0]),
        "a date": (Fault(503, headers={"Retry-After": "Mon, 02 Nov 2020 10:00:00 GMT"}), [0.0]),
    },
)
def test_asks_again(place: Place, server: Loopback, fault: Fault, waited: list[float]) -> None:
    server.plant(place.issue, fault)
    slept: list[float] = []
    forge = place.forge(server, first=2.0, sleep=slept.append, random=lambda: 0.5)
    assert forge.issue(12).title == "It breaks"
    assert slept == waited


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
    posts = [line for line in server.lines if line.startswith("POST")]
    assert len(posts) == 2
    assert [said.url for said in forge.comments(12)] == [url]
    assert forge.pull(number).title == "Mend it"


def test_says_that_a_branch_is_missing(place: Place, fake: Any, server: Loopback) -> None:
    forge = place.forge(server)
    with pytest.raises(ForgeError) as caught:
        forge.propose(Wanted("Mend it", "", "fix", "main"))
    assert str(caught.value) == (
        f"{server.host}: can't open a {_request(place)} from fix in {place.path}: "
        f"there is no branch main in {place.path}; the default branch is trunk"
    )
    with pytest.raises(ForgeError) as caught:
        forge.propose(Wanted("Mend it", "", "gone", "trunk"))
    assert str(caught.value) == (
        f"{server.host}: can't open a {_request(place)} from gone in {place.path}: "
        f"there is no branch gone in {place.path}"
    )


def _request(place: Place) -> str:
    return "merge request" if place.name == "GitLab" else "pull request"


def test_says_what_the_forge_does_not_like(place: Place, server: Loopback) -> None:
    server.plant(place.opened, Fault(422, {"message": "No commits\n\x1b[2Jbetween \u202ethem"}))
    with pytest.raises(ForgeError) as caught:
        place.forge(server).propose(WANTED)
    assert str(caught.value) == (
        f"{server.host}: can't open a {_request(place)} from fix in {place.path}: "
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
    here = {"Location": "?again"}
    server.plant(place.issue, Fault(302, headers=here, times=9))
    with pytest.raises(ForgeError, match="it moved to "):
        place.forge(server).issue(12)
    assert len(server.asked) < 9
