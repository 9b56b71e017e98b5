"""A model of 98 MB, really loaded and asked. `./dev lab fetch` brings it; run with `-m lab`."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from weights import SMOLLM, place_of

pytestmark = [pytest.mark.lab, pytest.mark.timeout(900)]

SCRIPT = str(Path(sys.executable).with_name("react-agent"))


@pytest.fixture(scope="module")
def model() -> str:
    path = place_of(SMOLLM, Path(os.environ.get("LAB_CACHE") or Path.home() / ".cache"))
    assert path.exists(), f"{path} is missing: ./dev lab fetch"
    return f"gguf/{path}"


def test_doctor_loads_it_and_says_how_fast_it_is(model: str) -> None:
    done = subprocess.run([SCRIPT, "doctor", "--model", model], capture_output=True, text=True)
    rows = {line[5:14].strip(): line[15:] for line in done.stdout.splitlines()}
    assert done.stderr == ""
    assert rows["file"].startswith("Smollm2 135M 8k Lc100K Mix1 Ep2: 98 MB, loaded in ")
    assert rows["window"] == "8,192 tokens"
    assert " prompt tokens a second, " in rows["speed"]
    assert not _servers()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_a_run_leaves_no_server(model: str, tmp_path: Path, how: signal.Signals) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    said = ["git", "-C", str(tmp_path), "commit", "-q", "--allow-empty", "-m", "Begin"]
    subprocess.run(said, check=True)
    words = [SCRIPT, "solve", "Write a poem.", "--repo", str(tmp_path), "--model", model]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        _wait(lambda: bool(_servers()))
        run.send_signal(how)
        run.wait(60)
        _wait(lambda: not _servers())


def _servers() -> list[str]:
    named = Path("/proc").glob("[0-9]*/cmdline")
    return [str(path.parent) for path in named if b"gguf_server" in _read(path)]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # it has ended
        return b""


def _wait(is_so: object) -> None:
    assert callable(is_so)
    until = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < until, json.dumps(_servers())
        time.sleep(0.1)
