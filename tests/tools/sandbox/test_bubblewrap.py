import platform
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from by_hand import still_ticks, write
from check_rows import table_of
from robbed import CALL, PATH, PTRACE, TALK, Planted, laid_out, outcomes, planted, users

from react_agent.tools.git.repository import cut
from react_agent.tools.git.workspace import Workspace
from react_agent.tools.sandbox import toolchains
from react_agent.tools.sandbox.bubblewrap import confined, readonly, to_start
from react_agent.tools.sandbox.etc import EtcCopy
from react_agent.tools.sandbox.sandbox import CALLS, Places
from react_agent.tools.sandbox.sandboxes import choose
from react_agent.tools.shell import process

pytestmark = pytest.mark.needs("bwrap", "bubblewrap")
BWRAP = shutil.which("bwrap") or ""
TICKING = "while :; do echo tick >> ticks; sleep 0.02; done"
ABSTRACT = "import socket as s; s.socket(s.AF_UNIX).connect('\\0{abstract}')"
OWN_ABSTRACT = (
    "import socket as s; a = s.socket(s.AF_UNIX); a.bind('\\0{abstract}'); a.listen(); "
    "s.socket(s.AF_UNIX).connect('\\0{abstract}')"
)


FILES = {
    "state/other/transcript.txt": "of another run",
    "state/run/git/HEAD": "of the host",
    "state/run/workspace/.git/HEAD": "of the commands",
    "cut/HEAD": "borrowed",
    "user/.tools/bin/tool": "#!/bin/sh\necho the tool\n",
    "user/.tools/pip.conf": "password",
}
KEYCTL = {"x86_64": "250", "aarch64": "219"}.get(platform.machine(), "0")


@pytest.fixture(scope="module", params=users("bubblewrap"))
def machine(request: pytest.FixtureRequest) -> Iterator[Planted]:
    with planted("bubblewrap", request.param) as machine:
        top = Path(machine.words["top"])
        write(top, FILES)
        (top / "user/.tools/bin/tool").chmod(0o755)
        words = {**machine.words, "keyctl": KEYCTL}
        yield inside(replace(machine, words=words), toolchains=(top / "user" / ".tools",))


def inside(machine: Planted, *, is_filtered: bool = True, **changes: Any) -> Planted:
    """The same with other walls: no filter of calls, or places that differ."""
    places, etc = replace(machine.places, **changes), machine.chosen.etc_copy
    if places.network:
        etc = EtcCopy(places.root.with_name("other-etc"), network=True)
    assert etc
    calls = places.root.with_name(CALLS) if is_filtered else None
    sandbox = partial(confined, BWRAP, calls, etc, places)
    return replace(machine, places=places, chosen=replace(machine.chosen, sandbox=sandbox))


# By name: what has to be stopped, and its like that has to work.
ATTACKS = {
    # first, while the sandbox has few processes of its own: none has our number
    "see a process": ("test -d /proc/{pid}", "test -d /proc/$$"),
    "kill a process": ("kill -0 {pid}", "kill -0 $$"),
    "trace a process": (
        f'python3 -c "{PTRACE}"',
        f'sleep 5 & python3 -c "{PTRACE.replace("{pid}", "$!")}"',
    ),
    # then the others
    "write outside": ("echo x > {run}/transcript.txt", "echo x > {root}/new"),
    "write to the system": ("touch /usr/x", "touch {home}/x"),
    "write to the root": ("mkdir /x", "mkdir -p /tmp/x"),
    "write a toolchain": ("touch {user}/.tools/x", "{user}/.tools/bin/tool"),
    "write the cut": ("touch {top}/cut/x", "cat {top}/cut/HEAD"),
    "read a key": ("cat {user}/.ssh/id", "cat {root}/file"),
    "read a password": ("cat {user}/.tools/pip.conf", "cat {root}/file"),
    "read the transcript": ("cat {run}/transcript.txt", "cat file"),
    "read another run": ("cat {top}/state/other/transcript.txt", "cat ./file"),
    "the host's git": ("grep -r 'of the host' {root}", "grep 'of the' .git/HEAD"),
    "read /etc/shadow": ("cat /etc/shadow", "cat /etc/passwd"),
    "read a password in /etc": ("cat /etc/pip.conf /etc/npmrc /etc/gshadow", "cat /etc/os-release"),
    "write a name in /etc": ("touch /etc/x", "test -d /etc/alternatives"),
    "change a file in /etc": ("echo x >> /etc/hosts", "cat /etc/hosts"),
    "change the mode of a file in /etc": ("chmod 777 /etc/hosts", "test -r /etc/hosts"),
    "reach the copy of /etc": ("ls {run}/etc", "ls /etc/ssl/certs"),
    "list /root": ("ls /root", "ls /usr"),
    "reach the git directory of the host": ("ls {run}/git", "touch .git/x"),
    "have another folder bound as /tmp": (
        "mv {home}/tmp {home}/moved && ln -s / {home}/tmp",
        "mkdir {home}/a && mv {home}/a {home}/b && rmdir {home}/b",
    ),
    "above the workspace": ("mv {above} {above}-x && ln -s / {above}", "test -d {above}"),
    "have the kernel start a program": (
        "cat /proc/sys/kernel/core_pattern > {root}/core_pattern && "
        "cat {root}/core_pattern > /proc/sys/kernel/core_pattern",
        "cat /proc/sys/kernel/core_pattern",
    ),
    "key": ("grep -az OUR_KEY /proc/*/environ", "grep -az PATH /proc/1/environ"),
    "be root of a namespace": ("unshare -U true", "unshare --version"),
    "mount": ("mount -t tmpfs x /tmp", "mount"),
    "unmount": ("umount {root}", "ls {root}"),
    "devices": ("ls -d /dev/*d[a-z] /dev/mem /dev/kvm", "test -c /dev/null"),
    "the host's loopback": (f'python3 -c "{CALL}"', f'python3 -c "{TALK}"'),
    "an abstract socket": (f'python3 -c "{ABSTRACT}"', f'python3 -c "{OWN_ABSTRACT}"'),
    "a socket to the host of a virtual machine": (
        'python3 -c "import socket as s; s.socket(40)"',
        'python3 -c "import socket as s; s.socket(10), s.socket(16, 3)"',
    ),
    "the kernel's keys": (
        'python3 -c "import ctypes as c; exit(c.CDLL(None).syscall({keyctl}, 0, -3) < 0)"',
        'python3 -c "import ctypes as c; exit(c.CDLL(None).getuid() < 0)"',
    ),
    "ask for a name": ("getent hosts example.org", "getent hosts localhost"),
    "name servers": ("cat /etc/resolv.conf", "cat /etc/hosts"),
}


@pytest.mark.attack(*ATTACKS, by="command", wall="sandbox", unconfined="gets through")
def test_every_attack_is_stopped_and_its_twin_works(machine: Planted) -> None:
    """In one sandbox: what an attack is kept from is there for none of those behind it either."""
    expected = dict.fromkeys(ATTACKS, ("stopped", "gets through"))
    assert outcomes(machine.said, ATTACKS) == expected


def test_every_namespace_is_its_own(machine: Planted) -> None:
    names = ("user", "pid", "ipc", "uts", "net", "mnt", "cgroup")
    inside = machine.said(f"for name in {' '.join(names)}; do readlink /proc/self/ns/$name; done")
    assert not {str(Path("/proc/self/ns", name).readlink()) for name in names} & set(inside.split())
    assert len(inside.split()) == len(names)


def test_no_namespace_inside_even_without_a_filter(machine: Planted) -> None:
    unfiltered = inside(machine, is_filtered=False)
    assert unfiltered.said("unshare -U true 2> /dev/null || echo stopped") == "stopped\n"


def test_what_was_attacked_works_outside(machine: Planted) -> None:
    """Or the rows above would stop what is not there."""
    assert all(Path(machine.words[name]).is_dir() for name in ("run", "user", "top"))
    address = ("127.0.0.1", int(machine.words["port"]))
    with socket.create_connection(address), socket.socket(socket.AF_UNIX) as abstract:
        abstract.connect(f"\0{machine.words['abstract']}")


@table_of(
    ("script", "code", "output"),
    [
        pytest.param("echo out; echo err >&2; exit 3", 3, "out\nerr\n", id="output"),
        pytest.param("kill -9 $$", 137, "", id="signal"),
        pytest.param("pwd", 0, "{root}\n", id="its own path"),
        ("echo a > /dev/shm/a; cat < /dev/zero | head -c 1 > /dev/null; cat /dev/shm/a", 0, "a\n"),
        pytest.param("hostname || uname -n", 0, "sandbox\n", id="host name"),
        pytest.param("ls -A /home /run /var/lib", 2, None, id="empty places"),
        pytest.param("{user}/.tools/bin/tool", 0, "the tool\n", id="toolchain"),
        pytest.param(
            "env | cut -d= -f1 | sort | xargs",
            0,
            "HOME PATH PWD SHLVL TMPDIR _\n",
            id="environment",
        ),
    ],
)
def test_an_ordinary_command(machine: Planted, script: str, code: int, output: str | None) -> None:
    done = machine.run(script)
    expected = done.output.decode() if output is None else output
    expected = expected.replace("{root}", str(machine.places.root))
    assert (done.code, done.output.decode()) == (code, expected)


def test_files_in_tmp_live_from_one_command_to_the_next(machine: Planted) -> None:
    machine.run("echo kept > /tmp/note")
    assert machine.said("cat /tmp/note /var/tmp/note {home}/tmp/note") == "kept\n" * 3


def test_nothing_stays_when_time_is_up(machine: Planted) -> None:
    done = machine.run(f"setsid sh -c '{TICKING}' & trap '' TERM; sleep 60", timeout_s=0.4)
    assert (done.timed_out, done.seconds < 5) == (True, True)
    assert not still_ticks(machine.places.root)


def test_the_network_when_it_is_allowed(machine: Planted) -> None:
    assert inside(machine, network=True).said(f'python3 -c "{CALL}" && echo through') == "through\n"


@table_of(
    ("given", "bound"),
    {
        "the cut": ((), ("/c",)),
        "the outermost": (("/b/x", "/b"), ("/b", "/c")),
        "part of the system": (("/usr/local/go",), ("/c",)),
        "above the runs": (("/s",), ("/c",)),
        "in the commands' home": (("/s/run/home/.cache",), ("/c",)),
    },
)
def test_what_is_bound_read_only(given: tuple[str, ...], bound: tuple[str, ...]) -> None:
    run = Path("/s/run")
    places = Places(run / "workspace", run / "home", Path("/c"), tuple(map(Path, given)))
    assert readonly(places) == tuple(map(Path, bound))


def test_a_virtual_environment_below_a_home(tmp_path: Path) -> None:
    """Its interpreter is a link to one that may be below a home, too."""
    home = tmp_path / "user"
    process.run(
        [sys.executable, "-m", "venv", "--without-pip", str(home / "project" / ".venv")],
        cwd=tmp_path,
        env={},
        timeout_s=20,
    )
    environment = {"PATH": f"{home}/project/.venv/bin:{PATH}"}
    found = toolchains.folders(environment, Path.home())
    places = replace(laid_out(tmp_path / "run"), toolchains=found)
    argv = ["python", "-c", "import sys, json; print(sys.prefix)"]
    done = process.run(
        choose("bubblewrap", places, environment, {}).sandbox(argv, places.root),
        cwd=places.root,
        env=environment,
        timeout_s=20,
    )
    assert (done.code, done.output.decode()) == (0, f"{home}/project/.venv\n")


def _contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_git_works_on_a_repository_of_its_own(made: Workspace, tmp_path: Path) -> None:
    before = _contents(made.git_dir)
    lender = cut(made.base.repository, made.base.commit, tmp_path / "cuts")
    places = Places(made.root, tmp_path / "home", lender)
    places.tmp.mkdir(parents=True)
    on_made = Planted(places, choose("bubblewrap", places, {}, {}), {}, ())
    told = on_made.said(
        "set -e; git status --short; echo a > a.py; echo b > b.py; git add a.py; git status -s; "
        "git commit -qm 'Add a'; git log --format=%s -2; echo c >> README; git stash -q; "
        "cat README; git stash pop -q; git checkout -q -- README; git diff HEAD --stat; "
        "git config core.fsmonitor 'touch /tmp/ran'; echo 'touch ran' > .git/hooks-of-mine; "
        f"ls {made.git_dir} 2> /dev/null || echo none; "
        "rm -rf .git; ls .git 2> /dev/null || echo gone"
    )
    assert told == "A  a.py\n?? b.py\nAdd a\nSave src/two.py\nread me\nnone\ngone\n"
    assert _contents(made.git_dir) == before


def test_the_filter_is_opened_without_a_shell_and_holds(machine: Planted) -> None:
    """By the supervisor, in place of that line of shell."""
    script = "( ls -l /proc/$$/fd | grep -c calls; unshare -U true || echo stopped ) 2> /dev/null"
    argv = machine.chosen.sandbox(["sh", "-c", script], machine.places.root)
    assert tuple(argv[:3]) == process.OPENING
    assert machine.said(script) == "0\nstopped\n"


@pytest.fixture
def held(machine: Planted) -> Iterator[int]:
    argv = [*machine.prefix, *to_start(BWRAP)]
    with subprocess.Popen(
        argv, env={"PATH": PATH}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as child:
        assert child.stdout is not None
        try:
            yield int(child.stdout.readline())
        finally:
            child.kill()


SERVE = "import socket as s; a = s.create_server(('127.0.0.1', 8123)); a.accept()[0].send(b'hello')"
ASK = "import socket as s; print(s.create_connection(('127.0.0.1', 8123)).recv(9).decode())"


def test_a_server_of_one_command_is_there_for_the_next(machine: Planted, held: int) -> None:
    sharing = inside(machine, holder=lambda: held)
    serving = threading.Thread(target=sharing.run, args=(f'echo > up; python3 -c "{SERVE}"', 10))
    serving.start()
    asked = f'for i in $(seq 50); do python3 -c "{ASK}" 2> /dev/null && break; sleep 0.1; done'
    assert machine.said(f'python3 -c "{ASK}" 2> /dev/null || echo refused') == "refused\n"
    assert sharing.said(asked) == "hello\n"
    serving.join()


def test_what_shares_a_network_is_as_confined(machine: Planted, held: int) -> None:
    sharing = inside(machine, holder=lambda: held)
    attacks = (
        f'python3 -c "{CALL}"',
        "unshare -U true",
        "test -d /proc/{pid}",
        "touch /proc/sys/net/core/somaxconn",
        "cat /proc/net/route | grep -v Iface",
        "ip link add x type dummy",
    )
    script = "; ".join(
        f"( {attack} ) > /dev/null 2>&1 && echo through {n}" for n, attack in enumerate(attacks)
    )
    assert (
        sharing.said(f"{script}; grep ^CapBnd /proc/self/status") == "CapBnd:\t" + "0" * 16 + "\n"
    )


def test_where_the_holder_has_gone_a_command_has_its_own_network(machine: Planted) -> None:
    sharing = inside(machine, holder=lambda: 2**22 + 1)
    assert sharing.said(f'python3 -c "{TALK}" && echo through') == "through\n"
