"""A remote by ssh and as a folder."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from by_hand import plain_git, program, save, still_ticks
from git_server import Repositories, access_to
from refusals import refusal

from react_agent.tools.git.access import Access, RemoteError
from react_agent.tools.git.door import Git
from react_agent.tools.git.remote import Standing, fetched_base, push, standing, tips

HERE = 'for last; do :; done\nexec sh -c "$last"'
NO_KEY = 'echo "git@example.org: Permission denied (publickey)." >&2\nexit 255'
NO_HOST = 'echo "Host key verification failed." >&2\nexit 255'
HANG = "while :; do echo tick >> '{folder}/ticks'; sleep 0.02; done"


@dataclass(frozen=True)
class ByHand:
    """An ssh that does not leave this machine."""

    folder: Path
    access: Access
    bare: Path

    def does(self, script: str) -> Access:
        command = self.folder / "ssh"
        told = f"printf '%s\\n' \"$@\" > '{self.folder}/told'; env > '{self.folder}/env'\n"
        program(command, f"#!/bin/sh\n{told}{script.format(folder=self.folder)}\n")
        return self.access

    @property
    def told(self) -> list[str]:
        return (self.folder / "told").read_text().splitlines()

    @property
    def environment(self) -> dict[str, str]:
        lines = (self.folder / "env").read_text().splitlines()
        return {name: value for name, _, value in (line.partition("=") for line in lines)}


@pytest.fixture
def ssh(tmp_path: Path, project: Path) -> ByHand:
    bare = Repositories(tmp_path / "served").add("ann/it", project)
    folder = tmp_path / "its bin"
    folder.mkdir()
    environment = {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "HOME": "/home/ann",
        "SSH_AUTH_SOCK": "/run/agent",
        "ANTHROPIC_API_KEY": "secret",
    }
    access = access_to(f"ssh://git@example.org:2222{bare}", "a-token", **environment)
    return ByHand(folder, access, bare)


def test_by_ssh_a_branch_is_read_and_pushed(ssh: ByHand, project: Path, tmp_path: Path) -> None:
    access, git = ssh.does(HERE), Git(project)
    commit = save(project, {"new": "1\n"})
    push(git, commit, access, standing(git, access, "agent/it", "main"))
    assert plain_git(ssh.bare, "rev-parse", "agent/it") == commit
    assert ssh.told[-4:] == [
        *("-p", "2222", "git@example.org"),
        f"git-receive-pack '{ssh.bare}'",
    ]
    assert {"BatchMode=yes", "ControlMaster=no", "ForwardAgent=no"} < set(ssh.told)
    told = ssh.environment
    assert (told["HOME"], told["SSH_AUTH_SOCK"]) == ("/home/ann", "/run/agent")
    assert "ANTHROPIC_API_KEY" not in told
    assert "a-token" not in str(told)
    assert fetched_base(project, access, "agent/it", tmp_path / "cuts").commit == commit


@pytest.mark.parametrize(
    ("script", "line"),
    [
        (NO_KEY, "{url} rejects your ssh keys; try: ssh -T -p 2222 git@example.org"),
        pytest.param(
            NO_HOST,
            "the host key of example.org:2222 is unknown or has changed; "
            "check it: ssh -T -p 2222 git@example.org",
            id="unknown host",
        ),
    ],
)
def test_ssh_lets_nobody_in(ssh: ByHand, project: Path, script: str, line: str) -> None:
    told = refusal(RemoteError, tips, Git(project), ssh.does(script))
    assert told == line.format(url=ssh.access.shown)


@pytest.mark.slow
def test_an_ssh_that_hangs_is_ended(ssh: ByHand, project: Path) -> None:
    told = refusal(RemoteError, tips, Git(project), ssh.does(HANG), deadline_s=0.5)
    assert told == f"{ssh.access.shown} did not answer within 0.5 s; try again later"
    assert not still_ticks(ssh.folder)


@pytest.mark.slow
def test_ctrl_c_leaves_nothing_behind(
    ssh: ByHand, project: Path, tmp_path: Path, interrupt_soon: Callable[[], None]
) -> None:
    access = ssh.does(HANG)
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        fetched_base(project, access, "main", tmp_path / "cuts")
    assert not still_ticks(ssh.folder)
    assert list((tmp_path / "cuts").iterdir()) == []


@pytest.mark.slow
def test_a_command_of_the_persons_own(ssh: ByHand, project: Path, tmp_path: Path) -> None:
    ssh.does(HERE)
    own = (ssh.folder / "ssh").rename(tmp_path / "own")
    environment = {"GIT_SSH_COMMAND": f"{own} -i key", "PATH": os.environ["PATH"]}
    access = access_to(ssh.access.shown, **environment)
    assert tips(Git(project), access).default == "main"
    assert ssh.told[:4] == ["-i", "key", "-o", "BatchMode=yes"]


@pytest.mark.slow
@pytest.mark.parametrize("address", ["{bare}", "file://{bare}", "{stem}", "{project}"])
def test_a_folder_is_a_remote(tmp_path: Path, project: Path, address: str) -> None:
    bare = Repositories(tmp_path / "served").add("ann/it", project)
    plain_git(tmp_path, "clone", "--quiet", str(bare), "here")
    commit = save(tmp_path / "here", {"new": "1\n"})
    stem = str(bare).removesuffix(".git")
    access = access_to(address.format(bare=bare, stem=stem, project=project))
    git = Git(tmp_path / "here")
    push(git, commit, access, standing(git, access, "agent/it", "main"))
    there = project if address == "{project}" else bare
    assert plain_git(there, "rev-parse", "agent/it") == commit


@pytest.mark.slow
@pytest.mark.parametrize("hook", ["pre-receive", "update", "reference-transaction", "post-receive"])
def test_a_hook_is_not_run_and_none_that_could_refuse_is_passed_over(
    tmp_path: Path, project: Path, hook: str
) -> None:
    bare = Repositories(tmp_path / "served").add("ann/it", project)
    program(bare / "hooks" / hook, f"#!/bin/sh\ntouch '{tmp_path}/fired'\n")
    git, access = Git(project), access_to(str(bare))
    assert tips(git, access).default == "main"
    head = plain_git(project, "rev-parse", "HEAD")
    if hook == "post-receive":
        push(git, head, access, Standing("agent/it"))
        assert plain_git(bare, "rev-parse", "agent/it") == head
    else:
        assert refusal(RemoteError, push, git, head, access, Standing("agent/it")) == (
            f"{bare} has a {hook} hook, which is not run from here; push the branch there yourself"
        )
    assert not (tmp_path / "fired").exists()


@pytest.mark.slow
def test_a_branch_that_is_checked_out_there(tmp_path: Path, project: Path) -> None:
    plain_git(tmp_path, "clone", "--quiet", str(project), "here")
    plain_git(project, "config", "receive.denyCurrentBranch", "updateInstead")
    commit = save(tmp_path / "here", {"new": "1\n"})
    access, before = access_to(str(project)), plain_git(project, "rev-parse", "HEAD")
    told = refusal(
        Exception, push, Git(tmp_path / "here"), commit, access, Standing("main", before)
    )
    assert told.startswith(f"{project} refused the branch main (branch is currently checked out)")
    assert plain_git(project, "status", "--porcelain") == ""
