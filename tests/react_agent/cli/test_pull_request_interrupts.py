"""Ctrl-C at each stage on the way to a pull request: what is left, and how to go on."""

import os
import signal
from pathlib import Path

import pytest
from at_forge import BRANCH, AtForge
from loopback import Fault

pytestmark = pytest.mark.slow
BEFORE = ("GET */issues/12", "GET */info/refs*", "POST */git-upload-pack")
BEHIND = ("POST */git-receive-pack", "POST */pulls")


@pytest.mark.parametrize("desk", ["github"], indirect=True)
@pytest.mark.parametrize("stage", [*BEFORE, *BEHIND])
def test_ctrl_c(desk: AtForge, stage: str) -> None:
    running = list[int]()
    desk.site.server.plant(stage, Fault(is_slow=True))
    desk.site.server.before(stage, lambda: running and os.kill(running.pop(), signal.SIGINT))
    asked = ("solve", "#12", "--pr", "--repo", "repository", "--model", f"replay/{desk.adds()}")
    with desk.cli.start(*asked, env={"REACT_AGENT_SANDBOX": "none"}) as process:
        running.append(process.pid)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err.strip()) == (130, "react-agent: interrupted")
    assert [path.name for path in Path(os.environ["XDG_CACHE_HOME"]).rglob(".*")] == []
    if stage in BEFORE:
        assert (desk.runs, desk.cli.git("branch", "--list", "react-agent/*")) == ([], "")
        return
    assert f"%% the branch {BRANCH} is kept: react-agent pr {desk.run}\n" in out
    assert desk.cli("pr", desk.run).code == 0
    assert desk.request.branch == BRANCH
