"""Where a token shows while a push goes on, and after it: nowhere."""

import base64
import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from by_hand import program
from git_server import Repositories, Served, access_to
from loopback import Fault, Loopback

from react_agent.tools.errors import ReactAgentError
from react_agent.tools.git.access import NAME, Access
from react_agent.tools.git.remote import Standing, push
from react_agent.tools.git.workspace import Workspace

pytestmark = [
    pytest.mark.may_skip("only Linux has /proc"),
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc"),
]
BRANCH = "react-agent/12-it"
TOLD = ("cmdline", "environ")
# Of the server: says that it was reached, and waits for a word.
HOOK = "#!/bin/sh\necho there > '{folder}/reached'\nread word < '{folder}/go'\n"


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def test_while_a_push_goes_on(
    served: Served, made: Workspace, made_commit: str, tmp_path: Path, temporary: Path
) -> None:
    access = served.access
    pipes = [tmp_path / name for name in ("reached", "go")]
    for pipe in pipes:
        os.mkfifo(pipe)
    reached, go = (os.open(pipe, os.O_RDWR) for pipe in pipes)  # which waits for nobody
    hook = served.repositories.place(served.path) / "hooks" / "pre-receive"
    program(hook, HOOK.format(folder=tmp_path))
    with ThreadPoolExecutor(1) as pool:
        pushing = pool.submit(push, made.git, made_commit, access, Standing(BRANCH))
        pushing.add_done_callback(lambda _: os.write(reached, b"over"))
        assert os.read(reached, 100) == b"there\n"
        running = list(_descendants())
        told = [_read(place / name) for place in running for name in TOLD]
        files, errands = _shown(access, tmp_path), list(temporary.iterdir())
        os.write(go, b"go on\n")
        pushing.result()
    os.close(reached)
    os.close(go)
    assert served.git("rev-parse", BRANCH) == made_commit
    assert [said for said in told if any(one in said for one in _secrets(access))] == []
    assert any(b"git-remote-http" in said for said in told)
    assert (files, len(errands), list(temporary.iterdir())) == ([], 1, [])


@pytest.mark.slow
def test_where_a_redirect_leads(
    served: Served, made: Workspace, made_commit: str, tmp_path: Path
) -> None:
    """To a host that takes all, after the first one has seen the token."""
    others = Repositories(tmp_path / "others", is_public=True, writes=frozenset({""}))
    others.add("ann/it", made.base.repository)
    with Loopback(others.routes) as other:
        served.repositories.moved["old/name"] = f"{other.url}/ann/it.git"
        served.server.plant("GET *", Fault(status=401, headers={"WWW-Authenticate": "Basic"}))
        access = access_to(f"{served.server.url}/old/name.git", served.token)
        with contextlib.suppress(ReactAgentError):
            push(made.git, made_commit, access, Standing(BRANCH))
        assert {asked.headers.get("authorization") for asked in other.asked} == {None}
    assert any("authorization" in asked.headers for asked in served.server.asked)


def _secrets(access: Access) -> list[bytes]:
    pair = f"{NAME}:{access.token}".encode()
    return [access.token.encode(), base64.b64encode(pair)]


def _read(place: Path) -> bytes:
    """Nothing where the process has ended: a child of another test, which nobody has waited for."""
    try:
        return place.read_bytes()
    except OSError:
        return b""


def _descendants() -> Iterator[Path]:
    parents = {}
    for place in Path("/proc").glob("[0-9]*"):
        if with_parent := _read(place / "stat"):
            parents[int(place.name)] = int(with_parent.rpartition(b")")[2].split()[1])
    wanted, found = {os.getpid()}, True
    while found:
        found = {pid for pid, parent in parents.items() if parent in wanted} - wanted
        wanted |= found
    return (Path(f"/proc/{pid}") for pid in wanted - {os.getpid()})


def _shown(access: Access, place: Path) -> list[str]:
    """Files below a folder that hold a secret."""
    files = (path for path in place.rglob("*") if path.is_file())
    return [
        str(path) for path in files if any(one in path.read_bytes() for one in _secrets(access))
    ]
