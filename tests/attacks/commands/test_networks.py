"""A machine whose network holds what an attack would look for, and commands and pages on it."""

import json
import sys
from pathlib import Path

import pytest
from other_network import BY_BROWSE, BY_COMMAND

from react_agent.tools.shell import process

pytestmark = [pytest.mark.slow, pytest.mark.needs("unshare", "util-linux")]
HARNESS = Path(__file__).with_name("other_network.py")
IN_A_NETWORK = ("unshare", "--user", "--map-root-user", "--net", sys.executable, "-P")
REFUSALS = (
    "is not on the public internet: it is not read",
    "not supported, only http and https are",
)


@pytest.mark.parametrize(
    ("sandbox", "is_free"),
    [
        pytest.param("bubblewrap", False, marks=pytest.mark.needs("bwrap", "bubblewrap")),
        pytest.param("landlock", False),
        pytest.param("none", True),
    ],
)
@pytest.mark.attack(
    *(f"reach {name}" for name in BY_COMMAND),
    by="command",
    wall="sandbox",
    unconfined="gets through",
)
@pytest.mark.attack(*(f"browse: {name}" for name in BY_BROWSE), by="model", wall="limits")
def test_what_is_reached(tmp_path: Path, sandbox: str, is_free: bool) -> None:
    argv = (*IN_A_NETWORK, str(HARNESS), str(tmp_path), sandbox)
    done = process.run(argv, cwd=tmp_path, env={"PATH": "/usr/bin:/bin"}, timeout_s=100)
    said = done.output.decode().strip()
    assert said.startswith("{"), said
    found = json.loads(said.split("\n")[-1])
    assert found["by command"] == dict.fromkeys(BY_COMMAND, is_free)
    read = {name: text for name, text in found["by browse"].items() if not text.endswith(REFUSALS)}
    assert read == {}
