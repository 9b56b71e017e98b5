"""Whole runs on repositories whose configuration starts programs, and on what is named oddly."""

import os

import pytest
from hostile_settings import ATTACKS, FILTERS, Set, another
from refusals import refusal
from replies import interrupt
from stranger import DONE, EDIT, LOOK, Stranger

from react_agent.eval.sets.mined import changes, diff
from react_agent.hook.worker import failures
from react_agent.parsers.forge.remote import Remote
from react_agent.parsers.transcript.hook_files import Push
from react_agent.runs.solve import Fork, Otherwise, fork, resume
from react_agent.state.state import Stop
from react_agent.tools.errors import WorkspaceError
from react_agent.tools.git.access import Access, RemoteError
from react_agent.tools.git.change import published
from react_agent.tools.git.remote import Standing, push
from react_agent.tools.git.repository import file_at, find_base, in_repository, without_hooks

pytestmark = pytest.mark.slow


ASKED = "protocol=https\nhost=host.invalid\n\n"


def _fires(it: Stranger, trigger: str | Set) -> bool:
    if callable(trigger):
        trigger(it)
    else:
        it.git(*trigger.split(), given=ASKED, check=False)
    return bool(it.fired.exists())


def _branch_changes(it: Stranger, branch: str) -> str:
    """Of a repository whose settings count no more."""
    if (it.project / ".git" / "hooks").exists():
        (it.project / ".git" / "hooks").rename(it.top / "had-hooks")
        (it.project / ".git" / "config").write_text("[core]\n\tbare = false\n")
    return str(it.git("diff", "--name-only", f"{branch}~1", branch))


@pytest.mark.attack("a run on a repository that sets {id}", by="repository", wall="private clone")
@pytest.mark.parametrize(("attack", "trigger"), ATTACKS.values(), ids=ATTACKS)
def test_a_run_starts_nothing(stranger: Stranger, attack: Set, trigger: str | Set) -> None:
    attack(stranger)
    stranger.fired.unlink(missing_ok=True)
    outcome = stranger.solve()
    assert outcome.stop is Stop.CONCLUDED
    assert not stranger.fired.exists()
    assert _fires(stranger, trigger), "the attack does nothing: being safe from it says nothing"
    if attack in FILTERS:  # what only a filter can store is no part of a change, and is named
        assert outcome.branch == ""
        assert [line.split(" ")[0] for line in outcome.dropped] == ["README"]
    else:
        assert _branch_changes(stranger, outcome.branch) == "README"


# A driver starts where a file is saved; of remotes there is one; the rest is in the way of `git`.
APART = {
    *("hooks", "textconv", "a diff driver", "diff.external", "a merge driver", "core.editor"),
    *("filter, clean", "filter, smudge", "filter, process"),
    *("protocol.ext", "core.gitProxy", "core.sshCommand", "remote.receivepack"),
    *("the configuration of a submodule", "submodule.update"),
}


@pytest.fixture
def hostile(stranger: Stranger) -> Stranger:
    """All of it at once, as far as one does not undo the other."""
    for name in ATTACKS.keys() - APART:
        ATTACKS[name][0](stranger)
    (stranger.project / ".gitattributes").write_text("* filter=x diff=x merge=x\n")
    for name in ("filter.x.clean", "filter.x.smudge", "filter.x.process", "diff.x.textconv"):
        stranger.git("config", name, stranger.evil)
    stranger.git("config", "diff.external", stranger.evil)
    stranger.fired.unlink(missing_ok=True)
    return stranger


@pytest.mark.attack(
    "a run on such a repository is broken off and taken up",
    "a run on such a repository is forked",
    by="repository",
    wall="private clone",
)
def test_taken_up_and_forked_it_starts_nothing(hostile: Stranger) -> None:
    broken = hostile.solve(EDIT, interrupt)
    assert broken.stop is Stop.INTERRUPTED
    ended = resume(broken.folder, hostile.around(LOOK, DONE), Otherwise(), keep=True)
    assert ended.stop is Stop.CONCLUDED
    forked = fork(Fork(broken.folder, 1), hostile.around(DONE), Otherwise(), keep=False)
    assert forked.stop is Stop.CONCLUDED
    assert not hostile.fired.exists()
    assert _fires(hostile, "status")
    assert _branch_changes(hostile, ended.branch) == "README"
    assert _branch_changes(hostile, forked.branch) == "README"


@pytest.mark.attack(
    "a branch of such a repository is checked before it is sent",
    "a set of issues is made out of the history of such a repository",
    "the hook checks a push in such a repository",
    by="repository",
    wall="git",
)
def test_what_else_reads_it_starts_nothing(hostile: Stranger) -> None:
    outcome = hostile.solve(EDIT, DONE)
    base = find_base(hostile.project)
    sent = published(hostile.project, base.commit, outcome.branch)
    assert sent is not None
    assert sent.objection == ""
    with in_repository(hostile.project) as git:
        found = list(changes(git, base.commit))
        assert [one.paths for one in found] == [("one.py",), (".react-agent.cfg", "README")]
        assert "+one = 1" in (diff(git, found[0], ["one.py"]) or "")
    push = Push("0" * 40, base.commit, "refs/heads/main")
    assert failures(hostile.project, push, hostile.around(), 60) == ()
    assert not hostile.fired.exists()
    assert _fires(hostile, "status")


@pytest.mark.attack("{id} names a pipe, which never ends", by="repository", wall="git")
@pytest.mark.parametrize(
    "name",
    [
        *("core.attributesFile", "core.excludesFile", "diff.orderFile", "mailmap.file"),
        *("fetch.fsck.skipList", "fetch.bundleURI"),
    ],
)
def test_a_setting_that_names_a_pipe_keeps_nobody_waiting(stranger: Stranger, name: str) -> None:
    os.mkfifo(stranger.top / "pipe")
    stranger.git("config", "fetch.fsckObjects", "true")
    stranger.git("config", name, str(stranger.top / "pipe"))
    outcome = stranger.solve()
    base = find_base(stranger.project)
    sent = published(stranger.project, base.commit, outcome.branch)
    assert sent is not None
    assert sent.objection == ""
    with in_repository(stranger.project) as git:
        assert len(list(changes(git, base.commit))) == 2


@pytest.mark.attack("a hook in the configuration: {id}", by="repository", wall="git")
@pytest.mark.parametrize("name", ["x", "a=b.c"])
def test_a_hook_of_the_configuration_is_not_run(stranger: Stranger, name: str) -> None:
    """git runs such a hook from 2.54 on; the settings that turn it off are there before, too."""
    stranger.git("config", f"hook.{name}.event", "reference-transaction")
    stranger.git("config", f"hook.{name}.command", stranger.evil)
    assert stranger.solve().stop is Stop.CONCLUDED
    place, head = str(stranger.project), find_base(stranger.project).commit
    with in_repository(stranger.project) as git:
        assert git.ask("config", f"hook.{name}.enabled").code == 1
        assert without_hooks(git).line("config", f"hook.{name}.enabled") == "false"
        with pytest.raises(RemoteError, match="has a configured hook, which is not run from here"):
            push(git, head, Access(Remote("file", "", place, place)), Standing("agent/it"))
    assert not stranger.fired.exists()


@pytest.mark.attack("an object is missing, and is asked of a program", by="repository", wall="git")
def test_nothing_is_fetched_to_complete_a_repository(stranger: Stranger) -> None:
    blob = stranger.git("rev-parse", "HEAD~1:README")
    stranger.set(
        remote__origin__url=another(stranger),
        remote__origin__uploadpack=stranger.evil,
        remote__origin__promisor="true",
        extensions__partialClone="origin",
        core__repositoryFormatVersion="1",
    )
    (stranger.project / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(WorkspaceError, match="is a partial clone; complete it"):
        stranger.solve()
    assert not stranger.fired.exists()
    assert _fires(stranger, f"cat-file blob {blob}")


@pytest.mark.attack("refs/replace gives the base commit other files", by="repository", wall="git")
def test_a_commit_is_what_its_id_says(stranger: Stranger) -> None:
    honest = stranger.git("rev-parse", "HEAD")
    stranger.save(".react-agent.cfg", "[react_agent]\ntest = touch ../fired\n")
    other = stranger.git("rev-parse", "HEAD")
    stranger.git("reset", "--quiet", "--hard", honest)
    stranger.git("replace", honest, other)
    assert "fired" in stranger.git("show", "HEAD:.react-agent.cfg")
    assert "fired" not in (file_at(find_base(stranger.project), ".react-agent.cfg") or "")
    outcome = stranger.solve()
    assert outcome.stop is Stop.CONCLUDED
    stranger.git("replace", "-d", honest)
    assert stranger.git("diff", "--name-only", honest, outcome.branch) == "README"


ODD = ("-rf", "--help", "--upload-pack=x", ":(glob)**", "new\nline", "a\tb", 'q"uote', "\udcff")


@pytest.mark.attack(
    "files whose names are options, patterns, two lines or no text",
    "a branch and a tag whose names begin with -",
    "a remote whose name is an option",
    by="repository",
    wall="git",
)
def test_a_run_where_names_are_odd(stranger: Stranger) -> None:
    for name in ODD:
        (stranger.project / name).write_text("odd\n")
    (stranger.project / "out").symlink_to("/etc")
    stranger.save("plain", "text\n")
    head = stranger.git("rev-parse", "HEAD")
    stranger.git("update-ref", "refs/heads/-x", head)
    stranger.git("update-ref", "refs/tags/--exec=touch", head)
    stranger.git("symbolic-ref", "HEAD", "refs/heads/-x")
    with (stranger.project / ".git" / "config").open("a") as config:
        config.write('[remote "--upload-pack=touch fired;"]\n\turl = -u/x\n\tfetch = +-x:-y\n')
    outcome = stranger.solve()
    assert outcome.stop is Stop.CONCLUDED
    assert stranger.git("diff", "--name-only", head, outcome.branch, "--") == "README"
    heads = sorted([f"refs/heads/{outcome.branch}", "refs/heads/-x", "refs/heads/main"])
    listed = stranger.git("for-each-ref", "--format=%(refname)")
    assert listed.split("\n") == [*heads, "refs/tags/--exec=touch"]


def test_a_run_on_a_repository_that_is_none_ends_with_one_line(stranger: Stranger) -> None:
    head = stranger.git("rev-parse", "HEAD")
    (stranger.project / ".git").rename(stranger.top / "was")
    (stranger.project / ".git").write_text(f"gitdir: {'x' * 5_000_000}\n")
    assert "\n" not in refusal(WorkspaceError, stranger.solve)
    assert find_base(stranger.top / "was").commit == head
