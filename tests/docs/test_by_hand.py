"""Who has no model is the model, as tutorial.md and README.md say."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from code_blocks import Block, Fate, Mark, blocks_of, text_of
from sessions import environment_in

from react_agent.demo.repository import make_repository

pytestmark = [pytest.mark.checkout, pytest.mark.slow]
PORT = "8765"
OURS = Mark(Fate.TESTED, "tests/docs/test_by_hand.py")


def _blocks(page: str) -> list[Block]:
    """Those that this test takes from it."""
    return [block for block in blocks_of(page, text_of(page)) if block.mark == OURS]


@contextmanager
def answering(command: str, typed: str, folder: Path) -> Iterator[None]:
    """The endpoint, in a terminal of its own, with all that is going to be typed."""
    environment = environment_in(folder)
    words = ["bash", "-c", f"exec {command}"]
    with subprocess.Popen(
        words, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.write(typed.encode())
        process.stdin.flush()
        assert b"You are the model" in process.stdout.readline()
        try:
            yield
        finally:
            process.terminate()


@pytest.mark.parametrize("page", ["docs/tutorial.md", "README.md"])
def test_the_run_of_the_tutorial_is_made(page: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    stopwatch = tmp_path / "home" / "stopwatch"
    make_repository(stopwatch)
    endpoint, solve_block, *_ = _blocks(page)
    solve = solve_block.text.replace(PORT, port).replace("issue.md", "'90 m is not read'")
    _, _, *replies = _blocks("docs/tutorial.md")
    typed = "".join(f"{block.text}\n" for block in replies)
    command = endpoint.text.strip().replace("--by-hand", f"--by-hand --port {port}")
    with answering(command, typed, stopwatch):
        done = subprocess.run(
            ["bash", "-c", solve],
            cwd=stopwatch,
            env=environment_in(stopwatch),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Observation: 6 passed" in done.stdout
    assert "Observation: Not accepted yet:" in done.stdout
    assert "\nbranch     react-agent/" in done.stdout
