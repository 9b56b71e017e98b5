"""A person's machine in small: what there is to steal and to break, and a run that lies on it."""

import contextlib
import os
import pty
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from by_hand import write

from react_agent.tools.sandbox.sandbox import Places
from react_agent.tools.sandbox.sandboxes import LAUNCHER, Chosen, choose
from react_agent.tools.shell import process
from react_agent.tools.shell.environment import FIXED
from react_agent.tools.shell.process import ResourceLimits

PATH = "/usr/local/bin:/usr/bin:/bin"
KEY = "OUR_KEY=planted-key"
# Of Python: trace a process, call a server of this machine, be one.
PTRACE = "import ctypes as c, sys; sys.exit(c.CDLL(None).ptrace(16, {pid}, 0, 0) != 0)"
CALL = "import socket as s; s.create_connection(('127.0.0.1', {port}))"
TALK = (
    "import socket as s; a = s.create_server(('127.0.0.1', 0)); "
    "s.create_connection(a.getsockname())"
)
ANOTHER = 1000
HOME = (
    *(".netrc", ".ssh/id", ".git-credentials", ".aws/credentials", ".gnupg/key", ".bashrc"),
    *(".docker/config.json", ".kube/config", ".config/gh/hosts.yml", ".gitconfig"),
)
SOCKETS = ("agent", "docker", "bus")
SANDBOXES = [
    pytest.param("bubblewrap", marks=pytest.mark.needs("bwrap", "bubblewrap")),
    "landlock",
    "none",
]


def laid_out(run: Path, cut: Path | None = None, also: Path | None = None) -> Places:
    """The folders of a run."""
    places = Places(run / "workspace", run / "home", cut or run / "cut", also=also)
    for folder in (places.root / ".git", places.tmp, places.cut):
        folder.mkdir(parents=True)
    return places


def ran(
    chosen: Chosen,
    places: Places,
    command: str,
    seconds: float = 20,
    limits: ResourceLimits | None = None,
) -> process.CommandResult:
    argv = chosen.sandbox(["bash", "-c", command], places.root)
    environment = {**FIXED, **_environment(places)}
    limits = limits or ResourceLimits()
    return process.run(argv, cwd=places.root, env=environment, timeout_s=seconds, limits=limits)


def others_reach(place: Path) -> bool:
    """Whether any user may read it: a checkout below /root is closed to others."""
    return all(one.stat().st_mode & 0o005 == 0o005 for one in place.resolve().parents)


def users(sandbox: str) -> tuple[str, ...]:
    if os.getuid() or shutil.which("setpriv") is None:
        return ("own user",)
    needed = (LAUNCHER, Path(sys.executable)) if sandbox == "landlock" else ()
    return ("own user", "another") if all(map(others_reach, needed)) else ("own user",)


def outcomes(
    says: Callable[[str], str], pairs: Mapping[str, tuple[str, str]]
) -> dict[str, tuple[str, ...]]:
    """What comes of each attack and of its twin, by name, all in one sandbox."""
    tries = (
        f"( {tried} ) > /dev/null 2>&1 && echo gets through || echo stopped"
        for pair in pairs.values()
        for tried in pair
    )
    told = says("\n".join(tries)).split("\n")
    return dict(zip(pairs, zip(told[::2], told[1::2], strict=False), strict=True))


@dataclass(frozen=True, slots=True)
class Planted:
    places: Places
    chosen: Chosen
    words: Mapping[str, str]  # for the scripts
    prefix: tuple[str, ...]

    def run(self, script: str, timeout_s: float = 60) -> process.CommandResult:
        for name, value in self.words.items():
            script = script.replace(f"{{{name}}}", value)
        root, environment = self.places.root, _environment(self.places)
        argv = [*self.prefix, *self.chosen.sandbox(["bash", "-c", script], root)]
        limits = ResourceLimits()
        return process.run(argv, cwd=root, env=environment, timeout_s=timeout_s, limits=limits)

    def said(self, script: str) -> str:
        return self.run(script).output.decode(errors="replace")


@contextlib.contextmanager
def planted(sandbox: str, user: str) -> Iterator[Planted]:
    """Not below pytest's own folder: another user may not enter that."""
    with TemporaryDirectory(prefix="react-agent-test-") as name, contextlib.ExitStack() as ends:
        top = Path(name)
        top.chmod(0o755)
        run, home = top / "state" / "run", top / "user"
        places = laid_out(run, top / "cut")
        write(run, {"workspace/file": "mine\n", "transcript.txt": "planted-transcript\n"})
        write(home, dict.fromkeys(HOME, "planted-secret\n"))
        (home / ".gitconfig").write_text("[credential]\n\thelper = !echo password=planted-secret\n")
        words = {
            "top": str(top),
            "run": str(run),
            "root": str(places.root),
            "above": str(Path(*top.parts[:3])),
            "user": str(home),
            "home": str(run / "home"),
            **_served(home, ends),
        }
        chosen = choose(sandbox, places, _environment(places), {})
        prefix: tuple[str, ...] = ()
        if user == "another":
            for path in (top, *top.rglob("*"), Path(words["terminal"])):
                os.chown(path, ANOTHER, ANOTHER)
            prefix = ("setpriv", f"--reuid={ANOTHER}", f"--regid={ANOTHER}", "--clear-groups")
        words["pid"] = str(ends.enter_context(_running(prefix)).pid)
        yield Planted(places, chosen, words, prefix)


def _environment(places: Places) -> dict[str, str]:
    return {"PATH": PATH, "HOME": str(places.home), "TMPDIR": str(places.tmp)}


def _served(home: Path, ends: contextlib.ExitStack) -> dict[str, str]:
    """Servers of this machine's, and a terminal where somebody sits."""
    for name in SOCKETS:
        unix = ends.enter_context(socket.socket(socket.AF_UNIX))
        unix.bind(str(home / name))
        unix.listen()
    abstract = ends.enter_context(socket.socket(socket.AF_UNIX))
    abstract.bind(f"\0react-agent-test-{home.parent.name}")
    abstract.listen()
    tcp = ends.enter_context(socket.create_server(("127.0.0.1", 0)))
    udp = ends.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    udp.bind(("127.0.0.1", 0))
    ours, theirs = pty.openpty()
    ends.callback(os.close, ours)
    ends.callback(os.close, theirs)
    return {
        "abstract": f"react-agent-test-{home.parent.name}",
        "port": str(tcp.getsockname()[1]),
        "terminal": os.ttyname(theirs),
    }


@contextlib.contextmanager
def _running(prefix: tuple[str, ...]) -> Iterator[subprocess.Popen[bytes]]:
    """A process with a key, of the same user."""
    name, _, value = KEY.partition("=")
    script = "echo on; exec sleep 600"
    with subprocess.Popen(
        [*prefix, "/bin/sh", "-c", script], env={name: value, "PATH": PATH}, stdout=subprocess.PIPE
    ) as child:
        try:
            assert child.stdout is not None
            child.stdout.readline()
            yield child
        finally:
            child.kill()
