"""What is read of a remote over HTTP, ssh and as a folder, and what a run starts from."""

from collections.abc import Callable
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
    with pytest.raises(RemoteError) as caught:
        fetched_base(project, served.access, "v1", cuts)
    assert str(caught.value) == f"{served.url} has no branch v1"
    for name in ("refs/tags/v1", "refs/pull/3/head"):
        assert fetched_base(project, served.access, name, cuts).commit == new


@pytest.mark.slow
def test_a_ref_that_names_no_commit(served: Served, project: Path, tmp_path: Path) -> None:
    served.git("update-ref", "refs/notes/x", served.git("rev-parse", "HEAD^{tree}"))
    with pytest.raises(RemoteError) as caught:
        fetched_base(project, served.access, "refs/notes/x", tmp_path / "cuts")
    assert str(caught.value) == f"refs/notes/x of {served.url} does not point to a commit"


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


FAULTS = [
    pytest.param(
        Fault(status=404),
        "there is no repository {url}, or no access to it for this token",
        id="404",
    ),
    pytest.param(
        Fault(status=429, body=b"Slow down.", headers=PLAIN),
        "{url} is unavailable, it answers 429; try again later; it says: Slow down.",
        id="429",
    ),
    pytest.param(
        Fault(is_reset=True),
        "{url} can't be reached: Empty reply from server",
        id="no answer",
    ),
    pytest.param(
        Fault(
            body=b"<html>Please pay for the network</html>", headers={"Content-Type": "text/html"}
        ),
        "{url} has no branch main",
        id="another page",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "line"), FAULTS)
def test_a_server_that_does_not_serve(
    served: Served, project: Path, tmp_path: Path, fault: Fault, line: str
) -> None:
    served.server.plant("GET *", fault)
    with pytest.raises(RemoteError) as caught:
        fetched_base(project, served.access, "main", tmp_path / "cuts")
    assert str(caught.value) == line.format(url=served.url)
    assert list((tmp_path / "cuts").iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("token", "line"),
    [
        pytest.param("", "{url} requires a token, and there is none for {host}", id="none"),
        pytest.param(
            "wrong",
            "{url} does not accept the token: it is wrong, has expired or was revoked; "
            "it says: Invalid username or token.",
            id="wrong",
        ),
    ],
)
def test_a_token_is_wanted(served: Served, project: Path, token: str, line: str) -> None:
    with pytest.raises(RemoteError) as caught:
        tips(Git(project), access_to(served.url, token))
    assert str(caught.value) == line.format(url=served.url, host=served.server.host)


@pytest.mark.slow
def test_no_such_folder(project: Path, tmp_path: Path) -> None:
    with pytest.raises(RemoteError) as caught:
        tips(Git(project), access_to(f"{tmp_path}/none"))
    assert str(caught.value) == f"there is no repository {tmp_path}/none, or no access to it for us"


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
