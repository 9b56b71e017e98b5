"""In a process of its own each time: what is hidden once stays so."""

import os
import subprocess
import sys

import pytest

pytestmark = [
    pytest.mark.may_skip("only Linux has /proc and prctl"),
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc and prctl"),
]
# root sees all, so it becomes nobody; that sets the flag too, which an exec would undo
ASK = """
import ctypes, os, subprocess
from react_agent.tools.shell.this_process import hide_memory
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
prctl = ctypes.CDLL(None).prctl
prctl(4, 1, 0, 0, 0)
{act}
seen = subprocess.run(["cat", f"/proc/{{os.getpid()}}/environ"], capture_output=True)
print(prctl(3, 0, 0, 0, 0), b"a-key-of-ours" in seen.stdout)
"""


@pytest.mark.parametrize(
    ("act", "told"),
    [
        pytest.param("", "1 True\n", id="not hidden"),
        pytest.param("hide_memory()", "0 False\n", id="hidden"),
    ],
)
def test_commands_of_the_same_user_do_not_see_our_keys(act: str, told: str) -> None:
    environment = {**os.environ, "SOME_API_KEY": "a-key-of-ours"}
    argv = [sys.executable, "-c", ASK.format(act=act)]
    done = subprocess.run(argv, env=environment, check=True, capture_output=True, text=True)
    assert done.stdout == told
