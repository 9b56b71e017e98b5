import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from by_hand import program, still_ticks, write
from check_rows import table_of

from react_agent.tools.shell.process import (
    ENTERING,
    OPENING,
    CannotStart,
    CommandResult,
    Printed,
    ResourceLimits,
    parted,
    run,
)

ENVIRONMENT = {"PATH": "/usr/bin:/bin"}
TICKING = "while :; do echo tick >> ticks; sleep 0.02; done"
ENTER = ["nsenter", *ENTERING, "77", "--"]


def _shell(
    script: str, cwd: Path, timeout_s: float = 20, keep_bytes: int = 200_000
) -> CommandResult:
    return run(
        ["sh", "-c", script], cwd=cwd, env=ENVIRONMENT, timeout_s=timeout_s, keep_bytes=keep_bytes
    )


@table_of(
    ("script", "code", "output"),
    [
        pytest.param("echo out", 0, b"out\n", id="output"),
        pytest.param("echo a; echo b >&2; echo c", 0, b"a\nb\nc\n", id="errors between"),
        pytest.param("exit 3", 3, b"", id="exit code"),
        pytest.param("kill -9 $$", -9, b"", id="killed by a signal"),
        pytest.param(r"printf 'a\0\377'", 0, b"a\0\xff", id="any bytes"),
        pytest.param("cat", 0, b"", id="nothing on stdin"),
        ("exec >&- 2>&-; sleep 0.1; exit 4", 4, b""),
        pytest.param("(sleep 0.05; echo late) & exit 0", 0, b"late\n", id="a moment for the rest"),
    ],
)
def test_a_command_ends(tmp_path: Path, script: str, code: int, output: bytes) -> None:
    done = _shell(script, tmp_path)
    assert done == CommandResult(code, Printed(output), False, seconds=done.seconds)


@table_of(
    ("printed", "kept"),
    {
        "just fits": ("0123456789", Printed(b"01234", b"56789")),
        "one too many": ("0123456789a", Printed(b"01234", b"6789a", 1)),
        "twice as many": ("0123456789abcdefghij", Printed(b"01234", b"fghij", 10)),
        "few": ("012", Printed(b"012")),
    },
)
def test_too_much_output_loses_its_middle(tmp_path: Path, printed: str, kept: Printed) -> None:
    assert _shell(f"printf {printed}", tmp_path, keep_bytes=10).printed == kept


def test_endless_output_is_read_until_time_is_up(tmp_path: Path) -> None:
    done = _shell("yes", tmp_path, timeout_s=0.3, keep_bytes=1000)
    assert (len(done.output), done.printed.left_out > 100_000, done.timed_out) == (1000, True, True)


@pytest.mark.parametrize(
    ("script", "code"),
    [
        pytest.param("echo begun; sleep 60", -signal.SIGTERM, id="is asked to end"),
        ("trap '' TERM; echo begun; sleep 60; sleep 60", -signal.SIGKILL),
        pytest.param("trap 'exit 0' TERM; echo begun; sleep 60 & wait", 0, id="ends well"),
    ],
)
def test_time_is_up(tmp_path: Path, script: str, code: int) -> None:
    done = _shell(script, tmp_path, timeout_s=0.3)
    assert (done.output, done.code, done.timed_out) == (b"begun\n", code, True)
    assert done.seconds < 5


@pytest.mark.parametrize(
    ("script", "timeout_s"),
    [
        pytest.param(f"({TICKING}) & sleep 60", 0.3, id="when time is up"),
        pytest.param(f"({TICKING}) & sleep 0.2", 20, id="after a good end"),
        pytest.param(f"trap '' TERM; ({TICKING}) & sleep 60", 0.3, id="though they ignore SIGTERM"),
        pytest.param(f"({TICKING}) >/dev/null 2>&1 & sleep 0.2", 20, id="though they are silent"),
    ],
)
def test_nothing_of_the_group_stays(tmp_path: Path, script: str, timeout_s: float) -> None:
    _shell(script, tmp_path, timeout_s=timeout_s)
    assert not still_ticks(tmp_path)


def test_a_descendant_that_left_the_group_can_not_hold_us(tmp_path: Path) -> None:
    leave = "import os, time; os.fork() and os._exit(0); os.setsid(); time.sleep(8)"
    done = _shell(f'echo begun; python3 -c "{leave}"', tmp_path)
    assert (done.output, done.code, done.timed_out) == (b"begun\n", 0, False)
    assert done.seconds < 5


def test_an_interrupt_ends_the_group_and_goes_on(
    tmp_path: Path, interrupt_soon: Callable[[], None]
) -> None:
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        _shell(TICKING, tmp_path)
    assert not still_ticks(tmp_path)


@table_of(
    ("argv", "cwd", "message"),
    {
        "unknown": (["no-such"], ".", "cannot start no-such: no such command"),
        "not a program": (["./text"], ".", "cannot start ./text: Permission denied"),
        "no known format": (["./odd"], ".", "cannot start ./odd: Exec format error"),
        "no folder": (["ls"], "gone", "cannot start ls: there is no folder {cwd}"),
        "NUL": (["ls", "a\0b"], ".", "cannot start 'ls': embedded null byte"),
    },
)
def test_a_command_that_can_not_start(
    tmp_path: Path, argv: list[str], cwd: str, message: str
) -> None:
    write(tmp_path, {"text": "no program\n", "odd": b"\x7fnothing\n"})
    (tmp_path / "odd").chmod(0o755)
    with pytest.raises(CannotStart) as caught:
        run(argv, cwd=tmp_path / cwd, env=ENVIRONMENT, timeout_s=5)
    assert str(caught.value) == message.format(cwd=tmp_path / cwd)


@table_of(
    ("argv", "parts"),
    [
        (["ls"], ("", "", ["ls"])),
        ([*OPENING, "/calls", "ls", "-a"], ("/calls", "", ["ls", "-a"])),
        ([*ENTER, "ls"], ("", "77", ["ls"])),
        ([*OPENING, "/calls", *ENTER, "ls"], ("/calls", "77", ["ls"])),
    ],
)
def test_what_a_sandbox_puts_before_a_command(
    argv: list[str], parts: tuple[str, str, list[str]]
) -> None:
    assert parted(argv) == parts


@pytest.mark.parametrize("limits", [None, ResourceLimits()], ids=["alone", "supervised"])
def test_no_program_of_its_own_folder_is_meant(
    tmp_path: Path, limits: ResourceLimits | None
) -> None:
    program(tmp_path / "tool", "#!/bin/sh\n")
    with pytest.raises(CannotStart, match="cannot start tool: no such command"):
        run(["tool"], cwd=tmp_path, env=ENVIRONMENT, timeout_s=5, limits=limits)
