"""Everything that goes wrong at GitHub is one line, and leaves nothing half-made."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from fake_github import FakeGitHub
from fake_github_repo import FakeRepository
from loopback import Fault

from react_agent.forges.asking import Patience
from react_agent.forges.contract import ForgeError, Wanted
from react_agent.forges.faults import Account
from react_agent.forges.github import GitHub

SLEPT = [1.0, 2.0]
WANTED = Wanted("Fix it", "", "fix", "main")
ISSUE = "can't read issue 1 of org/tool: "
PROPOSE = "can't propose branch fix for main of org/tool: "
TO_SIGN_ON = {"X-GitHub-SSO": "required; url=https://github.com/orgs/x/sso?a=1"}
SCOPES = {"X-OAuth-Scopes": "read:org", "X-Accepted-OAuth-Scopes": "repo"}
USED_UP = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "99999999999"}


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


class Slept(list[float]):
    def patience(self, **other: Any) -> Patience:
        waiting = {"sleep": self.append, "random": lambda: 0.5, "answer": 1.0, **other}
        return Patience(**waiting)


def forge(
    fake: FakeGitHub, token: str = "s3cret", slept: Slept | None = None, **other: Any
) -> GitHub:
    account = Account(fake.host, fake.api, token, "GH_TOKEN", "GitHub")
    return GitHub(account, "org/tool", (Slept() if slept is None else slept).patience(**other))


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
        f"can't read what there is of org/tool: the answer can't be read; is {fake.host} a GitHub?"
    )


def test_a_person_without_a_name_is_a_ghost(fake: FakeGitHub, repo: FakeRepository) -> None:
    repo.issues[1] |= {"user": {"login": None}, "labels": [{"name": None}]}
    posted = forge(fake).issue(1)
    assert (posted.author, posted.labels) == ("ghost", ())


@pytest.mark.parametrize(
    ("fault", "expected", "slept"),
    [
        pytest.param(
            Fault(401, {"message": "Bad credentials"}),
            "the token is not accepted; put a valid one into GH_TOKEN",
            [],
            id="401",
        ),
        pytest.param(
            Fault(
                403,
                {"message": "Resource not accessible"},
                {"X-Accepted-GitHub-Permissions": "a=b"},
            ),
            'the token may not do that: "Resource not accessible; wanted: a=b"',
            [],
            id="403, a right is missing",
        ),
        pytest.param(
            Fault(403, {"message": "no"}, SCOPES),
            'the token may not do that: "no; wanted: repo"',
            [],
            id="403, a scope is missing",
        ),
        pytest.param(
            Fault(403, {"message": "no"}, TO_SIGN_ON),
            'the token may not do that: "no; single sign-on at https://github.com/orgs/x/sso?a=1"',
            [],
            id="403, single sign-on",
        ),
        pytest.param(
            Fault(403, {"message": "API rate limit exceeded"}, {"Retry-After": "3600"}),
            "too many requests; it takes more in 3600 s",
            [],
            id="403, a long limit",
        ),
        pytest.param(
            Fault(404, {"message": "Not Found"}),
            "it is not there, or the token may not see it",
            [],
            id="404",
        ),
        pytest.param(
            Fault(409, {"message": "Git Repository is empty."}),
            'it was refused (status 409): "Git Repository is empty."',
            [],
            id="409",
        ),
        pytest.param(Fault(410, {"message": "x"}), "it was deleted", [], id="410"),
        pytest.param(
            Fault(429, {"message": "x"}, {"Retry-After": "5"}, times=3),
            "too many requests; it takes more in 5 s (asked 3 times)",
            [5.0, 5.0],
            id="429",
        ),
        pytest.param(
            Fault(502, b"<html>", times=3),
            "the forge fails (status 502) (asked 3 times)",
            SLEPT,
            id="502",
        ),
        pytest.param(
            Fault(is_cut=True, body={"number": 1}, times=3),
            "the answer broke off (asked 3 times)",
            SLEPT,
            id="cut",
        ),
        pytest.param(
            Fault(is_reset=True, times=3), "the answer broke off (asked 3 times)", SLEPT, id="reset"
        ),
        *(
            pytest.param(
                Fault(body=body),
                "the answer can't be read; is {host} a GitHub?",
                [],
                id=f"not of its API: {body!r}",
            )
            for body in (b"<html>", b"{", b"", [], {"number": "one"}, b"\xff", None, {"url": "x"})
        ),
        pytest.param(
            Fault(400, [1]),
            "the answer can't be read; is {host} a GitHub?",
            [],
            id="a list of errors",
        ),
    ],
)
def test_a_fault_is_a_line(
    fake: FakeGitHub, repo: FakeRepository, fault: Fault, expected: str, slept: list[float]
) -> None:
    waited = Slept()
    it = forge(fake, slept=waited)
    fake.server.plant("GET */issues/1", fault)
    expected = ISSUE + expected.format(host=fake.host)
    assert (line(fake, lambda: it.issue(1)), waited) == (expected, slept)


def test_what_passes_is_waited_for(fake: FakeGitHub, repo: FakeRepository) -> None:
    waited = Slept()
    it = forge(fake, slept=waited)
    limit = {"message": "You have exceeded a secondary rate limit"}
    fake.server.plant("GET */issues/1", Fault(403, limit))
    fake.server.plant("GET */issues/1", Fault(503, {}))
    assert it.issue(1).title == "x"
    assert waited == [60.0, 2.0]


def test_a_limit_for_hours_is_said(fake: FakeGitHub, repo: FakeRepository) -> None:
    fake.server.plant("GET *", Fault(403, {"message": "API rate limit exceeded"}, USED_UP))
    said = line(fake, lambda: forge(fake, "").issue(1))
    assert said.startswith("can't find org/tool: too many requests; it takes more in ")


def test_a_slow_answer_is_not_waited_for(fake: FakeGitHub, repo: FakeRepository) -> None:
    fake.server.plant("GET *", Fault(is_slow=True))
    said = line(fake, lambda: forge(fake, tries=1).repository())
    assert said == "can't find org/tool: no answer in time"


def test_nobody_is_there(fake: FakeGitHub, repo: FakeRepository) -> None:
    account = Account("127.0.0.1:9", "http://127.0.0.1:9/api/v3", kind="GitHub")
    nobody = GitHub(account, "org/tool", Slept().patience())
    with pytest.raises(ForgeError) as failed:
        nobody.repository()
    expected = "127.0.0.1:9: can't find org/tool: no connection: Connection refused (asked 3 times)"
    assert str(failed.value) == expected


@pytest.mark.parametrize(
    ("token", "facts", "call", "expected"),
    [
        pytest.param(
            "",
            {},
            lambda it: it.comment(1, "x"),
            "can't comment on 1 of org/tool: it wants a token; put one into GH_TOKEN",
            id="no token",
        ),
        pytest.param(
            "s3cret",
            {"deleted": {1}},
            lambda it: it.issue(1),
            f"{ISSUE}it was deleted",
            id="deleted",
        ),
        pytest.param(
            "s3cret",
            {},
            lambda it: it.pull(1),
            "can't read pull request 1 of org/tool: it is not there, or the token may not see it",
            id="an issue, no pull request",
        ),
        pytest.param(
            "s3cret",
            {},
            lambda it: it.propose(replace(WANTED, base="master")),
            "can't propose branch fix for master of org/tool: "
            "there is no branch master in org/tool; the default branch is main",
            id="no such base",
        ),
        pytest.param(
            "s3cret",
            {},
            lambda it: it.propose(replace(WANTED, branch="gone")),
            "can't propose branch gone for main of org/tool: there is no branch gone in org/tool",
            id="no such branch",
        ),
        pytest.param(
            "s3cret",
            {},
            lambda it: it.propose(replace(WANTED, branch="same")),
            "can't propose branch same for main of org/tool: it has no commit that main has not",
            id="nothing in it",
        ),
        pytest.param(
            "s3cret",
            {},
            lambda it: [it.propose(WANTED), it.ask_for(2, ["me"], [])],
            "can't ask for a review of pull request 2 of org/tool: it was refused (status 422): "
            '"Review cannot be requested from pull request author."',
            id="a review of oneself",
        ),
        pytest.param(
            "s3cret",
            {"allows_forks": False},
            lambda it: it.fork(),
            "can't make a fork of org/tool: the token may not do that: "
            '"The repository owner has disabled forking."',
            id="no forks",
        ),
        pytest.param(
            "wrong",
            {},
            lambda it: it.me(),
            "can't ask who the token is of: "
            "the token is not accepted; put a valid one into GH_TOKEN",
            id="a wrong token",
        ),
    ],
)
def test_what_cannot_be_done_is_a_line(
    fake: FakeGitHub,
    repo: FakeRepository,
    token: str,
    facts: dict[str, Any],
    call: Callable[[GitHub], object],
    expected: str,
) -> None:
    for name, fact in facts.items():
        setattr(repo, name, fact)
    assert line(fake, lambda: call(forge(fake, token))) == expected


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


@pytest.mark.parametrize(
    "where", ["http://127.0.0.2:9/api/v3/repos/org/tool", "https://evil.example/", "", "//"]
)
def test_a_way_elsewhere_is_not_followed(
    fake: FakeGitHub, repo: FakeRepository, where: str
) -> None:
    for status in (301, 302, 307):
        fake.server.plant("GET */org/tool", Fault(status, {"url": where}, {"Location": where}))
        said = line(fake, lambda: forge(fake).repository())
        assert said.startswith("can't find org/tool: the answer can't be read")


def test_a_write_that_was_sent_elsewhere_is_not_done(
    fake: FakeGitHub, repo: FakeRepository
) -> None:
    fake.server.plant("POST *", Fault(307, {"url": "x"}, {"Location": "http://127.0.0.2:9/"}))
    said = line(fake, lambda: forge(fake).comment(1, "x"))
    assert said.startswith("can't comment on 1 of org/tool: the answer can't be read")


def test_an_answer_that_is_too_deep(fake: FakeGitHub, repo: FakeRepository) -> None:
    fake.server.plant("GET */org/tool", Fault(body=b"[" * 200_000))
    said = line(fake, lambda: forge(fake).repository())
    assert said.startswith("can't find org/tool: the answer can't be read")
