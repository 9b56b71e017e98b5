"""Our client against a Gitea on this machine."""

from dataclasses import replace
from typing import Any

import pytest
from check_rows import table_of
from fake_gitea import PATH, TOKEN, FakeGitea
from loopback import Fault, Loopback
from places import PLACES, WANTED, Place

from react_agent.forges.contract import Hosted, Posted, Remark, Thread

AT = "2026-11-02T10:00:00Z"


@pytest.fixture
def place() -> Place:
    return PLACES["gitea"]


@table_of(
    ("token", "changes", "can_push"),
    {
        "a writer": (TOKEN, {}, True),
        "nobody": ("", {}, False),
        "a reader": (TOKEN, {"can_push": False}, False),
        "archived": (TOKEN, {"is_archived": True}, False),
    },
)
def test_reads_the_repository(token: str, changes: dict[str, bool], can_push: bool) -> None:
    with FakeGitea(**changes).server() as server:  # type: ignore[arg-type]
        assert PLACES["gitea"].forge(server, token).repository() == Hosted(
            *(PATH, f"{server.url}/{PATH}.git", "trunk", can_push, "is_archived" in changes)
        )


def test_reads_an_issue_and_what_was_said(place: Place, fake: FakeGitea, server: Loopback) -> None:
    labels = [{"id": 1, "name": "bug"}]
    fake.issue(12, "It breaks", "Like so.", "cy", labels=labels, state="closed", comments=3)
    for author in ("ana", "bo", "renovate-bot"):
        fake.comment(12, author, f"I am {author}.")
    forge = place.forge(server)
    url = f"{server.url}/{PATH}/issues/12"
    assert forge.issue(12) == Posted(12, "It breaks", "Like so.", "cy", "none", ("bug",), False, 3)
    assert forge.comments(12) == [
        Remark("ana", "I am ana.", "owner", AT, False, f"{url}#issuecomment-101"),
        Remark("bo", "I am bo.", "collaborator", AT, False, f"{url}#issuecomment-102"),
        Remark("renovate-bot", "I am renovate-bot.", "none", AT, True, f"{url}#issuecomment-103"),
    ]


def test_says_nothing_of_standing_that_it_may_not_know(
    place: Place, fake: FakeGitea, server: Loopback
) -> None:
    fake.comment(12, "ana", "I see.")
    server.plant("GET /repos/ana/tool/assignees", Fault(403, {"message": "no"}))
    assert [said.association for said in place.forge(server).comments(12)] == [""]
    server.plant("GET /repos/ana/tool/assignees", Fault(502))  # which passes
    assert [said.association for said in place.forge(server).comments(12)] == ["owner"]


def test_finds_the_open_one_among_many(place: Place, fake: FakeGitea, server: Loopback) -> None:
    forge = place.forge(server)
    forge.propose(WANTED)
    mine = fake.pulls.pop(21)
    for number in range(22, 142):
        fake.pulls[number] = {**mine, "number": number, "head": {**mine["head"], "ref": "other"}}
    fake.pulls[21] = mine
    assert forge.propose(WANTED).number == 21


def test_finds_a_fork_of_another_name(place: Place, fake: FakeGitea, server: Loopback) -> None:
    fake.parents |= {"bo/tool": None, "bo/tool-1": PATH}
    fake.branches["bo/tool-1"] = {"trunk", "fix"}
    forge = place.forge(server)
    fork = forge.fork()
    assert fork.path == "bo/tool-1"
    assert forge.propose(replace(WANTED, source=fork.path)).source == "bo/tool-1"


def _on_code(server: Loopback, number: int, author: str, body: str, **more: Any) -> dict[str, Any]:
    return {
        "id": number,
        "body": body,
        "user": {"login": author},
        "created_at": AT,
        "html_url": f"{server.url}/{PATH}/pulls/21#issuecomment-{number}",
        "path": "a.py",
        "position": 3,
        "original_position": 0,
        "diff_hunk": "@@ -1 +1,3 @@",
        "resolver": None,
        **more,
    }


def test_reads_a_review_and_answers(place: Place, fake: FakeGitea, server: Loopback) -> None:
    forge = place.forge(server)
    forge.propose(WANTED)
    review = {"user": {"login": "ana"}, "submitted_at": AT, "html_url": f"{server.url}/r5"}
    fake.reviews[21] = [
        {"id": 5, "state": "REQUEST_CHANGES", "body": "Not yet.", "comments_count": 3, **review},
        {"id": 6, "state": "REQUEST_REVIEW", "body": "", "comments_count": 0, **review},
    ]
    fake.remarks[5] = [
        _on_code(server, 53, "ana", "Gone?", position=0, original_position=9, resolver={"id": 1}),
        _on_code(server, 52, "bo", "So."),
        _on_code(server, 51, "ana", "Why?"),
    ]
    fake.comment(21, "cy", "Nice.")
    at = f"{server.url}/{PATH}/pulls/21#issuecomment-"
    threads = forge.threads(21)
    why = Remark("ana", "Why?", "owner", AT, False, f"{at}51")
    so = Remark("bo", "So.", "collaborator", AT, False, f"{at}52")
    nice = f"{server.url}/{PATH}/issues/21#issuecomment-101"
    assert threads == (
        Thread("review 5", (Remark("ana", "Not yet.", "owner", AT, False, f"{server.url}/r5"),)),
        Thread("review 5 a.py:3", (why, so), "a.py", 3, "@@ -1 +1,3 @@"),
        Thread(
            "review 5 a.py:-9",
            (Remark("ana", "Gone?", "owner", AT, False, f"{at}53"),),
            "a.py",
            0,
            "@@ -1 +1,3 @@",
            True,
        ),
        Thread(f"comment {nice}", (Remark("cy", "Nice.", "none", AT, False, nice),)),
    )
    server.plant("POST *", Fault(502, is_done=True))
    forge.reply(21, threads[1], "Because.")
    again = forge.threads(21)
    assert [thread.key for thread in again] == [thread.key for thread in threads]
    assert [said.body for said in again[1].remarks] == ["Why?", "So.", "Because."]
    assert fake.comments[21][1]["body"] == f"> In reply to {at}51\n\nBecause."
