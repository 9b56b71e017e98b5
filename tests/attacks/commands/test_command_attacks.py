"""What commands try, in each sandbox and in none, as root and as another user."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from robbed import CALL, HOME, KEY, PTRACE, TALK, Planted, outcomes, planted, users

from react_agent.tools.sandbox.landlock_launcher import abi
from react_agent.tools.sandbox.sandboxes import SIGNALS_ABI

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")]
SANDBOXES = ("bubblewrap", "landlock", "none")
ENDING = "end another process"  # in Landlock it depends on the kernel
UNIX = "import socket as s; s.socket(s.AF_UNIX).connect('{place}')"
OWN_UNIX = (
    "import socket as s; a = s.socket(s.AF_UNIX); a.bind('{place}'); a.listen(); "
    "s.socket(s.AF_UNIX).connect('{place}')"
)
# In Landlock there are none but such pairs.
PAIR = "import socket as s; s.socketpair()"
FILL = "printf 'protocol=https\\nhost=x\\nusername=u\\n\\n' | {git} credential fill | grep {what}"


@dataclass(frozen=True, slots=True)
class Row:
    attack: str
    twin: str  # its like, which has to work
    in_landlock: str = ""  # the twin that works there
    landlock: str = "stopped"
    none: str = "gets through"


def python(script: str, **words: str) -> str:
    for name, value in words.items():
        script = script.replace(f"{{{name}}}", value)
    return f'python3 -c "{script}"'


def asked(name: str) -> Row:
    own = f"{{home}}/{name}"
    twin = python(OWN_UNIX, place=own)
    return Row(python(UNIX, place=f"{{user}}/{name}"), f"rm -f {own}; {twin}", python(PAIR))


NAME = KEY.partition("=")[0]
KEYS = {
    "read the variables of the agent's caller": Row(
        f"grep -az {NAME} /proc/{{pid}}/environ", "grep -az PATH /proc/self/environ"
    ),
    "read the variables of every process": Row(
        f"cat /proc/[0-9]*/environ | grep -az {NAME}", "cat /proc/self/environ | grep -az PATH"
    ),
    "read the memory of another process": Row(
        "head -1 /proc/{pid}/maps | grep .", "head -1 /proc/self/maps | grep ."
    ),
    "trace another process": Row(
        python(PTRACE), f'sleep 5 & {python(PTRACE, pid="$!")}'
    ),
    **{f"read ~/{path}": Row(f"grep planted {{user}}/{path}", "grep mine file") for path in HOME},
    "read the transcript": Row("grep planted {run}/transcript.txt", "grep mine file"),
    "ask a credential helper of the person's": Row(
        FILL.format(git="HOME={user} git", what="planted"),
        FILL.format(git="git -c credential.helper='!echo password=own'", what="own"),
    ),
    "ask an ssh agent": asked("agent"),
    "ask docker for a container": asked("docker"),
    "ask D-Bus for a process": asked("bus"),
    "ask X11, at an abstract socket": Row(
        python(UNIX, place="\\\\0{abstract}"),
        python(OWN_UNIX, place="\\\\0own-{abstract}"),
        python(PAIR),
    ),
    "reach a server of this machine": Row(python(CALL), python(TALK), python(PAIR)),
}  # fmt: skip
CHANGES = {
    **{
        f"write to ~/{path}": Row(f"echo x >> {{user}}/{path}", "echo x >> {home}/x")
        for path in (".bashrc", ".ssh/id", ".gitconfig")
    },
    "have something started at the next login": Row(
        "mkdir -p {user}/.config/autostart", "mkdir -p {home}/.config/autostart"
    ),
    "write to the transcript": Row("echo x >> {run}/transcript.txt", "echo x >> new"),
    "write to the terminal of a person": Row("echo x > {terminal}", "echo x > /dev/null"),
    "read what is typed at a terminal of a person": Row("exec 3< {terminal}", "exec 3< /dev/null"),
    ENDING: Row(
        "kill -0 {pid}",
        "sleep 5 & kill -0 $!",
        landlock="stopped" if abi() >= SIGNALS_ABI else "gets through",
    ),
    "link a file of the person's into the workspace": Row(
        "ln {user}/.netrc stolen", "ln -f file hard"
    ),
    "change the mode of a file": Row(
        "chmod 644 {user}/.netrc", "chmod 644 file", landlock="gets through"
    ),
    "see that a process runs": Row(
        "test -d /proc/{pid}", "test -d /proc/self", landlock="gets through"
    ),
    "see that a file is there": Row(
        "test -e {user}/.netrc", "test -e file", landlock="gets through"
    ),
}
# Stopped without a sandbox, too: the variables are those on the list.
LISTED = {
    "print all variables": Row(f"env | grep {NAME}", "env | grep PATH", none="stopped"),
    "the variables of the shell's parent": Row(
        f"grep -az {NAME} /proc/$PPID/environ", "echo $PPID", none="stopped"
    ),
    "~/.netrc, where git and curl look for it": Row(
        "grep planted ~/.netrc", "echo x > ~/own", none="stopped"
    ),
    "git's credential helper": Row(
        FILL.format(git="git", what="planted"),
        FILL.format(git="git -c credential.helper='!echo password=own'", what="own"),
        none="stopped",
    ),
}
ROWS = {**KEYS, **CHANGES, **LISTED}
OPEN = [name for name, row in ROWS.items() if row.landlock != "stopped" and name != ENDING]


@pytest.fixture(
    params=[
        pytest.param((sandbox, user), id=f"{sandbox}, {user}")
        for sandbox in SANDBOXES
        for user in users(sandbox)
    ]
)
def machine(request: pytest.FixtureRequest) -> Iterator[Planted]:
    with planted(*request.param) as machine:
        yield machine


@pytest.mark.needs("bwrap", "bubblewrap")
@pytest.mark.attack(
    *(name for name in ROWS if name not in (*LISTED, *OPEN)),
    by="command",
    wall="sandbox",
    unconfined="gets through",
)
@pytest.mark.attack(
    *OPEN, by="command", wall="sandbox", landlock="gets through", unconfined="gets through"
)
@pytest.mark.attack(*LISTED, by="command", wall="environment")
def test_an_attack_is_stopped_and_its_twin_works(machine: Planted) -> None:
    is_landlock = machine.chosen.name == "landlock"
    pairs = {
        name: (row.attack, row.in_landlock if is_landlock and row.in_landlock else row.twin)
        for name, row in ROWS.items()
    }
    stopped = {"bubblewrap": lambda row: "stopped", "landlock": lambda row: row.landlock}
    wanted = stopped.get(machine.chosen.name, lambda row: row.none)
    expected = {name: (wanted(row), "gets through") for name, row in ROWS.items()}
    assert outcomes(machine.said, pairs) == expected
