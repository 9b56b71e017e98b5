"""Texts that grow towards lines of ours that none has reached yet, by atheris where it is."""

import importlib.util
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

GUIDED = Path(__file__).with_name("guided.py")
NAMES = ("turn", "stop", "patch", "issue", "procedure", "settings")
PLANTED = "planted"
LONG_S = 10
FOUND = 77  # the exit code of libFuzzer

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(900),
    pytest.mark.may_skip("atheris has wheels for some Pythons on Linux alone"),
    pytest.mark.skipif(not importlib.util.find_spec("atheris"), reason="atheris is not here"),
]


def _fuzzed(name: str, seconds: int, seed: int, folder: Path) -> subprocess.CompletedProcess[str]:
    numbers = (str(seconds), str(seed % 2**31 or 1))
    return subprocess.run(
        [sys.executable, "-P", str(GUIDED), name, *numbers, str(folder)],
        env={"PYTHONPATH": str(GUIDED.parent), "PATH": "/usr/bin:/bin", "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_no_text_that_is_found_is_too_much(
    share: Callable[[int], int], long_seed: int, tmp_path: Path
) -> None:
    """A text that was, belongs into the corpus: see CONTRIBUTING.md."""
    for name in random.Random(long_seed).sample(NAMES, share(len(NAMES))):
        folder = tmp_path / name
        folder.mkdir()
        done = _fuzzed(name, LONG_S, long_seed, folder)
        found = [path.read_bytes() for path in folder.glob("*-*")]
        assert (done.returncode, found) == (0, []), f"{name}: {done.stderr[-2000:]}"


def test_what_is_planted_is_found(tmp_path: Path) -> None:
    done = _fuzzed(PLANTED, 60, 1, tmp_path)
    [text] = [path.read_bytes() for path in tmp_path.glob("crash-*")]
    assert (done.returncode, text.startswith(b"Fz")) == (FOUND, True)
