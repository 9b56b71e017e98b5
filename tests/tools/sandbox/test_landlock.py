import os
import platform
import shutil
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from check_rows import table_of
from robbed import outcomes

from react_agent.tools.sandbox.landlock_launcher import OLDEST_ABI, abi
from react_agent.tools.sandbox.sandbox import Places
from react_agent.tools.sandbox.sandboxes import SIGNALS_ABI, by_landlock
from react_agent.tools.sandbox.seccomp import AUDIT, FAMILIES, program
from react_agent.tools.shell import process
from react_agent.tools.shell.process import CommandResult

RUNS = sys.platform == "linux" and platform.machine() in AUDIT and abi() >= OLDEST_ABI
pytestmark = [
    pytest.mark.may_skip("a kernel without Landlock can't show it"),
    pytest.mark.skipif(not RUNS, reason="no Landlock in this kernel"),
]
# 17: a child that ends with SIGCHLD, as after fork
CLONE = (
    'import ctypes, os, platform; number = 56 if platform.machine() == "x86_64" else 220; '
    "pid = ctypes.CDLL(None).syscall(number, {flags}, 0, 0, 0, 0); pid or os._exit(0); "
    "raise SystemExit(pid < 0)"
)
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin"}


@pytest.fixture(scope="module")
def top() -> Iterator[Path]:
    with TemporaryDirectory(prefix="react-agent-test-") as name:
        top = Path(name)
        for folder in ("run/workspace", "run/home/tmp", "run/g", "cut", "user"):
            (top / folder).mkdir(parents=True)
        (top / "user" / "key").write_text("secret")
        (top / "cut" / "HEAD").write_text("borrowed")
        (top / "calls").write_bytes(program(platform.machine(), ()))
        (top / "calls-with-network").write_bytes(program(platform.machine(), FAMILIES))
        yield top


def _run(top: Path, argv: list[str], calls: str = "calls") -> CommandResult:
    run = top / "run"
    network = calls != "calls"
    places = Places(run / "workspace", run / "home", top / "cut", network=network)
    environment = {**ENVIRONMENT, "HOME": str(places.home)}
    argv = by_landlock(top / calls, places, argv, places.root)
    return process.run(argv, cwd=places.root, env=environment, timeout_s=20)


def _says(top: Path, script: str, calls: str = "calls") -> str:
    script = script.replace("{top}", str(top)).replace("{pid}", str(os.getpid()))
    return _run(top, ["sh", "-c", script], calls).output.decode()


ATTACKS = {
    "write outside": ("echo x > {top}/user/x", "echo x > new"),
    "empty a file": ("truncate -s 0 {top}/user/key", "truncate -s 0 new"),
    "read a key": ("cat {top}/user/key", "cat {top}/cut/HEAD"),
    "write the cut": ("echo x > {top}/cut/x", "echo x > {top}/run/home/x"),
    "write to the system": ("touch /usr/x", "ls /usr"),
    "read /etc/shadow": ("cat /etc/shadow", "cat /etc/passwd"),
    "list a folder": ("ls {top}/user", "ls {top}/cut"),
    "link a file in": ("ln {top}/user/key key", "touch a && ln a b && rm a b"),
    "read our variables": ("cat /proc/{pid}/environ", "cat /proc/$$/environ"),
    "have the kernel start a program": (
        "read c < /proc/sys/kernel/core_pattern; echo $c > /proc/sys/kernel/core_pattern",
        "cat /proc/sys/kernel/core_pattern",
    ),
    "be root of a namespace": ("unshare -U true", "unshare --version"),
    "be root of a namespace, by another call": (
        f"python3 -c '{CLONE.format(flags='0x10000000 | 17')}'",
        f"python3 -c '{CLONE.format(flags='17')}'",
    ),
    "the terminals of a person": ("ls /dev/pts/", "ls /dev/shm"),
    "a new terminal": (": < /dev/ptmx", ": < /dev/null"),
    "mount": ("mount -t tmpfs x {top}/run/home", "mount --version"),
    "a socket": (
        "python3 -c 'import socket as s; s.socket()'",
        "python3 -c 'import socket as s; s.socketpair()'",
    ),
    "a socket of docker's kind": (
        "python3 -c 'import socket as s; s.socket(1)'",
        "python3 -c 'import multiprocessing as m; m.Lock()'",
    ),
}


def test_every_attack_is_stopped_and_its_twin_works(top: Path) -> None:
    expected = dict.fromkeys(ATTACKS, ("stopped", "gets through"))
    assert outcomes(partial(_says, top), ATTACKS) == expected


@pytest.mark.may_skip("before Linux 6.12")
@pytest.mark.skipif(abi() < SIGNALS_ABI, reason="no scoped signals in this kernel")
def test_a_process_outside_can_not_be_ended(top: Path) -> None:
    script = "kill -0 {pid} 2> /dev/null || echo stopped; sleep 5 & kill $! && echo through"
    assert _says(top, script) == "stopped\nthrough\n"


@pytest.mark.skipif(os.getuid() != 0, reason="only root has capabilities")
def test_root_has_no_capabilities_left(top: Path) -> None:
    masks = _says(top, "grep ^Cap /proc/self/status | cut -f2 | sort -u")
    assert masks == "0000000000000000\n"


@table_of(
    ("script", "output"),
    {
        "its folder": ("pwd", "{top}/run/workspace\n"),
        "git": ("git init -q . && git status --short | wc -l", "1\n"),
        "output": ("echo out; echo err >&2; exit 3", "out\nerr\n"),
        "a pipe that is closed": ("(yes; echo $? > c) | head -1; cat c", "y\n141\n"),
        "devices": ("echo a > /dev/null; ls /dev/null", "/dev/null\n"),
    },
)
def test_an_ordinary_command(top: Path, script: str, output: str) -> None:
    workspace = top / "run/workspace"
    shutil.rmtree(workspace)
    workspace.mkdir()
    (workspace / "new").touch()
    assert _says(top, script) == output.replace("{top}", str(top))


def test_the_network_when_it_is_allowed(top: Path) -> None:
    script = "python3 -c 'import socket as s; s.create_server((\"127.0.0.1\", 0)); print(1)'"
    assert _says(top, script, "calls-with-network") == "1\n"


def test_a_command_that_is_not_there(top: Path) -> None:
    done = _run(top, ["no-such"])
    assert (done.code, done.output.decode()) == (127, "no-such: no such command\n")
