"""What is read of a remote over HTTP, ssh and as a folder, and what a run starts from."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from by_hand import plain_git
from check_rows import table_of
from git_server import Served, access_to
from loopback import Asked, Fault, Given, Loopback

from react_agent.tools.errors import MachineError, ReactAgentError
from react_agent.tools.git.access import RemoteError, fault
from react_agent.tools.git.door import Answer, Git
from react_agent.tools.git.remote import Tips, fetched_base, tips
from react_agent.tools.git.repository import Base, base_of, cut, file_at, find_base

Advance = Callable[..., str]
PLAIN = {"Content-Type": "text/plain"}


def test_the_tips_of_a_remote(served: Served, project: Path) -> None:
    head = served.git("rev-parse", "HEAD")
    found = tips(Git(project), served.access)
    assert found == Tips({"HEAD": head, "refs/heads/main": head}, "main")
    assert (found.branch("main"), found.branch("other")) == (head, "")


def test_a_name_with_a_tab(served: Served, project: Path) -> None:
    """As only a hostile server has it."""
    head = served.git("rev-parse", "HEAD")
    lines = ("# service=git-upload-pack\n", "", f"{head} refs/heads/a\tb\0\n", "")
    body = "".join(f"{len(line) + 4:04x}{line}" if line else "0000" for line in lines)
    kind = {"Content-Type": "application/x-git-upload-pack-advertisement"}
    served.server.plant("GET *", Fault(body=body.encode(), headers=kind))
    assert tips(Git(project), served.access).refs == {"refs/heads/a\tb": head}


def test_what_their_repository_has_is_not_fetched(
    served: Served, project: Path, tmp_path: Path
) -> None:
    base = fetched_base(project / "src", served.access, "main", tmp_path / "cuts")
    assert base == find_base(project)
    assert list((tmp_path / "cuts").iterdir()) == []


def test_what_it_has_not_is_in_a_cut(
    served: Served, project: Path, tmp_path: Path, advance: Advance
) -> None:
    new, cuts = advance(), tmp_path / "cuts"
    before = plain_git(project, "for-each-ref"), sorted(project.rglob("*"))
    base = fetched_base(project, served.access, "main", cuts)
    assert base == Base(project, new, held_by=cuts / f"{new}.git")
    assert (file_at(base, "theirs.py"), base_of(project, new, cuts)) == ("theirs = 1\n", base)
    assert list(cuts.iterdir()) == [base.held_by]
    assert (plain_git(project, "for-each-ref"), sorted(project.rglob("*"))) == before


@pytest.mark.slow
def test_a_base_by_its_full_name(
    served: Served, project: Path, tmp_path: Path, advance: Advance
) -> None:
    new, cuts = advance(), tmp_path / "cuts"
    served.git("-c", "user.name=a", "-c", "user.email=b", "tag", "-a", "-m", "one", "v1")
    served.git("update-ref", "refs/pull/3/head", new)
    served.git("update-ref", "refs/notes/x", served.git("rev-parse", "HEAD^{tree}"))
    for name, line in {
        "v1": f"{served.url} has no branch v1",
        "refs/notes/x": f"refs/notes/x of {served.url} does not point to a commit",
    }.items():
        with pytest.raises(RemoteError, match=f"^{line}$"):
            fetched_base(project, served.access, name, cuts)
    for name in ("refs/tags/v1", "refs/pull/3/head"):
        assert fetched_base(project, served.access, name, cuts).commit == new


@table_of(
    ("said", "kind", "line"),
    {
        "a full disk": (
            "remote: x\nfatal: write error: No space left on device\nfatal: index-pack failed\n",
            MachineError,
            "git fetch: write error: No space left on device",
        ),
        "a token that was wanted twice": (
            "fatal: could not read Password for 'https://bot@h': terminal prompts disabled\n",
            RemoteError,
            "https://h/it does not accept the token: it is wrong, has expired or was revoked",
        ),
    },
)
def test_what_git_says(said: str, kind: type[Exception], line: str) -> None:
    error = fault(Answer(128, b"", said), access_to("https://h/it", "token"), "read")
    assert (type(error), str(error)) == (kind, line)


@pytest.mark.slow
def test_a_shallow_clone_stays_shallow(
    served: Served, project: Path, tmp_path: Path, advance: Advance
) -> None:
    plain_git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{project}", "shallow")
    new, cuts = advance(), tmp_path / "cuts"
    base = fetched_base(tmp_path / "shallow", served.access, "main", cuts)
    assert base.held_by is not None
    assert plain_git(base.held_by, "rev-list", "--count", new) == "2"
    assert cut(tmp_path / "shallow", new, cuts) == base.held_by


@dataclass(frozen=True)
class Trouble:
    """A server that does not serve, or what it is asked with."""

    line: str
    fault: Fault | None = None
    token: str | None = None
    url: str = "{url}"


TROUBLES = {
    "404": Trouble(
        "the repository {url} does not exist, or this token has no access to it", Fault(status=404)
    ),
    "429": Trouble(
        "{url} is unavailable, it answers 429; try again later; it says: Slow down.",
        Fault(status=429, body=b"Slow down.", headers=PLAIN),
    ),
    "no answer": Trouble("{url} can't be reached: Empty reply from server", Fault(is_reset=True)),
    "another page": Trouble(
        "{url} has no branch main",
        Fault(body=b"<html>Please pay</html>", headers={"Content-Type": "text/html"}),
    ),
    "no token": Trouble("{url} requires a token, and there is none for {host}", token=""),
    "a wrong token": Trouble(
        "{url} does not accept the token: it is wrong, has expired or was revoked; "
        "it says: Invalid username or token.",
        token="wrong",
    ),
    "no folder": Trouble(
        "the repository /none does not exist, or your account has no access to it", url="/none"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=TROUBLES)
def test_a_remote_that_can_not_be_read(
    served: Served, project: Path, tmp_path: Path, trouble: Trouble
) -> None:
    if trouble.fault:
        served.server.plant("GET *", trouble.fault)
    names = {"url": served.url, "host": served.server.host}
    url = trouble.url.format(**names)
    token = "" if url == "/none" else served.token
    access = access_to(url, token if trouble.token is None else trouble.token)
    with pytest.raises(RemoteError) as caught:
        fetched_base(project, access, "main", tmp_path / "cuts")
    assert str(caught.value) == trouble.line.format(**names)
    assert list((tmp_path / "cuts").iterdir()) == []


@table_of("branch", ["-x", "a:b", "*", ""])
def test_a_branch_that_can_not_be(project: Path, tmp_path: Path, branch: str) -> None:
    with pytest.raises(ReactAgentError) as caught:
        fetched_base(project, access_to(str(project)), branch, tmp_path / "cuts")
    assert str(caught.value) == f"not a valid branch name: {branch!r}"


@pytest.mark.slow
def test_a_repository_that_has_moved_is_followed(served: Served, project: Path) -> None:
    served.repositories.moved["old/name"] = served.url
    access = access_to(f"{served.server.url}/old/name.git", served.token)
    assert tips(Git(project), access).default == "main"


@pytest.mark.slow
def test_another_host_never_gets_the_token(served: Served, project: Path) -> None:
    def ask(asked: Asked, path: str) -> Given:
        return Given(b"", 401, {"WWW-Authenticate": 'Basic realm="elsewhere"'})

    old = f"{served.server.url}/old/name.git"
    with Loopback({"GET /{path*}": ask}) as other:
        served.repositories.moved["old/name"] = f"{other.url}/ann/it.git"
        with pytest.raises(RemoteError) as caught:
            tips(Git(project), access_to(old, served.token))
        assert {asked.headers.get("authorization") for asked in other.asked} == {None}
    assert str(caught.value) == (
        f"{old} redirects to {other.url}, which is not sent the token; "
        "if the repository has moved there, run: git remote set-url"
    )
