"""What goes wrong at GitHub alone."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from fake_github import FakeGitHub
from fake_github_repo import FakeRepository
from loopback import Fault

from react_agent.forges.account import Account
from react_agent.forges.contract import ForgeError, Wanted
from react_agent.forges.faults import Patience
from react_agent.forges.github import GitHub

WANTED = Wanted("Fix it", "", "fix", "main")
ISSUE = "can't read issue 1 of org/tool: "


@pytest.fixture
def fake() -> Iterator[FakeGitHub]:
    with FakeGitHub({"s3cret": "me"}) as running:
        yield running


@pytest.fixture
def repo(fake: FakeGitHub) -> FakeRepository:
    branches = {"main": "0" * 40, "fix": "1" * 40, "same": "0" * 40}
    repo = fake.add("org/tool", branches=lambda: branches)
    repo.issue("x", "")
    return repo


def forge(fake: FakeGitHub) -> GitHub:
    account = Account(fake.host, fake.api, "s3cret", "GH_TOKEN", "GitHub")
    return GitHub(account, "org/tool", Patience(answer=5.0, sleep=lambda seconds: None))


def line(fake: FakeGitHub, call: Callable[[], object]) -> str:
    with pytest.raises(ForgeError) as failed:
        call()
    return str(failed.value).removeprefix(f"{fake.host}: ")


@pytest.mark.parametrize(
    "field",
    [
        {"html_url": 1.5},
        {"archived": "no", "permissions": {"push": True}},
        {"permissions": []},
        {"clone_url": [None]},
    ],
)
def test_a_repository_has_fields_of_other_types(
    fake: FakeGitHub, repo: FakeRepository, field: dict[str, Any]
) -> None:
    fake.server.plant("GET /v3/repos/org/tool", Fault(body={**repo.row("me"), **field}))
    assert line(fake, forge(fake).repository) == (
        "can't read org/tool: the answer can't be read: "
        f"it lacks required fields; is {fake.host} a GitHub?"
    )


def test_a_person_without_a_name_is_a_ghost(fake: FakeGitHub, repo: FakeRepository) -> None:
    repo.issues[1] |= {"user": {"login": None}, "labels": [{"name": None}]}
    posted = forge(fake).issue(1)
    assert (posted.author, posted.labels) == ("ghost", ())


@pytest.mark.parametrize(
    ("facts", "call", "expected"),
    [
        pytest.param(
            {"deleted": {1}},
            lambda it: it.issue(1),
            f"{ISSUE}it was deleted",
            id="deleted",
        ),
        pytest.param(
            {},
            lambda it: it.pull(1),
            "can't read pull request 1 of org/tool: it was not found, or the token may not see it",
            id="an issue, no pull request",
        ),
        pytest.param(
            {},
            lambda it: it.propose(replace(WANTED, branch="same")),
            "can't open a pull request from same in org/tool: it was refused (status 422): "
            '"Validation Failed; No commits between main and same"',
            id="nothing in it",
        ),
        pytest.param(
            {"allows_forks": False},
            lambda it: it.fork(),
            "can't fork org/tool: the token may not do that: "
            '"The repository owner has disabled forking."',
            id="no forks",
        ),
    ],
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


def test_two_who_open_it_at_once_have_one(fake: FakeGitHub, repo: FakeRepository) -> None:
    it = forge(fake)
    it.propose(WANTED)
    fake.server.plant("GET */pulls", Fault(body=[]))
    assert it.propose(replace(WANTED, title="Better")).title == "Better"
    assert len(repo.pulls) == 1


@pytest.mark.parametrize(
    "link",
    [
        pytest.param("<http://127.0.0.2:9/api/v3/x?page=2>", id="at another host"),
        pytest.param("<ftp://x>", id="at no host"),
    ],
)
def test_a_next_page_elsewhere_is_not_asked_for(
    fake: FakeGitHub, repo: FakeRepository, link: str
) -> None:
    row = repo.comment(1, "alice", "x")
    fault = Fault(body=[row], headers={"Link": f'{link}; rel="next"'})
    fake.server.plant("GET */comments", fault)
    said = line(fake, lambda: forge(fake).comments(1))
    assert said.startswith("can't read the comments on 1 of org/tool: the answer can't be read")


def test_pages_without_an_end_are_ended(fake: FakeGitHub, repo: FakeRepository) -> None:
    row = repo.comment(1, "alice", "again")
    link = {"Link": f'<{repo.url}/issues/1/comments?page=2>; rel="next"'}
    fake.server.plant("GET */comments", Fault(body=[row] * 100, headers=link, times=9))
    assert len(forge(fake).comments(1)) == 500
