"""`react-agent endpoint --by-hand`, as a process of its own."""

import contextlib
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from code_blocks import blocks_of, text_of
from fake_caller import Caller, plain_http
from on_pty import OnPty

SCRIPT = str(Path(sys.executable).with_name("react-agent"))
REPLIES = """\
I fix the title.
Action: apply_patch
Action Input:
```diff
--- a/README.md
+++ b/README.md
@@ -1,3 +1,3 @@
-# stopwatch
+# Stopwatch

 Adds up durations as people write them.
```

It is done.
Conclusion: the title is in upper case
Observation: and this is cut off
"""


Served = Callable[..., OnPty]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with contextlib.ExitStack() as begun:

        def start(*options: str) -> OnPty:
            command = (SCRIPT, "endpoint", "--by-hand", "--port", "0", *options)
            return begun.enter_context(OnPty(command, tmp_path, {"TERM": "dumb"}))

        yield start


def url_of(endpoint: OnPty) -> str:
    return endpoint.until(r"http://127\.0\.0\.1:\d+")[0]


def ends(endpoint: OnPty, number: signal.Signals) -> int:
    endpoint.process.send_signal(number)
    return endpoint.end()


def asking(url: str, said: list[str], *prompts: str) -> threading.Thread:
    def ask() -> None:
        with plain_http() as http:
            client = Caller(url, http).openai
            for prompt in prompts:
                done = client.completions.create(model="m", prompt=prompt, stop="Observation:")
                said.append(done.choices[0].text)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    return thread


def test_a_person_types_the_replies(served: Served) -> None:
    endpoint, said = served(), list[str]()
    rules = "Rules.\n" * 100
    grown = f"{rules}Thought: I look.\nObservation: \x1b]0;owned\x07\nThought:"
    thread = asking(url_of(endpoint), said, f"{rules}Thought:", grown)
    endpoint.until("prompt 1: 708 characters ---\nRules.\nRules.\n")
    endpoint.until("Thought:\n--- your reply")
    endpoint.type("I look.\n\n")
    endpoint.until(
        r"prompt 2: what is new in \d+ characters ---\n"
        r"Thought: I look\.\nObservation: <U\+001B>\]0;owned<U\+0007>\nThought:\n--- your reply"
    )
    endpoint.type("\x04")
    endpoint.until("nothing was typed")
    endpoint.type("Enough.\nConclusion: it is\nObservation: no\n\x04")
    thread.join(10)
    assert said == ["I look.", "Enough.\nConclusion: it is\n"]
    assert ends(endpoint, signal.SIGINT) == 0
    assert "Traceback" not in endpoint.shown


@contextlib.contextmanager
def asked(port: int) -> Iterator[None]:
    """By a client that leaves at the end, whether it has an answer or not."""
    with socket.create_connection(("127.0.0.1", port)) as client:
        body = b'{"model": "m", "prompt": "x"}'
        head = f"POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}"
        client.sendall(head.encode() + b"\r\n\r\n" + body)
        yield


@pytest.mark.slow
def test_says_it_where_nobody_waits_any_more(served: Served) -> None:
    endpoint, said = served(), list[str]()
    url = url_of(endpoint)
    with asked(int(url.rpartition(":")[2])):
        endpoint.until("your reply")
    endpoint.until("the client closed the request")
    thread = asking(url, said, "y")
    endpoint.until(r"prompt 2: 1 characters ---\ny\n--- your reply")
    endpoint.type("in time\n\n")
    thread.join(10)
    assert said == ["in time"]
    assert ends(endpoint, signal.SIGTERM) == 0


@pytest.mark.slow
@pytest.mark.checkout
def test_a_run_by_hand(cli: Any, repository: Path) -> None:
    """As the page has it: the replies come out of a file here."""
    script = cli.folder / "replies.txt"
    section = text_of("docs/models.md").partition("\n## No model\n")[2].partition("\n## ")[0]
    command, reply = (block.text for block in blocks_of("docs/models.md", section))
    script.write_text(f"{reply}\n{REPLIES}")
    with script.open() as given:
        process = subprocess.Popen(
            [SCRIPT, *command.split()[1:], "--port", "0"],
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    with process:
        assert process.stdout
        told = "".join(iter(process.stdout.readline, "\n"))
        told += "".join(process.stdout.readline() for _ in range(2))
        options = re.search(r"--model (\S+) --base-url (\S+)", told)
        assert options
        model, url = options.groups()
        words = ("solve", "The title is in lower case", "--repo", "repository")
        answer = cli(*words, "--model", model, "--base-url", url)
        process.terminate()
    assert answer.code == 0, answer
    assert "Action Input: LONG_NAMES\nObservation: 1 matching line" in answer.out
    assert "Conclusion: the title is in upper case\n" in answer.out
    assert (
        cli.git("log", "-1", "--format=", "--name-only", "--branches=react-agent/*") == "README.md"
    )


@pytest.mark.slow
def test_a_reply_in_another_encoding(tmp_path: Path) -> None:
    script, said = tmp_path / "replies.txt", list[str]()
    script.write_bytes(b"gr\xfc\xdfe\n")
    command = [SCRIPT, "endpoint", "--by-hand", "--port", "0"]
    with (
        script.open() as given,
        subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE, text=True) as process,
    ):
        assert process.stdout
        asking(process.stdout.readline().split()[-4].removesuffix(":"), said, "x").join(20)
        process.terminate()
    assert said == ["gr\ufffd\ufffde"]


@pytest.mark.slow
def test_the_input_is_over(cli: Any) -> None:
    process = cli.start("endpoint", "--by-hand", "--port", "0")
    with process:
        found = re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline())
        assert found
        with asked(int(found[1])):
            _, told = process.communicate(timeout=20)
    assert (process.returncode, told) == (
        2,
        "react-agent: standard input has ended: prompt 1 gets no reply\n",
    )
