"""GitHub through its real client, against a server in memory that speaks its REST API."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from fake_github import FakeGitHub
from fake_github_repo import FakeRepository

from react_agent.forges.account import Account
from react_agent.forges.contract import Forge, Hosted, Posted, Remark, Wanted
from react_agent.forges.faults import Patience
from react_agent.forges.github import GitHub

TOKEN = "ghp_s3cret"


@pytest.fixture
def fake() -> Iterator[FakeGitHub]:
    with FakeGitHub({TOKEN: "me", "of-ci": "ci[bot]"}) as running:
        running.apps.add("ci[bot]")
        yield running


@pytest.fixture
def repo(fake: FakeGitHub) -> FakeRepository:
    branches = {"main": "0" * 40, "fix": "1" * 40, "old": "0" * 40}
    return fake.add("org/tool", writers={"me"}, branches=lambda: branches)


def account(fake: FakeGitHub, token: str = TOKEN) -> Account:
    return Account(fake.host, fake.api, token, "GH_TOKEN", "GitHub")


def forge(fake: FakeGitHub, token: str = TOKEN, path: str = "org/tool", **patience: Any) -> GitHub:
    waiting = {"sleep": lambda seconds: None, "random": lambda: 0.5, "answer": 1.0, **patience}
    return GitHub(account(fake, token), path, Patience(**waiting))


WANTED = Wanted("Fix it", "It was broken.\n\nFixes #1", "fix", "main")


def test_is_a_forge(fake: FakeGitHub, repo: FakeRepository) -> None:
    it: Forge = forge(fake)
    assert it.repository() == Hosted(
        "org/tool", f"{fake.url}/org/tool.git", "main", True, f"{fake.url}/org/tool"
    )


@pytest.mark.parametrize(
    ("token", "facts", "can_push"),
    [
        pytest.param("", {}, False, id="nobody"),
        pytest.param("of-ci", {}, False, id="somebody"),
        pytest.param(TOKEN, {"is_archived": True}, False, id="archived"),
    ],
)
def test_knows_who_may_push(
    fake: FakeGitHub, repo: FakeRepository, token: str, facts: dict[str, Any], can_push: bool
) -> None:
    for name, fact in facts.items():
        setattr(repo, name, fact)
    assert forge(fake, token).repository().can_push is can_push


def test_follows_a_repository_that_was_moved_and_a_branch_renamed(
    fake: FakeGitHub, repo: FakeRepository
) -> None:
    fake.add("old/name", moved_to="org/tool")
    repo.default_branch = "trunk"
    number = repo.issue("Moved", "along")
    moved = forge(fake, path="old/name")
    found = moved.repository()
    assert (found.path, found.default_branch) == ("org/tool", "trunk")
    assert moved.issue(number).title == "Moved"
    assert moved.comment(number, "seen").startswith(f"{fake.url}/org/tool/issues/1#")


def test_reads_an_issue(fake: FakeGitHub, repo: FakeRepository) -> None:
    repo.issue(
        "It fails",
        "When\r\nI run it",
        "alice",
        author_association="MEMBER",
        labels=[{"name": "bug"}, {"name": "good first issue"}],
        comments=7,
    )
    assert forge(fake).issue(1) == Posted(
        1,
        "It fails",
        "When\nI run it",
        f"{fake.url}/org/tool/issues/1",
        "alice",
        "member",
        ("bug", "good first issue"),
        True,
        7,
    )


def test_reads_an_issue_of_nobody_about_nothing(fake: FakeGitHub, repo: FakeRepository) -> None:
    repo.issue("x", None, user=None, author_association=None, state="closed")
    url = f"{fake.url}/org/tool/issues/1"
    assert forge(fake).issue(1) == Posted(1, "x", "", url, "ghost", is_open=False)


def test_says_who_commented(fake: FakeGitHub, repo: FakeRepository) -> None:
    repo.issue("x", "")
    repo.comment(1, "alice", "a", author_association="FIRST_TIMER")
    repo.comment(1, "renovate[bot]", "b", author_association="CONTRIBUTOR")
    page = f"{fake.url}/org/tool/issues/1#issuecomment-"
    assert forge(fake).comments(1) == [
        Remark("alice", "a", "none", "2026-11-20T14:00:02+00:00", False, f"{page}1002"),
        Remark(
            "renovate[bot]", "b", "contributor", "2026-11-20T14:00:03+00:00", True, f"{page}1003"
        ),
    ]


def test_brings_the_open_pull_request_in_line(fake: FakeGitHub, repo: FakeRepository) -> None:
    mine = forge(fake)
    mine.propose(replace(WANTED, is_draft=True))
    pull = mine.propose(replace(WANTED, title="Better", base="old"))
    assert (pull.number, pull.title, pull.base, pull.is_draft) == (1, "Better", "old", False)
    again = mine.propose(replace(WANTED, title="Better", base="old"))
    assert (again, len(repo.pulls)) == (pull, 1)
    assert fake.server.lines.count("PATCH /v3/repos/org/tool/pulls/1") == 1


def test_a_closed_pull_request_is_left_alone(fake: FakeGitHub, repo: FakeRepository) -> None:
    forge(fake).propose(WANTED)
    repo.issues[1]["state"] = "closed"
    repo.pulls[1]["merged_at"] = "2026-11-20T14:00:01Z"
    assert forge(fake).propose(WANTED).number == 2
    assert forge(fake).pull(1).state == "merged"


def test_keeps_a_draft_where_only_rest_is_open(fake: FakeGitHub, repo: FakeRepository) -> None:
    fake.has_graph = False
    forge(fake).propose(replace(WANTED, is_draft=True))
    assert forge(fake).propose(WANTED).is_draft


def test_opens_no_draft_where_there_are_none(fake: FakeGitHub, repo: FakeRepository) -> None:
    repo.allows_drafts = False
    assert not forge(fake).propose(replace(WANTED, is_draft=True)).is_draft


def test_proposes_from_a_fork(fake: FakeGitHub, repo: FakeRepository) -> None:
    repo.writers.clear()
    mine = forge(fake)
    fork = mine.fork()
    assert (fork.path, fork.can_push) == ("me/tool", True)
    assert mine.fork() == fork
    pull = mine.propose(replace(WANTED, source="me/tool"))
    assert (pull.source, pull.source_url) == ("me/tool", f"{fake.url}/me/tool.git")
    del fake.repositories["me/tool"]
    gone = forge(fake).pull(pull.number)
    assert (gone.source, gone.source_url) == ("", "")


def test_takes_the_fork_that_has_another_name(fake: FakeGitHub, repo: FakeRepository) -> None:
    fake.add("me/tool")
    assert forge(fake).fork().path == "me/tool-1"


@pytest.mark.parametrize(
    ("token", "login"),
    [pytest.param(TOKEN, "me", id="a person"), pytest.param("of-ci", "ci[bot]", id="a job in CI")],
)
def test_knows_who_it_is(fake: FakeGitHub, repo: FakeRepository, token: str, login: str) -> None:
    assert forge(fake, token).me() == login


def test_no_request_says_who_asks_without_a_token(fake: FakeGitHub, repo: FakeRepository) -> None:
    repo.issue("x", "")
    assert forge(fake, "").issue(1).title == "x"
    assert all("authorization" not in asked.headers for asked in fake.server.asked)
