import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from by_hand import program
from check_rows import table_of
from robbed import Planted, outcomes, planted

from react_agent.tools.sandbox.landlock_launcher import OLDEST_ABI, abi
from react_agent.tools.sandbox.sandboxes import SIGNALS_ABI, choose
from react_agent.tools.sandbox.seccomp import AUDIT
from react_agent.tools.shell import process

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


@pytest.fixture(scope="module")
def machine() -> Iterator[Planted]:
    with planted("landlock", "own user") as machine:
        (machine.places.cut / "HEAD").write_text("borrowed")
        yield machine


ATTACKS = {
    "write outside": ("echo x > {user}/x", "echo x > new"),
    "empty a file": ("truncate -s 0 {user}/.netrc", "truncate -s 0 new"),
    "read a key": ("cat {user}/.netrc", "cat {top}/cut/HEAD"),
    "write the cut": ("echo x > {top}/cut/x", "echo x > {home}/x"),
    "write to the system": ("touch /usr/x", "ls /usr"),
    "read /etc/shadow": ("cat /etc/shadow", "cat /etc/passwd"),
    "list a folder": ("ls {user}", "ls {top}/cut"),
    "link a file in": ("ln {user}/.netrc key", "touch a && ln a b && rm a b"),
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
    "mount": ("mount -t tmpfs x {home}", "mount --version"),
    "a socket": (
        "python3 -c 'import socket as s; s.socket()'",
        "python3 -c 'import socket as s; s.socketpair()'",
    ),
    "a socket of docker's kind": (
        "python3 -c 'import socket as s; s.socket(1)'",
        "python3 -c 'import multiprocessing as m; m.Lock()'",
    ),
}


def test_every_attack_is_stopped_and_its_twin_works(machine: Planted) -> None:
    expected = dict.fromkeys(ATTACKS, ("stopped", "gets through"))
    assert outcomes(machine.said, ATTACKS) == expected


@pytest.mark.may_skip("before Linux 6.12")
@pytest.mark.skipif(abi() < SIGNALS_ABI, reason="no scoped signals in this kernel")
def test_a_process_outside_can_not_be_ended(machine: Planted) -> None:
    script = "kill -0 {pid} 2> /dev/null || echo stopped; sleep 5 & kill $! && echo through"
    assert machine.said(script) == "stopped\nthrough\n"


@pytest.mark.skipif(os.getuid() != 0, reason="only root has capabilities")
def test_root_has_no_capabilities_left(machine: Planted) -> None:
    masks = machine.said("grep ^Cap /proc/self/status | cut -f2 | sort -u")
    assert masks == "0000000000000000\n"


@table_of(
    ("script", "output"),
    {
        "its folder": ("pwd", "{root}\n"),
        "git": ("git init -q . && git status --short | wc -l", "1\n"),
        "output": ("echo out; echo err >&2; exit 3", "out\nerr\n"),
        "a pipe that is closed": ("(yes; echo $? > c) | head -1; cat c", "y\n141\n"),
        "devices": ("echo a > /dev/null; ls /dev/null", "/dev/null\n"),
    },
)
def test_an_ordinary_command(machine: Planted, script: str, output: str) -> None:
    workspace = machine.places.root
    shutil.rmtree(workspace)
    workspace.mkdir()
    (workspace / "new").touch()
    assert machine.said(script) == output.replace("{root}", str(workspace))


def test_the_network_when_it_is_allowed(machine: Planted) -> None:
    script = "python3 -c 'import socket as s; s.create_server((\"127.0.0.1\", 0)); print(1)'"
    places = replace(machine.places, network=True)
    open_one = replace(machine, chosen=choose("landlock", places, {}, {}))
    assert open_one.said(script) == "1\n"
    any_socket = "python3 -c 'import socket as s; s.socket(2, 2)' 2> /dev/null || echo stopped"
    assert machine.said(any_socket) == "stopped\n"  # by the others, as before


@table_of(
    ("command", "code", "output"),
    [("no-such", 127, "no-such: no such command\n"), ("echo", 0, "\n")],
)
def test_a_program_is_found_behind_a_folder_that_is_closed(
    machine: Planted, command: str, code: int, output: str
) -> None:
    closed, root = Path(machine.words["user"], "bin"), machine.places.root
    program(closed / "echo", "#!/bin/sh\n")
    argv = machine.chosen.sandbox([command], root)
    done = process.run(argv, cwd=root, env={"PATH": f"{closed}:/usr/bin"}, timeout_s=20)
    assert (done.code, done.output.decode()) == (code, output)
