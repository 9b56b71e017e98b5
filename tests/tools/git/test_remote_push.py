"""Branches pushed over HTTP, ssh and to a folder; what is refused; where a token shows."""

from collections.abc import Callable

import pytest
from by_hand import plain_git
from git_server import Served
from loopback import Fault
from refusals import refusal

from react_agent.tools.git import change
from react_agent.tools.git.access import RemoteError
from react_agent.tools.git.remote import Standing, push, standing
from react_agent.tools.git.workspace import Workspace

Advance = Callable[..., str]
BRANCH = "react-agent/12-it"


def _tip(served: Served, branch: str = BRANCH) -> str:
    return served.git("rev-parse", f"refs/heads/{branch}")


def test_a_branch_is_pushed_and_replaced(served: Served, made: Workspace, made_commit: str) -> None:
    access = served.access
    seen = standing(made.git, access, BRANCH, "main")
    assert seen == Standing(BRANCH)
    push(made.git, made_commit, access, seen)
    assert _tip(served) == made_commit

    (made.root / "README").write_text("changed otherwise\n")
    other = change.commit(made, "Change it otherwise", change.propose(made, ()).tree)
    assert other
    seen = standing(made.git, access, BRANCH, "main")
    assert seen == Standing(BRANCH, made_commit)
    push(made.git, other, access, seen)
    assert _tip(served) == other


def test_the_branch_to_merge_into_gets_no_push(served: Served, made: Workspace) -> None:
    told = refusal(RemoteError, standing, made.git, served.access, BRANCH, f"refs/heads/{BRANCH}")
    assert told == f"{BRANCH} is the branch to merge into: name another"


@pytest.mark.slow
def test_the_same_again_is_no_push(served: Served, made: Workspace, made_commit: str) -> None:
    """As after an answer that was lost on its way."""
    served.server.plant("POST *git-receive-pack", Fault(is_cut=True, is_done=True))
    with pytest.raises(RemoteError):
        push(made.git, made_commit, served.access, Standing(BRANCH))
    assert _tip(served) == made_commit
    push(made.git, made_commit, served.access, Standing(BRANCH))


@pytest.mark.slow
def test_what_others_added_can_be_built_on(
    served: Served, made: Workspace, made_commit: str, advance: Advance
) -> None:
    access = served.access
    push(made.git, made_commit, access, Standing(BRANCH))
    advance(BRANCH)
    seen = standing(made.git, access, BRANCH, "main")
    plain_git(made.root, "fetch", "--quiet", str(served.repositories.place("ann/it")), BRANCH)
    plain_git(made.root, "checkout", "--quiet", "--force", "FETCH_HEAD")
    plain_git(made.root, "commit", "--quiet", "--allow-empty", "-m", "Go on")
    on_top = plain_git(made.root, "rev-parse", "HEAD")
    made.git.run("fetch", "--quiet", f"{made.root}/.git", "HEAD")
    push(made.git, on_top, access, seen)
    assert _tip(served) == on_top


@pytest.mark.slow
def test_commits_of_the_base_are_no_ones(
    served: Served, made: Workspace, made_commit: str, advance: Advance
) -> None:
    """The base went on, and somebody merged it as a fast-forward."""
    theirs = advance("main")
    served.git("update-ref", f"refs/heads/{BRANCH}", theirs)
    assert standing(made.git, served.access, BRANCH, "main") == Standing(BRANCH, theirs)
