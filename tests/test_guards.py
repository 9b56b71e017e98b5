"""The guards of conftest.py hold, and let pass what they should."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

SKIPPED = "import pytest\n@pytest.mark.skip(reason='no toolchain')\ndef test_x(): 0\n"
ALLOWED = SKIPPED.replace("@", "@pytest.mark.may_skip('only on macOS')\n@", 1)
WHOLE_MODULE = "import pytest\npytest.importorskip('nosuch_module')\ndef test_x(): 0\n"
EXPECTED_TO_FAIL = "import pytest\n@pytest.mark.xfail\ndef test_x(): assert 0\n"
NEEDS = "import pytest\n@pytest.mark.needs('nosuch', 'nosuch-tools')\ndef test_x(): 0\n"


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1", "example.org"])
def test_refuses_another_host(host: str) -> None:
    with pytest.raises(RuntimeError, match=f"asked for {host}: mark it live"):
        socket.create_connection((host, 9), timeout=1)


def test_connects_to_this_host() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(("localhost", server.getsockname()[1]), timeout=5).close()


def test_settings_are_nobodys() -> None:
    assert "GIT_DIR" not in os.environ
    assert not Path(os.environ["XDG_STATE_HOME"]).exists()


@pytest.mark.parametrize(
    ("test", "ci", "expected"),
    [
        pytest.param(SKIPPED, "false", "1 skipped", id="skipped at home"),
        pytest.param(SKIPPED, "true", "1 error", id="skipped in CI"),
        pytest.param(ALLOWED, "true", "1 skipped", id="allowed in CI"),
        pytest.param(WHOLE_MODULE, "true", "1 error", id="module skipped in CI"),
        pytest.param(EXPECTED_TO_FAIL, "true", "1 xfailed", id="expected to fail in CI"),
        pytest.param(NEEDS, "false", "apt-get install nosuch-tools", id="package missing at home"),
        pytest.param(NEEDS, "true", "1 error", id="package missing in CI"),
    ],
)
def test_a_skip_is_not_silent(tmp_path: Path, test: str, ci: str, expected: str) -> None:
    shutil.copy(Path(__file__).with_name("conftest.py"), tmp_path)
    shutil.copy(Path(__file__).parents[1] / "setup.cfg", tmp_path)
    (tmp_path / "test_one.py").write_text(test)
    command = [sys.executable, "-P", "-m", "pytest", "-p", "no:randomly", "test_one.py"]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "CI": ci}, capture_output=True, text=True
    )
    assert expected in done.stdout
