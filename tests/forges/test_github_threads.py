"""What is said about a pull request at GitHub, and where an answer goes."""

from collections.abc import Iterator

import pytest
from fake_github import FakeGitHub
from fake_github_repo import FakeRepository
from loopback import Fault

from react_agent.forges.account import Account
from react_agent.forges.contract import Remark, Thread, Wanted
from react_agent.forges.faults import Patience
from react_agent.forges.github import GitHub

HUNK = "@@ -1 +3 @@\n+x"


@pytest.fixture
def fake() -> Iterator[FakeGitHub]:
    with FakeGitHub({"s3cret": "me"}) as running:
        yield running


@pytest.fixture
def repo(fake: FakeGitHub) -> FakeRepository:
    return fake.add("org/tool", branches=lambda: {"main": "0" * 40, "fix": "1" * 40})


@pytest.fixture
def forge(fake: FakeGitHub, repo: FakeRepository) -> GitHub:
    patience = Patience(sleep=lambda seconds: None, answer=1.0)
    forge = GitHub(Account(fake.host, fake.api, "s3cret"), "org/tool", patience)
    forge.propose(Wanted("Fix it", "", "fix", "main"))
    return forge


def test_reads_every_conversation_oldest_first(
    forge: GitHub, fake: FakeGitHub, repo: FakeRepository
) -> None:
    first = repo.on_line(1, "alice", "Why?\r\nReally")
    below = repo.comment(1, "bob", "Nice.", author_association="OWNER")
    second = repo.on_line(1, "me", "Because.", in_reply_to_id=first["id"])
    gone = repo.on_line(1, "alice", "Here?", line=None, path="old.py")
    left = repo.on_line(1, "alice", "Was this needed?", side="LEFT")
    review = repo.review(1, "alice", "Two things.")
    repo.review(1, "alice", "", state="APPROVED")
    repo.review(1, "me", "not sent yet", state="PENDING")
    repo.resolved.add(gone["id"])
    at = "2026-11-20T14:00:{:02d}+00:00".format
    page = f"{fake.url}/org/tool"
    assert forge.threads(1) == (
        Thread(
            f"line:{first['id']}",
            (
                Remark("alice", "Why?\nReally", "none", at(2), url=first["html_url"]),
                Remark("me", "Because.", "none", at(4), url=second["html_url"]),
            ),
            "src/a.py",
            3,
            HUNK,
        ),
        Thread(
            f"comment:{below['id']}",
            (Remark("bob", "Nice.", "owner", at(3), url=f"{page}/issues/1#issuecomment-1003"),),
        ),
        Thread(
            f"line:{gone['id']}",
            (Remark("alice", "Here?", "none", at(5), url=gone["html_url"]),),
            "old.py",
            0,
            HUNK,
            is_resolved=True,
        ),
        Thread(
            f"line:{left['id']}",
            (Remark("alice", "Was this needed?", "none", at(6), url=left["html_url"]),),
            "src/a.py",
            0,
            HUNK,
        ),
        Thread(
            f"review:{review['id']}",
            (Remark("alice", "Two things.", "none", at(7), url=review["html_url"]),),
        ),
    )


def test_an_answer_to_an_answer_is_of_the_same_conversation(
    forge: GitHub, repo: FakeRepository
) -> None:
    first = repo.on_line(1, "alice", "a")
    second = repo.on_line(1, "me", "b", in_reply_to_id=first["id"])
    repo.on_line(1, "alice", "c", in_reply_to_id=second["id"])
    [thread] = forge.threads(1)
    assert [remark.body for remark in thread.remarks] == ["a", "b", "c"]


def test_nothing_is_resolved_where_only_rest_is_open(
    forge: GitHub, fake: FakeGitHub, repo: FakeRepository
) -> None:
    repo.resolved.add(repo.on_line(1, "alice", "a")["id"])
    fake.has_graph = False
    assert [thread.is_resolved for thread in forge.threads(1)] == [False]


@pytest.mark.parametrize("is_done", [False, True], ids=["lost on the way", "its answer lost"])
def test_answers_on_the_line_once(
    forge: GitHub, fake: FakeGitHub, repo: FakeRepository, is_done: bool
) -> None:
    repo.on_line(1, "alice", "Why?")
    [thread] = forge.threads(1)
    fake.server.plant("POST */replies", Fault(500, {}, is_done=is_done))
    address = forge.reply(1, thread, "Because.")
    [again] = forge.threads(1)
    assert [remark.body for remark in again.remarks] == ["Why?", "Because."]
    assert again.remarks[1].url == address


def test_answers_below_with_a_link_to_what_is_meant(
    forge: GitHub, fake: FakeGitHub, repo: FakeRepository
) -> None:
    said = repo.comment(1, "alice", "Why?")
    [thread] = forge.threads(1)
    forge.reply(1, thread, "Because.")
    assert repo.comments[1][1]["body"] == f"> In reply to {said['html_url']}\n\nBecause."


def test_such_an_answer_is_of_the_conversation_that_it_answers(
    forge: GitHub, repo: FakeRepository
) -> None:
    repo.review(1, "alice", "Two things.")
    repo.comment(1, "bob", "[About this](https://x/y):\n\nof what is not here")
    for thread in forge.threads(1):
        forge.reply(1, thread, "Because.")
    talks = [[remark.body for remark in thread.remarks] for thread in forge.threads(1)]
    assert talks == [
        ["Two things.", "Because."],
        ["[About this](https://x/y):\n\nof what is not here", "Because."],
    ]
