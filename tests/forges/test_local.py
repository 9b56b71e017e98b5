"""Issues and pull requests of a repository that is at no forge."""

from dataclasses import replace
from pathlib import Path

import pytest
from refusals import refusal

from react_agent.errors import ReactAgentError
from react_agent.forges.contract import Forge, Hosted, Posted, Pull, Wanted
from react_agent.forges.local import Local
from react_agent.tools.git.door import Git

WANTED = Wanted("Fix it", "It was\n---\nbroken.", "fix", "main", is_draft=True)


@pytest.fixture
def forge(top: Path, tmp_path: Path) -> Local:
    return Local(top, tmp_path / "state")


def test_is_a_forge(forge: Local, top: Path) -> None:
    it: Forge = forge
    assert it.repository() == Hosted(str(top), str(top), "main", True)
    assert it.me() == "react-agent"


def test_reads_an_issue_as_committed(forge: Local, top: Path) -> None:
    (top / "issues" / "12.md").write_text("changed")
    assert forge.issue(12) == Posted(12, "It fails", "Always.\n")


def test_reads_the_front_matter_of_an_issue(forge: Local, top: Path) -> None:
    (top / "issues" / "12.md").write_text("---\ntitle: It fails\nlabels: [bug, ci]\n---\nAlways.\n")
    Git(top).run("commit", "--quiet", "--all", "-m", "two")
    assert forge.issue(12) == Posted(12, "It fails", "Always.\n", labels=("bug", "ci"))


def test_reads_an_issue_that_was_written_on_windows(forge: Local, top: Path) -> None:
    text = "\ufeff---\r\ntitle: It fails\r\nlabels:\r\n- bug\r\n---\r\nAlways.\r\n"
    (top / "issues" / "12.md").write_bytes(text.encode())
    Git(top).run("commit", "--quiet", "--all", "-m", "two")
    assert forge.issue(12) == Posted(12, "It fails", "Always.\n", labels=("bug",))


def test_keeps_comments_beside_the_repository(forge: Local, top: Path, tmp_path: Path) -> None:
    address = Path(forge.comment(12, "Looked into it."))
    assert forge.comment(1, "Done.") == str(address)
    assert address.read_text() == "# Issue 12\n\nLooked into it.\n\n# Issue 1\n\nDone.\n\n"
    assert address.is_relative_to(tmp_path / "state")
    assert Git(top).line("status", "--porcelain") == "?? issues/13.md"


def test_proposes_a_branch(forge: Local, top: Path) -> None:
    pull = forge.propose(WANTED)
    assert pull == Pull(
        0,
        pull.url,
        "Fix it",
        "It was\n---\nbroken.",
        "fix",
        "main",
        is_draft=True,
        author="react-agent",
        source_url=str(top),
    )
    assert Path(pull.url).read_text().startswith("---\ntitle: Fix it\nbranch: fix\nbase: main\n")


def test_a_second_proposal_is_the_same_pull_request(forge: Local) -> None:
    first = forge.propose(WANTED)
    pull = forge.propose(replace(WANTED, title="Two\nlines", is_draft=False))
    assert (pull.url, pull.title, pull.is_draft) == (first.url, "Two lines", False)


def test_says_what_cannot_be_done(forge: Local, tmp_path: Path) -> None:
    calls = (
        lambda: forge.fork(),
        lambda: forge.pull(7),
        lambda: forge.threads(7),
        lambda: forge.issue(13),  # not committed
        lambda: forge.issue(-1),
    )
    lines = [refusal(ReactAgentError, call).replace(str(tmp_path), "T") for call in calls]
    no_reviews = "T/tool is a folder on this machine: it has no reviews"
    assert lines == [
        "T/tool is a folder on this machine, and needs no fork",
        no_reviews,
        no_reviews,
        "T/tool has no committed text file issues/13.md",
        "T/tool has no committed text file issues/-1.md",
    ]
