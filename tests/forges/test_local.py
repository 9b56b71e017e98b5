"""Issues and pull requests of a repository that is at no forge."""

from dataclasses import replace
from pathlib import Path

import pytest

from react_agent.errors import ReactAgentError
from react_agent.forges.contract import Forge, Hosted, Posted, Pull, Remark, Wanted
from react_agent.forges.local import Local
from react_agent.tools.git.door import Git

WANTED = Wanted("Fix it", "It was\n---\nbroken.", "fix", "main", is_draft=True)


@pytest.fixture
def top(tmp_path: Path) -> Path:
    top = tmp_path / "tool"
    (top / "issues").mkdir(parents=True)
    (top / "issues" / "12.md").write_text("# It fails\n\nAlways.\n")
    git = Git(top)
    git.run("init", "--quiet", "--initial-branch=main")
    git.run("add", ".")
    git.run("commit", "--quiet", "-m", "one")
    git.run("branch", "fix")
    (top / "issues" / "13.md").write_text("not committed")
    return top


@pytest.fixture
def forge(top: Path, tmp_path: Path) -> Local:
    return Local(top, tmp_path / "state")


def _folder(forge: Local) -> Path:
    return Path(forge.pull(1).url).parent


def test_is_a_forge(forge: Local, top: Path) -> None:
    it: Forge = forge
    assert it.repository() == Hosted(str(top), str(top), "main", True)
    assert it.me() == "react-agent"


def test_reads_an_issue_as_committed(forge: Local, top: Path) -> None:
    (top / "issues" / "12.md").write_text("changed")
    assert forge.issue(12) == Posted(12, "It fails", "Always.\n", "issues/12.md")


def test_reads_the_front_matter_of_an_issue(forge: Local, top: Path) -> None:
    text = "---\ntitle: It fails\nlabels: [bug, ci]\n---\nAlways.\n"
    (top / "issues" / "12.md").write_text(text)
    Git(top).run("commit", "--quiet", "--all", "-m", "two")
    expected = Posted(12, "It fails", "Always.\n", "issues/12.md", labels=("bug", "ci"))
    assert forge.issue(12) == expected


def test_keeps_comments_beside_the_repository(forge: Local, top: Path, tmp_path: Path) -> None:
    address = Path(forge.comment(12, "Looked into it."))
    second = address.with_name("2.md")
    second.write_text("Thank you.")
    said = [(one.author, one.body, one.association, one.is_bot) for one in forge.comments(12)]
    assert said == [
        ("react-agent", "Looked into it.", "", True),
        ("you", "Thank you.", "owner", False),
    ]
    assert forge.comments(13) == []
    assert address.is_relative_to(tmp_path / "state")
    assert Git(top).line("status", "--porcelain") == "?? issues/13.md"


def test_proposes_a_branch(forge: Local, top: Path) -> None:
    pull = forge.propose(WANTED)
    assert pull == Pull(
        1,
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
    forge.propose(WANTED)
    forge.ask_for(1, ["ana"], ["bug", "ci"])
    pull = forge.propose(replace(WANTED, title="Two\nlines", is_draft=False))
    assert (pull.number, pull.title, pull.is_draft) == (1, "Two lines", False)
    assert "reviewers: ana\nlabels: bug, ci\n" in Path(pull.url).read_text()


def test_one_that_was_closed_stays(forge: Local) -> None:
    path = Path(forge.propose(WANTED).url)
    path.write_text(path.read_text().replace("state: open", "state: closed"))
    assert forge.propose(WANTED).number == 2
    assert forge.pull(1).state == "closed"


def test_answers_what_a_person_wrote(forge: Local) -> None:
    forge.propose(WANTED)
    (_folder(forge) / "1.md").write_text("Why?")
    (_folder(forge) / "2.md").write_text("---\nresolved: yes\n---\nDone?")
    (_folder(forge) / "notes.txt").write_text("not a comment")
    first, second = forge.threads(1)
    address = Path(forge.reply(1, first, "Because."))
    assert address.name == "1.1.md"
    first, second = forge.threads(1)
    assert [remark.body for remark in first.remarks] == ["Why?", "Because."]
    assert (second.remarks[0].body, second.is_resolved) == ("Done?", True)


def test_overwrites_no_file_that_is_there(forge: Local) -> None:
    forge.propose(WANTED)
    (_folder(forge) / "1.md").mkdir()
    with pytest.raises(ReactAgentError) as refused:
        forge.threads(1)
    assert str(refused.value) == f"can't read {_folder(forge)}/1.md: Is a directory"


@pytest.mark.parametrize(
    ("number", "line"),
    [
        pytest.param(
            13, "{top} has no issues/13.md that is text and committed", id="not committed"
        ),
        pytest.param(-1, "{top} has no issues/-1.md that is text and committed", id="no number"),
    ],
)
def test_says_which_issue_is_not_there(forge: Local, top: Path, number: int, line: str) -> None:
    with pytest.raises(ReactAgentError) as refused:
        forge.issue(number)
    assert str(refused.value) == line.format(top=top)


def test_says_what_cannot_be_done(forge: Local, top: Path, tmp_path: Path) -> None:
    lines = []
    for call in (
        lambda: forge.propose(replace(WANTED, branch="gone")),
        lambda: forge.propose(replace(WANTED, base="--all")),
        lambda: forge.fork(),
        lambda: forge.pull(7),
        lambda: forge.threads(7),
    ):
        with pytest.raises(ReactAgentError) as refused:
            call()
        lines.append(str(refused.value).replace(str(tmp_path), "T"))
    missing = "there is no pull request 7: no T/state/local/"
    assert lines[:3] == [
        "T/tool has no branch gone",
        "T/tool has no branch --all",
        "T/tool is a folder on this machine, and needs no fork",
    ]
    assert all(line.startswith(missing) and line.endswith("/pulls/7/pull.md") for line in lines[3:])


@pytest.mark.parametrize(
    "text", ["", "---\n", "---\nb", "a: b", "---\na: b\n---\n", "---\nx: y\n---\n---\nz: w\n---\n"]
)
def test_reads_back_what_it_writes(forge: Local, text: str) -> None:
    forge.comment(12, text)
    assert [(one.author, one.body) for one in forge.comments(12)] == [("react-agent", text)]


def test_what_is_no_front_matter_is_text(forge: Local) -> None:
    text = "---\nNot a fact\n---\nx"
    Path(forge.comment(12, "")).write_text(text)
    assert [one.body for one in forge.comments(12)] == [text]


def test_a_remark_of_nobody_is_of_the_owner(forge: Local) -> None:
    forge.propose(WANTED)
    path = _folder(forge) / "1.md"
    path.write_text("Why?")
    [thread] = forge.threads(1)
    at = thread.remarks[0].at
    assert thread.remarks == (Remark("you", "Why?", "owner", at, url=str(path)),)
