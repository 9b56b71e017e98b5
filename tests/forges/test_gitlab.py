"""The real python-gitlab against a GitLab on this machine."""

import sys
from dataclasses import replace

import pytest
from check_rows import table_of
from fake_gitlab import FakeGitLab
from loopback import Fault, Loopback
from places import PLACES, WANTED, Place
from refusals import refusal

from react_agent.forges.account import Account
from react_agent.forges.contract import ForgeError, Hosted, Posted, Remark, Thread
from react_agent.forges.faults import Patience
from react_agent.forges.gitlab import GitLab

PATH = "group/sub/tool"
AT = "2026-11-02T10:00:00.000Z"


@pytest.fixture
def place() -> Place:
    return PLACES["gitlab"]


@table_of(
    ("level", "more", "expected"),
    {
        "reporter": (20, {}, False),
        "developer": (30, {}, True),
        "through another group": (0, {}, True),
        "archived": (50, {"archived": True}, False),
    },
)
def test_reads_the_repository(
    place: Place,
    fake: FakeGitLab,
    server: Loopback,
    level: int,
    more: dict[str, bool],
    expected: bool,
) -> None:
    fake.level = level
    fake.projects[7].update(more)
    assert place.forge(server).repository() == Hosted(
        *(PATH, f"{server.url}/{PATH}.git", "trunk", expected, "archived" in more)
    )


def test_reads_an_issue_and_what_was_said(place: Place, fake: FakeGitLab, server: Loopback) -> None:
    fake.issue(12, "It breaks", "Like so.", "cy", labels=["bug"], user_notes_count=3)
    fake.note("issues", 12, "ana", "I see.")
    fake.note("issues", 12, "ana", "changed the title", system=True)
    fake.note("issues", 12, "ana", "a customer's name", internal=True)
    fake.note("issues", 12, "project_7_bot_a1", "Ping.")
    forge = place.forge(server)
    url = f"{server.url}/{PATH}/-/issues/12"
    assert forge.issue(12) == Posted(
        12, "It breaks", "Like so.", "cy", "collaborator", ("bug",), True, 3
    )
    assert forge.comments(12) == [
        Remark("ana", "I see.", "owner", AT, False, f"{url}#note_101"),
        Remark("project_7_bot_a1", "Ping.", "none", AT, True, f"{url}#note_104"),
    ]


def test_says_nothing_of_standing_that_it_may_not_know(
    place: Place, fake: FakeGitLab, server: Loopback
) -> None:
    fake.note("issues", 12, "ana", "I see.")
    server.plant("GET /projects/7/members/all*", Fault(403, {"message": "403 Forbidden"}))
    assert [said.association for said in place.forge(server).comments(12)] == [""]
    assert [said.association for said in place.forge(server, token="").comments(12)] == [""]
    server.plant("GET /projects/7/members/all*", Fault(502))  # which passes
    assert [said.association for said in place.forge(server).comments(12)] == ["owner"]


def test_obeys_no_command_in_what_it_posts(
    place: Place, fake: FakeGitLab, server: Loopback
) -> None:
    fake.issues[12] = {}
    place.forge(server).propose(
        replace(WANTED, body="Done.\n/merge\n  /approve\n/ usr and a/b\n//x")
    )
    place.forge(server).comment(12, "/close")
    assert fake.requests[1]["description"] == "Done.\n\\/merge\n  \\/approve\n/ usr and a/b\n//x"
    assert fake.notes["issues", 12][0]["body"] == "\\/close"


def test_says_that_its_client_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gitlab", None)
    account = Account("gitlab.com", "https://gitlab.com/api/v4")
    command = f"{sys.executable} -m pip install 'react-agent[gitlab]'"
    line = f"GitLab needs python-gitlab, which is not installed: {command}"
    assert refusal(ForgeError, GitLab, account, PATH, Patience()) == line


def test_says_that_a_fork_failed(place: Place, fake: FakeGitLab, server: Loopback) -> None:
    fake.projects[8] = {"path_with_namespace": "bo/tool", "status": "failed", "error": "disk"}
    line = f"{server.host}: can't fork {PATH}: the forge could not copy it: disk"
    assert refusal(ForgeError, place.forge(server).fork) == line


def test_reads_a_review_and_answers(place: Place, fake: FakeGitLab, server: Loopback) -> None:
    forge = place.forge(server)
    forge.propose(WANTED)
    on_line = {"new_path": "a.py", "old_path": "a.py", "new_line": 3}
    more = {"resolvable": True, "resolved": True}
    one = fake.note("merge_requests", 1, "ana", "Why?", position=on_line, **more)
    two = fake.note("merge_requests", 1, "bo", "So.", position=on_line, **more)
    three = fake.note("merge_requests", 1, "cy", "Nice.")
    system = fake.note("merge_requests", 1, "cy", "approved", system=True)
    for key, notes in {"aa": [one, two], "bb": [three], "cc": [system]}.items():
        fake.discussions.setdefault(1, []).append({"id": key, "notes": notes})
    url = f"{server.url}/{PATH}/-/merge_requests/1#note_"
    threads = forge.threads(1)
    whole = Remark("ana", "Why?", "owner", AT, False, f"{url}101")
    reply = Remark("bo", "So.", "member", AT, False, f"{url}102")
    nice = Remark("cy", "Nice.", "collaborator", AT, False, f"{url}103")
    assert threads == [Thread("aa", (whole, reply), "a.py", 3, "", True), Thread("bb", (nice,))]
    server.plant("POST *", Fault(502, is_done=True))
    assert forge.reply(1, threads[1], "Thanks.\n/approve") == f"{url}105"
    assert [said.body for said in forge.threads(1)[1].remarks] == ["Nice.", "Thanks.\n\\/approve"]
    with pytest.raises(ForgeError, match="it was not found, or the token may not see it"):
        forge.reply(1, Thread("../../../users", ()), "x")
