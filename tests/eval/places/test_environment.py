"""Environments: made once, confined, bounded; and what is said of one that can't be made."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from check_rows import each_of

from react_agent.eval.environment import fresh, ground_for
from react_agent.eval.station import Ground
from react_agent.eval.task import Conditions, Fault, Kind, Verdict
from react_agent.tools.shell import shell

pytestmark = pytest.mark.needs("bwrap", "bubblewrap")
IN_IT = Conditions(sandbox="bubblewrap")
SLOW = partial(pytest.param, marks=pytest.mark.slow)
# As an install that takes packages from an index, without one.
PUTS_A_MODULE = """
site=$("$VENV/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
echo "made = '$(pwd)'" > "$site/made_by_install.py"
echo again >> "$VENV/count"
test -f shop/price.py
pip --version
"""
SAYS = "import made_by_install, shop.price, sys; print(sys.prefix, shop.price.__file__)"


@pytest.mark.slow
def test_it_is_made_once_and_is_what_commands_have(world: Any, without_uv: None) -> None:
    """By venv and with pip."""
    task = world.task("replay/none", IN_IT, install=PUTS_A_MODULE)
    with ThreadPoolExecutor(3) as pool:
        grounds = [*pool.map(lambda _: ground_for(task, world.station), range(3))]
    ground = grounds[0]
    assert isinstance(ground, Ground)
    assert grounds == [ground] * 3
    assert ground.python is not None
    venv = ground.python.parent.parent
    assert (venv / "count").read_text() == "again\n"
    with fresh(ground, IN_IT, world.station) as given:
        done = shell.run_sandboxed(["python", "-c", SAYS], given.context, timeout_s=60)
        root = given.workspace.root
        assert done.output.decode() == f"{venv} {root}/shop/price.py\n"
        written = shell.run_sandboxed(["touch", str(venv / "x")], given.context, timeout_s=20)
        assert written.code != 0  # it is only read


@pytest.mark.slow
def test_another_one_for_other_lines_or_another_commit(world: Any, uv: None) -> None:
    rows = [("true", {}), ("true # x", {}), ("true", {"environment_commit": world.fix})]
    tasks = [world.task("replay/none", IN_IT, install=line, **more) for line, more in rows]
    grounds = [ground_for(task, world.station) for task in tasks]
    assert len({one.python for one in grounds if isinstance(one, Ground)}) == len(rows)


@each_of(
    ("lines", "seconds", "told"),
    {
        "hangs": SLOW("sleep 600 & sleep 600", 5, "it took too long"),
        "1 GB of output": SLOW("yes | head -c 1000000000; exit 3", 60, "exit code 3: y"),
        "undecodable": ("printf '\\377\\033[2J'; exit 1", 60, "exit code 1: \ufffd<U+001B>[2J"),
        "removes it": ('rm -rf "$VENV"', 60, "the install lines removed $VENV/bin/python"),
    },
)
def test_one_that_cannot_be_made(
    world: Any, uv: None, lines: str, seconds: float, told: str
) -> None:
    task = world.task("replay/none", replace(IN_IT, install_s=seconds), install=lines)
    began = time.monotonic()
    fault = ground_for(task, world.station)
    took = time.monotonic() - began
    assert isinstance(fault, Fault)
    assert (fault.verdict, fault.kind) == (Verdict.ENV_FAILED, Kind.ENVIRONMENT)
    text, _, log = fault.text.partition("; its output is in ")
    assert text == f"no environment: the install lines failed, {told}"
    assert Path(log).stat().st_size < 300_000
    assert ground_for(task, world.station) == fault  # for a while it is not tried again
    assert took < 60
    others = ground_for(world.task("replay/none", IN_IT), world.station)
    assert isinstance(others, Ground) and others.python is None  # nothing was asked for


def test_one_that_failed_before_the_clock_was_put_back_is_tried_again(world: Any, uv: None) -> None:
    task = world.task("replay/none", IN_IT, install="false")
    fault = ground_for(task, world.station)
    assert isinstance(fault, Fault)
    failed = Path(fault.text.partition("; its output is in ")[2]).with_name("failed")
    later = time.time() + 9_999
    os.utime(failed, (later, later))
    assert ground_for(task, world.station) == fault
    assert failed.stat().st_mtime < later


def test_lines_see_and_write_nothing_else(world: Any, uv: None) -> None:
    """Neither what is on the machine nor what comes after the commit."""
    own = world.folder / "own.txt"
    own.write_text("of a person")
    lines = f"""
if cat "{own}" || ls "{world.repository}" || git cat-file -e {world.fix}; then echo seen; fi
for name in log.txt failed made; do
    ln -sf "{own}" "$VENV/../../$name" || :; ln -sf "{own}" "$VENV/../$name" || :
done
echo theirs > "{own}" || :
false
"""
    fault = ground_for(world.task("replay/none", IN_IT, install=lines), world.station)
    assert isinstance(fault, Fault)
    assert own.read_text() == "of a person"
    log = Path(fault.text.partition("; its output is in ")[2]).read_text()
    assert "No such file" in log and "seen" not in log


@pytest.mark.parametrize(
    ("fixture", "told"),
    [
        ("uv", "uv venv: exit code 2: No interpreter found"),
        ("without_uv", "there is no python9.9, and no uv to install it"),
    ],
)
def test_there_is_no_such_python(
    world: Any, request: pytest.FixtureRequest, fixture: str, told: str
) -> None:
    request.getfixturevalue(fixture)
    fault = ground_for(world.task("replay/none", IN_IT, python="9.9"), world.station)
    assert isinstance(fault, Fault)
    assert fault.text.startswith(f"no environment: {told}; ")
