"""GitHub through its real client, against a server in memory that speaks its REST API."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from check_rows import table_of
from fake_github import FakeGitHub
from fake_github_repo import FakeRepository
from loopback import Fault
from refusals import refusal

from react_agent.forges.account import Account
from react_agent.forges.contract import Forge, ForgeError, Hosted, Posted, Remark, Thread, Wanted
from react_agent.forges.faults import Patience
from react_agent.forges.github import GitHub

TOKEN = "ghp_s3cret"
WANTED = Wanted("Fix it", "It was broken.\n\nFixes #1", "fix", "main")
HUNK = "@@ -1 +3 @@\n+x"


@pytest.fixture
def fake() -> Iterator[FakeGitHub]:
    with FakeGitHub({TOKEN: "me", "of-ci": "ci[bot]"}) as running:
        running.apps.add("ci[bot]")
        yield running


@pytest.fixture
def repo(fake: FakeGitHub) -> FakeRepository:
    branches = {"main": "0" * 40, "fix": "1" * 40, "old": "0" * 40}
    return fake.add("org/tool", writers={"me"}, branches=lambda: branches)


def forge(fake: FakeGitHub, token: str = TOKEN) -> GitHub:
    account = Account(fake.host, fake.api, token, "GH_TOKEN", "GitHub")
    return GitHub(account, "org/tool", Patience(answer=5.0, sleep=lambda seconds: None))


@pytest.fixture
def pulled(fake: FakeGitHub, repo: FakeRepository) -> GitHub:
    """With pull request 1."""
    it = forge(fake)
    it.propose(WANTED)
    return it


@table_of(
    ("token", "facts", "can_push"),
    {
        "a writer": (TOKEN, {}, True),
        "nobody": ("", {}, False),
        "somebody": ("of-ci", {}, False),
        "archived": (TOKEN, {"is_archived": True}, False),
    },
)
def test_reads_the_repository(
    fake: FakeGitHub, repo: FakeRepository, token: str, facts: dict[str, Any], can_push: bool
) -> None:
    for name, fact in facts.items():
        setattr(repo, name, fact)
    it: Forge = forge(fake, token)
    url, is_archived = f"{fake.url}/org/tool.git", "is_archived" in facts
    assert it.repository() == Hosted("org/tool", url, "main", can_push, is_archived)


def test_reads_an_issue_and_what_was_said(fake: FakeGitHub, repo: FakeRepository) -> None:
    labels = [{"name": "bug"}, {"name": "good first issue"}]
    facts: dict[str, Any] = {"author_association": "MEMBER", "labels": labels, "comments": 7}
    repo.issue("It fails", "When\r\nI run it", "alice", **facts)
    repo.comment(1, "alice", "a", author_association="FIRST_TIMER")
    repo.comment(1, "renovate[bot]", "b", author_association="CONTRIBUTOR")
    names = ("bug", "good first issue")
    expected = Posted(1, "It fails", "When\nI run it", "alice", "member", names, True, 7)
    assert forge(fake).issue(1) == expected
    at, page = "2026-11-20T14:00:0{}Z".format, f"{fake.url}/org/tool/issues/1#issuecomment-"
    assert forge(fake).comments(1) == [
        Remark("alice", "a", "none", at(2), False, f"{page}1002"),
        Remark("renovate[bot]", "b", "contributor", at(3), True, f"{page}1003"),
    ]


def test_reads_an_issue_of_nobody_about_nothing(fake: FakeGitHub, repo: FakeRepository) -> None:
    of_none: dict[str, Any] = {"author_association": None, "state": "closed"}
    repo.issue("x", None, user=None, **of_none)
    repo.issue("x", None, user={"login": None}, labels=[{"name": None}], **of_none)
    for number in (1, 2):
        assert forge(fake).issue(number) == Posted(number, "x", "", "ghost", is_open=False)


def test_brings_the_open_pull_request_in_line(fake: FakeGitHub, repo: FakeRepository) -> None:
    mine = forge(fake)
    mine.propose(replace(WANTED, is_draft=True))
    pull = mine.propose(replace(WANTED, title="Better", base="old"))
    assert (pull.number, pull.title, pull.base, pull.is_draft) == (1, "Better", "old", False)
    assert (mine.propose(replace(WANTED, title="Better", base="old")), len(repo.pulls)) == (pull, 1)
    assert fake.server.lines.count("PATCH /v3/repos/org/tool/pulls/1") == 1


def test_a_closed_pull_request_is_left_alone(fake: FakeGitHub, repo: FakeRepository) -> None:
    forge(fake).propose(WANTED)
    repo.issues[1]["state"] = "closed"
    repo.pulls[1]["merged_at"] = "2026-11-20T14:00:01Z"
    assert forge(fake).propose(WANTED).number == 2
    assert forge(fake).pull(1).state == "merged"


def test_where_only_rest_is_open_a_draft_stays_and_nothing_is_resolved(
    fake: FakeGitHub, repo: FakeRepository
) -> None:
    fake.has_graph = False
    forge(fake).propose(replace(WANTED, is_draft=True))
    assert forge(fake).propose(WANTED).is_draft
    fake.server.plant("POST /graphql", Fault(body={"errors": [{"message": "not accessible"}]}))
    assert forge(fake).propose(WANTED).is_draft
    repo.resolved.add(repo.on_line(1, "alice", "a")["id"])
    assert [thread.is_resolved for thread in forge(fake).threads(1)] == [False]


def test_opens_no_draft_where_there_are_none(fake: FakeGitHub, repo: FakeRepository) -> None:
    repo.allows_drafts = False
    assert not forge(fake).propose(replace(WANTED, is_draft=True)).is_draft


def test_takes_the_fork_that_has_another_name(fake: FakeGitHub, repo: FakeRepository) -> None:
    fake.add("me/tool")
    assert forge(fake).fork().path == "me/tool-1"


@table_of(("token", "login"), {"a person": (TOKEN, "me"), "a job in CI": ("of-ci", "ci[bot]")})
def test_knows_who_it_is(fake: FakeGitHub, repo: FakeRepository, token: str, login: str) -> None:
    assert forge(fake, token).me() == login


def test_reads_every_conversation_oldest_first(
    pulled: GitHub, fake: FakeGitHub, repo: FakeRepository
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
    at = "2026-11-20T14:00:{:02d}Z".format
    page = f"{fake.url}/org/tool"
    assert pulled.threads(1) == (
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
    pulled: GitHub, repo: FakeRepository
) -> None:
    first = repo.on_line(1, "alice", "a")
    second = repo.on_line(1, "me", "b", in_reply_to_id=first["id"])
    repo.on_line(1, "alice", "c", in_reply_to_id=second["id"])
    [thread] = pulled.threads(1)
    assert [remark.body for remark in thread.remarks] == ["a", "b", "c"]


@pytest.mark.parametrize("is_done", [False, True], ids=["lost on the way", "its answer lost"])
def test_answers_on_the_line_once(
    pulled: GitHub, fake: FakeGitHub, repo: FakeRepository, is_done: bool
) -> None:
    repo.on_line(1, "alice", "Why?")
    [thread] = pulled.threads(1)
    fake.server.plant("POST */replies", Fault(500, {}, is_done=is_done))
    address = pulled.reply(1, thread, "Because.")
    [again] = pulled.threads(1)
    assert [remark.body for remark in again.remarks] == ["Why?", "Because."]
    assert again.remarks[1].url == address


def test_an_answer_below_is_of_the_conversation_that_it_names(
    pulled: GitHub, fake: FakeGitHub, repo: FakeRepository
) -> None:
    repo.review(1, "alice", "Two things.")
    repo.comment(1, "bob", "[About this](https://x/y):\n\nof what is not here")
    for thread in pulled.threads(1):
        pulled.reply(1, thread, "Because.")
    review = f"{fake.url}/org/tool/pull/1#pullrequestreview-1002"
    assert repo.comments[1][1]["body"] == f"> In reply to {review}\n\nBecause."
    talks = [[remark.body for remark in thread.remarks] for thread in pulled.threads(1)]
    assert talks == [
        ["Two things.", "Because."],
        ["[About this](https://x/y):\n\nof what is not here", "Because."],
    ]


def line(fake: FakeGitHub, call: Callable[[], object]) -> str:
    return refusal(ForgeError, call).removeprefix(f"{fake.host}: ")


def test_a_repository_has_a_name(fake: FakeGitHub, repo: FakeRepository) -> None:
    fake.server.plant("GET /v3/repos/org/tool", Fault(body={**repo.row("me"), "full_name": [None]}))
    told = f"the answer can't be read: it lacks required fields; is {fake.host} a GitHub?"
    assert line(fake, forge(fake).repository) == f"can't read org/tool: {told}"


@table_of(
    ("facts", "call", "expected"),
    {
        "deleted": (
            {"deleted": {1}},
            lambda it: it.issue(1),
            'can\'t read issue 1 of org/tool: it is gone: "This issue was deleted"',
        ),
        "an issue, no pull request": (
            {},
            lambda it: it.pull(1),
            "can't read pull request 1 of org/tool: it was not found, or the token may not see it",
        ),
        "nothing in it": (
            {},
            lambda it: it.propose(replace(WANTED, branch="old")),
            "can't open a pull request from old in org/tool: it was refused (status 422): "
            '"Validation Failed; No commits between main and old"',
        ),
        "no forks": (
            {"allows_forks": False},
            lambda it: it.fork(),
            "can't fork org/tool: the token may not do that: "
            '"The repository owner has disabled forking."',
        ),
    },
)
def test_what_cannot_be_done_is_a_line(
    fake: FakeGitHub,
    repo: FakeRepository,
    facts: dict[str, Any],
    call: Callable[[GitHub], object],
    expected: str,
) -> None:
    for name, fact in facts.items():
        setattr(repo, name, fact)
    assert line(fake, lambda: call(forge(fake))) == expected


def test_two_who_open_it_at_once_have_one(
    pulled: GitHub, fake: FakeGitHub, repo: FakeRepository
) -> None:
    fake.server.plant("GET */pulls", Fault(body=[]))
    assert pulled.propose(replace(WANTED, title="Better")).title == "Better"
    assert len(repo.pulls) == 1


@table_of(
    "link", {"at another host": "<http://127.0.0.2:9/api/v3/x?page=2>", "at no host": "<ftp://x>"}
)
def test_a_next_page_elsewhere_is_not_asked_for(
    fake: FakeGitHub, repo: FakeRepository, link: str
) -> None:
    repo.issue("x", "")
    row = repo.comment(1, "alice", "x")
    fake.server.plant("GET */comments", Fault(body=[row], headers={"Link": f'{link}; rel="next"'}))
    assert [said.body for said in forge(fake).comments(1)] == ["x"]
    assert {asked.query["page"] for asked in fake.server.asked if asked.query} == {"1", "2"}


def test_pages_without_an_end_are_ended(fake: FakeGitHub, repo: FakeRepository) -> None:
    repo.issue("x", "")
    row = repo.comment(1, "alice", "again")
    link = {"Link": f'<{repo.url}/issues/1/comments?page=2>; rel="next"'}
    fake.server.plant("GET */comments", Fault(body=[row] * 100, headers=link, times=9))
    assert len(forge(fake).comments(1)) == 500
