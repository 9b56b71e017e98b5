"""Nothing of a command outlives it, and nothing of it waits for a person."""

import sys
import time
from pathlib import Path

import pytest
from robbed import PATH, Planted, ran

from react_agent.tools.context import Context
from react_agent.tools.shell.background import Background
from react_agent.tools.shell.process import CommandResult
from react_agent.tools.shell.run import RUN_BACKGROUND

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")]
# For ten seconds, whatever becomes of it.
TICKING = "for n in $(seq 500); do [ ! -e end ] || exit; echo >> $1; sleep 0.02; done\n"
DAEMON = (
    "import os, sys; os.fork() and os._exit(0); os.setsid(); os.fork() and os._exit(0); "
    "os.execv('/bin/sh', ['sh', '-c', sys.argv[1]])"
)
OUTLIVING = {
    "&": "{tick} &",
    "setsid": "setsid {tick} > /dev/null 2>&1 &",
    "nohup": "nohup {tick} > /dev/null 2>&1 &",
    "disown": "{tick} & disown",
    "two forks": f"python3 -c \"{DAEMON}\" '{{tick}}'",
    "two forks, all closed": f"python3 -c \"{DAEMON}\" '{{tick}}' <&- >&- 2>&-",
    "signals that are ignored": "setsid sh -c 'trap \"\" TERM HUP INT; {tick}' &",
    "a name that is another's": "setsid bash -c 'exec -a kworker {tick}' &",
}
# Stopped first: else one may end everything before it is killed, too. 0: in a sandbox
BOTH_END = "set -- $PPID $(cut -d' ' -f4 /proc/$PPID/stat)\n[ $2 = 0 ] || kill -STOP $@\nkill -9 $@"
ASKING = {
    "read from the terminal": "read x < /dev/tty",
    "read from the keyboard": "read x",
    "a password, for sudo": "sudo -k true",
    "a password, for ssh": "ssh -p 9 -o ConnectTimeout=2 127.0.0.1",
    "a password, for git": "printf 'protocol=https\\nhost=x\\n\\n' | git credential fill",
    "an editor, for git": "git commit --allow-empty",
    "a pager": "git -c core.pager='less -+F' log",
    "less": "less file",
    "a question of Python's": "python3 -c 'input()'",
    "a password of Python's": "python3 -c 'import getpass; getpass.getpass()'",
    "a shell": "bash -i",
    "Python, waiting for lines": "python3 -i",
}


def _ticking(places: list[Path]) -> list[str]:
    """Which of these files still grow."""
    before = {place: place.stat().st_size for place in places}
    time.sleep(0.3)
    return [place.name for place in places if place.stat().st_size > before[place]]


def _done(machine: Planted, command: str, seconds: float = 20) -> CommandResult:
    return ran(machine.chosen, machine.places, command, seconds)


def _tick(ticks: Path) -> str:
    ticks.with_name("tick.sh").write_text(TICKING)
    return f"sh tick.sh {ticks.name}"


def _begun(ticks: Path) -> str:
    return f"until [ -s {ticks.name} ]; do sleep 0.02; done"


@pytest.mark.attack(*(f"live on: {name}" for name in OUTLIVING), by="command", wall="limits")
def test_nothing_lives_on(machine: Planted) -> None:
    places = [machine.places.root / f"ticks-{number}" for number in range(len(OUTLIVING))]
    for ticks, command in zip(places, OUTLIVING.values(), strict=True):
        done = _done(machine, f"{command.format(tick=_tick(ticks))}\n{_begun(ticks)}")
        assert (done.code, done.timed_out) == (0, False), command
    assert _ticking(places) == []


@pytest.mark.attack("live on: a server, after the run", by="command", wall="limits")
def test_a_server_ends_with_its_run(machine: Planted) -> None:
    background, ticks = Background(patience_s=0.5), machine.places.root / "ticks"
    context = Context(
        machine.places.root,
        environment={"PATH": PATH},
        sandbox=machine.chosen.sandbox,
        background=background,
    )
    try:
        RUN_BACKGROUND.call(f"setsid {_tick(ticks)} & wait", context)
        while not ticks.exists():
            assert background.running()
            time.sleep(0.02)
        assert _ticking([ticks]) == ["ticks"]
    finally:
        background.close()
    assert _ticking([ticks]) == []


@pytest.mark.attack(
    "live on: kill both that watch over it", by="command", wall="sandbox", unconfined="gets through"
)
def test_who_watches_is_out_of_reach(machine: Planted) -> None:
    ticks = machine.places.root / "ticks"
    start = f"setsid {_tick(ticks)} > /dev/null 2>&1 &\n{_begun(ticks)}"
    assert not _done(machine, f"{start}\n{BOTH_END}").timed_out
    lives = _ticking([ticks])
    ticks.with_name("end").touch()
    while _ticking([ticks]):
        pass
    assert lives == (["ticks"] if machine.chosen.name == "none" else [])


@pytest.mark.attack(
    *(f"wait for a person: {name}" for name in (*ASKING, "vi")), by="command", wall="limits"
)
def test_nobody_is_asked(machine: Planted) -> None:
    author = "-c user.name=a -c user.email=a"
    _done(machine, f"git init -q . && git {author} commit -qm x --allow-empty")
    ended = {name: _done(machine, command).timed_out for name, command in ASKING.items()}
    assert ended == dict.fromkeys(ASKING, False)
    assert _done(machine, "vi file", seconds=1).seconds < 5  # it waits, though nobody is there
