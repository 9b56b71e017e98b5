"""The guards of conftest.py hold, and let pass what they should."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from check_rows import each_of

pytestmark = pytest.mark.check

SKIPPED = "import pytest\n@pytest.mark.skip(reason='no toolchain')\ndef test_x(): 0\n"


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1", "example.org"])
def test_refuses_another_host(host: str) -> None:
    with pytest.raises(RuntimeError, match=f"asked for {host}: mark it live"):
        socket.create_connection((host, 9), timeout=1)


def test_settings_are_nobodys() -> None:
    assert "GIT_DIR" not in os.environ
    assert not Path(os.environ["XDG_STATE_HOME"]).exists()


TESTS = {
    "skipped": SKIPPED,
    "allowed": SKIPPED.replace("@", "@pytest.mark.may_skip('only on macOS')\n@", 1),
    "module": "import pytest\npytest.importorskip('nosuch_module')\ndef test_x(): 0\n",
    "xfail": "import pytest\n@pytest.mark.xfail\ndef test_x(): assert 0\n",
    "needs": SKIPPED.replace("skip(reason='no toolchain')", "needs('nosuch', 'nosuch-tools')"),
}


@each_of(
    ("ci", "expected", "reason"),
    {
        "at home": (
            "false",
            {"skipped": "s", "allowed": "s", "module": "s", "xfail": "x", "needs": "?"},
            "apt-get install nosuch-tools",
        ),
        "in CI": (
            "true",
            {"skipped": "E", "allowed": "s", "module": "E", "xfail": "x", "needs": "E"},
            "which fails when CI=true",
        ),
    },
)
def test_a_skip_is_not_silent(
    tmp_path: Path, ci: str, expected: dict[str, str], reason: str
) -> None:
    tests = Path(__file__).parent
    shutil.copy(tests / "conftest.py", tmp_path)
    shutil.copy(tests.with_name("setup.cfg"), tmp_path)
    for folder in ("browser", "scenario_tables"):  # which conftest.py loads
        shutil.copytree(tests / folder, tmp_path / "tests" / folder)
    for name, text in TESTS.items():
        (tmp_path / f"test_{name}.py").write_text(text)
    modules = [f"test_{name}.py" for name in TESTS]
    options = ("-p", "no:randomly", "-p", "no:xdist", "-rsxE", "--continue-on-collection-errors")
    place = f"--basetemp={tmp_path / 'place'}"  # or it would clear away what other runs have left
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pytest", *options, place, *modules],
        cwd=tmp_path,
        env={**os.environ, "CI": ci},
        capture_output=True,
        text=True,
    )
    assert {name: _outcome(done.stdout, name) for name in TESTS} == expected
    assert reason in done.stdout


def _outcome(out: str, name: str) -> str:
    """Of the one test of a module, by the summary's lines."""
    words = {"SKIPPED": "s", "XFAIL": "x", "ERROR": "E"}
    lines = [line.split() for line in out.split("\n") if f"test_{name}.py" in line]
    return next((words[line[0]] for line in lines if line and line[0] in words), "?")
