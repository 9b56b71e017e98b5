"""What goes wrong at a forge: one line, nothing half-made, and nothing lost that was paid for."""

from typing import Any

import pytest
from at_forge import BRANCH, AtForge
from loopback import Fault

pytestmark = pytest.mark.slow
READ = "GET *issues/12"
PUSH = "POST *git-receive-pack"
OPEN = {"github": "POST *pulls", "gitlab": "POST *merge_requests", "gitea": "POST *pulls"}
GONE = {
    "github": "127.0.0.1:PORT: can't read issue 12 of ann/stopwatch: ",
    "gitlab": "127.0.0.1:PORT: can't read issue 12 of group/sub/tool: ",
    "gitea": "127.0.0.1:PORT: can't read issue 12 of ana/tool: ",
}


def said(message: str, status: int, **more: Any) -> Fault:
    return Fault(status, {"message": message}, **more)


def costs_nothing(desk: AtForge, *options: str) -> str:
    """The line of a run that does not begin."""
    words = ("solve", "#12", "--pr", "--repo", "repository", "--model", "replay/recorded.txt")
    desk.adds()
    before = desk.cli.holdings(), desk.site.requests()
    line = desk.refused(*words, *options)
    assert (desk.cli.holdings(), desk.site.requests()) == before
    assert not desk.site.has(BRANCH)
    return line.replace(desk.site.server.host, "127.0.0.1:PORT")


def test_an_issue_that_cannot_be_read(desk: AtForge) -> None:
    desk.site.server.plant(READ, said("Resource not accessible", 403))
    line = costs_nothing(desk)
    assert line.startswith(
        f"{GONE[desk.site.kind]}the token may not do that; it needs permission for "
    )
    assert line.endswith(': "Resource not accessible"')


def test_what_passes_is_waited_for(desk: AtForge) -> None:
    desk.site.server.plant(READ, said("Wait", 429, headers={"Retry-After": "1"}))
    desk.site.server.plant(OPEN[desk.site.kind], Fault(is_cut=True))
    assert desk.solve("--pr", model=desk.adds()).code == 0
    assert desk.request.branch == BRANCH


def test_a_base_that_cannot_be_fetched(desk: AtForge) -> None:
    desk.site.server.plant("GET /*.git/info/refs", Fault(403, b"no"))
    assert costs_nothing(desk).replace(desk.site.path, "REPO") == (
        "http://127.0.0.1:PORT/REPO.git does not let this token read it (403); "
        "give the token permission to read the repository's contents"
    )


def test_a_base_that_is_not_there(desk: AtForge) -> None:
    assert costs_nothing(desk, "--base", "main").replace(desk.site.path, "REPO") == (
        "http://127.0.0.1:PORT/REPO.git has no branch main"
    )


def test_a_token_that_may_not_push_or_none(desk: AtForge) -> None:
    desk.site.may_not_push()
    assert costs_nothing(desk) == (
        f"this token may not push to {desk.site.path}: use --fork to push to a fork of yours"
    )
    desk.cli.environment["SITE_TOKEN"] = ""
    assert costs_nothing(desk) == (
        "127.0.0.1:PORT: opening a pull request needs a token: put one into SITE_TOKEN"
    )


@pytest.mark.parametrize("options", [(), ("--fork",)], ids=["itself", "a fork"])
def test_an_archived_repository(desk: AtForge, options: tuple[str, ...]) -> None:
    desk.site.archive()
    line = f"{desk.site.path} is archived: nothing can be sent to it"
    assert costs_nothing(desk, *options) == line


def test_a_forge_that_is_not_there(desk: AtForge) -> None:
    desk.adds()
    desk.cli.git("remote", "set-url", "origin", "http://127.0.0.1:1/ann/stopwatch.git")
    desk.settings("[react_agent:forge 127.0.0.1:1]\nkind = gitea\ntoken = SITE_TOKEN\n")
    assert costs_nothing(desk).startswith("127.0.0.1:1: can't ")


def paid(desk: AtForge, *options: str) -> str:
    """What is said of a run whose change did not get out; afterwards it does."""
    answer = desk.solve("--pr", *options, model=desk.adds())
    assert (answer.code, answer.err.count("\n"), desk.site.requests()) == (1, 1, [])
    assert desk.cli.git("show", f"{BRANCH}:NOTES.md") == "A blank may stand before a unit."
    kept = f"; the branch {BRANCH} is kept: react-agent pr {desk.run}\n"
    assert answer.err.endswith(kept)
    line = answer.err.removeprefix("react-agent: ").removesuffix(kept)
    return str(line.replace(desk.site.server.host, "127.0.0.1:PORT"))


def later(desk: AtForge, *options: str) -> None:
    desk.cli("pr", desk.run, *options).ends_well()
    assert desk.request.branch == BRANCH
    assert desk.site.head(BRANCH) == desk.cli.git("rev-parse", BRANCH)


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        pytest.param(said("No", 403), "the token may not do that; ", id="403"),
        pytest.param(Fault(is_slow=True, times=3), "no answer in time", id="no answer"),
    ],
)
def test_a_pull_request_that_is_refused(desk: AtForge, fault: Fault, why: str) -> None:
    desk.settings("seconds = 2\n" if fault.is_slow else "")
    desk.site.server.plant(OPEN[desk.site.kind], fault)
    line = paid(desk)
    assert line.startswith("127.0.0.1:PORT: can't ")
    assert why in line
    later(desk)


def test_a_forge_that_is_gone_when_the_run_has_ended(desk: AtForge) -> None:
    gone = Fault(is_reset=True, times=50)
    server = desk.site.server
    desk.site.before("POST *git-upload-pack", lambda: server.plant("GET *", gone), 2)
    assert paid(desk).startswith("127.0.0.1:PORT: can't ")
    server.mend()
    later(desk)


def test_a_push_that_fails(desk: AtForge) -> None:
    desk.site.server.plant(PUSH, Fault(403, b"no"))
    assert "does not let this token write it (403); give the token " in paid(desk)
    assert not desk.site.has(BRANCH)
    later(desk)


def test_a_branch_that_is_protected(desk: AtForge) -> None:
    place = desk.site.repositories.refuse(desk.site.path, "no such names here")
    assert paid(desk).replace(desk.site.path, "REPO") == (
        f"http://127.0.0.1:PORT/REPO.git refused the branch {BRANCH} "
        "(pre-receive hook declined); it says: no such names here"
    )
    assert not desk.site.has(BRANCH)
    place.unlink()
    later(desk)


def test_a_branch_that_moves_before_it_is_pushed(desk: AtForge) -> None:
    theirs = desk.site.before(PUSH, lambda: desk.site.commit(BRANCH, "theirs.txt"))
    line = paid(desk)
    assert line.replace(desk.site.path, "REPO").startswith(
        f"{BRANCH} has changed at http://127.0.0.1:PORT/REPO.git in the meantime; "
        "nothing was overwritten: try again"
    )
    assert [desk.site.head(BRANCH)] == theirs
    assert " has a commit that is not ours: " in desk.refused("pr", desk.run)
    assert [desk.site.head(BRANCH)] == theirs


def test_a_default_branch_that_is_renamed_meanwhile(desk: AtForge) -> None:
    git = desk.site.git
    moved = desk.site.before("GET *info/refs", lambda: git("branch", "-m", "trunk", "new"), 3)
    line = paid(desk)
    assert moved == [""]
    assert line.replace(desk.site.path, "REPO") == (
        "http://127.0.0.1:PORT/REPO.git has no branch trunk: its default branch is new: use --base"
    )
    assert not desk.site.has(BRANCH)
    later(desk, "--base", "new")
    assert desk.request.base == "new"


def test_a_fork_that_cannot_be_made(desk: AtForge) -> None:
    desk.site.server.plant("POST *fork*", said("No forks", 403))
    line = costs_nothing(desk, "--fork")
    assert line.startswith("127.0.0.1:PORT: can't ")
    assert "the token may not do that; it needs permission for " in line


def test_a_comment_that_is_refused(desk: AtForge) -> None:
    desk.site.server.plant("POST *issues/12/*", said("Locked", 403))
    answer = desk.solve("--pr", "--comment", "--steps", "3")
    assert (answer.code, answer.err.count("\n")) == (1, 1)
    [run] = desk.cli.runs
    assert answer.err.endswith(f"; its text is in {run}/report.md\n")
    assert desk.site.comments(12) == []
