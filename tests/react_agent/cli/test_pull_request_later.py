"""What is sent later, what would be, and what is said of a run that made nothing."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from at_forge import BRANCH, AtForge
from by_hand import plain_git

from react_agent.runs.report import MOST_BYTES

pytestmark = pytest.mark.slow
SAID = re.compile(
    r"branch: (?P<branch>\S+) -> (?P<base>\S+) at \S+\ndraft: (?P<draft>yes|no)\n"
    r"commit: (?P<commit>[0-9a-f]{40})\n\n(?P<message>.*?)\n\ntitle: (?P<title>[^\n]*)\n\n"
    r"(?P<body>.*)",
    re.DOTALL,
)


def test_what_would_be_sent_is_what_is_sent(desk: AtForge) -> None:
    answer = desk.solve("--dry-run")
    assert (answer.code, answer.err, desk.writes) == (0, "", [])
    shown = desk.cli("pr", desk.run, "--dry-run").out
    assert answer.out.endswith(f"\n\n{shown}")
    line = desk.refused("pr", desk.run, "--dry-run", "--base", "gone")
    assert line.endswith(" has no branch gone: its default branch is trunk: use --base")
    assert desk.writes == []
    assert desk.cli("pr", desk.run).code == 0
    said, request = SAID.fullmatch(shown), desk.request
    assert said
    assert (said["branch"], said["base"]) == (request.branch, request.base) == (BRANCH, "trunk")
    assert (said["title"], said["body"]) == (request.title, request.body)
    assert (said["draft"] == "yes") == request.is_draft
    assert said["commit"] == desk.site.head(BRANCH)
    assert said["message"] == desk.site.git("log", "-1", "--format=%B", BRANCH).strip()


def test_what_it_was_asked_to_be_counts_later(desk: AtForge) -> None:
    shown = desk.solve("--dry-run", "--draft", "--fork").out.partition("\nbranch: ")[2]
    assert shown.startswith(f"{BRANCH} -> trunk at a fork of yours\ndraft: yes\n")
    assert desk.cli("pr", desk.run).code == 0
    assert desk.request.is_draft
    assert not desk.site.has(BRANCH)
    assert desk.tests_there(BRANCH, desk.site.fork_path) == 0


def test_a_run_that_was_not_meant_for_it_in_a_moved_repository(desk: AtForge) -> None:
    assert desk.solve().code == 0
    assert desk.writes == []
    moved = desk.cli.folder / "moved"
    shutil.move(desk.cli.folder / "repository", moved)
    place = desk.cli.folder / "repository"
    line = desk.refused("pr", desk.run)
    assert line == f"the repository of this run is not at {place}: say where, with --repo"
    desk.cli("pr", desk.run, "--repo", str(moved)).ends_well()
    assert (desk.request.branch, desk.request.is_draft) == (BRANCH, False)
    assert "\nFixes #12\n" in desk.request.body
    assert str(desk.cli.folder) not in desk.request.body
    assert desk.tests_there(BRANCH) == 0


def test_a_run_that_is_taken_up_again(desk: AtForge) -> None:
    assert desk.solve("--pr", "--steps", "5").code == 1
    assert desk.writes == []
    desk.cli("resume", desk.run, "--steps", "40").ends_well()
    assert desk.request.branch == BRANCH
    assert desk.tests_there(BRANCH) == 0


def test_the_best_of_several_attempts(desk: AtForge) -> None:
    answer = desk.solve("--pr", "--attempts", "2")
    assert answer.code == 0
    assert re.search(r"\nin all     [\d,]+ \+ [\d,]+ tokens, ", answer.out)
    assert len(desk.runs) == 2
    assert desk.request.branch == BRANCH
    assert desk.tests_there(BRANCH) == 0
    told = [desk.cli("pr", run, "--dry-run") for run in desk.runs]
    assert sorted(one.code for one in told) == [0, 1]
    [refused] = [one for one in told if one.code]
    assert refused.out == ""
    assert "no pull request: the run made no branch" in refused.err


def gives_up(cli: Any) -> Path:
    path = Path(cli.record(("read_file", "stopwatch/parsing.py")))
    text = path.read_text().replace("it is done", "Given up: nobody can read that. Thanks @ana")
    path.write_text(text)
    return path


@pytest.mark.parametrize("options", [("--steps", "5"), ()], ids=["out of steps", "given up"])
def test_a_comment_says_where_a_run_got_to(desk: AtForge, options: tuple[str, ...]) -> None:
    model = () if options else (gives_up(desk.cli),)
    answer = desk.solve("--pr", "--comment", *options, **dict(zip(["model"], model, strict=False)))
    assert (answer.code, answer.err) == (1, "")
    [comment] = desk.site.comments(12)
    assert comment.startswith("The agent did not solve this: `")
    assert "stopwatch/parsing.py: " in comment
    assert len(comment.encode()) <= MOST_BYTES
    assert str(desk.cli.folder) not in comment
    assert re.search(r"\ncomment    http://\S+/12\b\S*\n\Z", answer.out)
    assert desk.site.requests() == []


def test_a_comment_that_would_be_made(desk: AtForge) -> None:
    """Without what only this machine knows."""
    desk.cli.environment["ROUNDING_TOKEN"] = "stopwatch"  # a word, which no run could do without
    answer = desk.solve("--dry-run", "--comment", "--steps", "5")
    assert "[redacted: secret variable]/parsing.py: read at step 2" in answer.out
    assert (answer.code, answer.err, desk.writes) == (1, "", [])
    assert "\n\nThe agent did not solve this: `out_of_steps" in answer.out


def test_nothing_is_said_of_what_worked(desk: AtForge) -> None:
    assert desk.solve("--comment").code == 0
    assert desk.writes == []


def test_a_comment_needs_an_issue_of_a_forge(desk: AtForge) -> None:
    line = desk.refused("solve", "It fails", "--comment", "--repo", "repository", "--model", "x")
    assert line == "--comment is for an issue at a forge: name it by number or address"
    assert desk.runs == []


def test_a_remote_that_is_a_folder_gets_nothing_and_that_is_said(
    cli: Any, repository: Path, tmp_path: Path
) -> None:
    bare = tmp_path / "bare.git"
    plain_git(tmp_path, "clone", "-q", "--bare", str(repository), str(bare))
    cli.git("remote", "add", "origin", str(bare))
    cli.git("fetch", "-q", "origin")
    cli.solve("Write a note", cli.record(("write_file", "notes.md\nA note.\n")))
    line = f"{repository} has no branch 'gone': name one with --base"
    for way in ([], ["--dry-run"]):
        assert cli.refused("pr", "last", "--base", "gone", *way) == (2, line)
    line = f"{repository} is a folder on this machine, and needs no fork"
    assert cli.refused("pr", "last", "--fork", "--dry-run") == (2, line)
    answer = cli("pr", "last")
    branch = cli.git("branch", "--list", "--format=%(refname:short)", "react-agent/*")
    said = f"there is no forge: nothing is pushed, {branch} is in {repository}\n"
    assert (answer.code, answer.err) == (0, said)
    assert "react-agent" not in plain_git(bare, "branch")


def test_the_last_run_of_another_repository_must_be_named(cli: Any, repository: Path) -> None:
    cli.solve("Write a note", cli.record(("write_file", "notes.md\nA note.\n")))
    plain_git(cli.folder, "init", "-q")
    [run] = cli.runs
    line = f"the last run is one of {repository}: name it, react-agent pr {run.name}"
    assert cli.refused("pr", "last") == (2, line)
    assert cli("pr", run.name, "--dry-run").code == 0
    cli.git("branch", "-D", cli.git("branch", "--list", "react-agent/*").strip())
    answer = cli("pr", run.name, "--dry-run")
    assert answer.code == 1
    assert "no pull request: the branch react-agent/" in answer.err
