"""What a server of pages answers, and to whom; and how the command begins and ends."""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from small_run import small_run

from react_agent.loopback import Asked, Given, served
from react_agent.page.run import run_page
from react_agent.page.run_data import read_run
from react_agent.page.server import MORE, OVER, Shelf
from react_agent.parsers.secrets.redaction import Redaction
from react_agent.runs.run_folder import every
from react_agent.state.transcript import create

SCRIPT = str(Path(sys.executable).with_name("react-agent"))


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    small_run(tmp_path / "runs" / "one")
    small_run(tmp_path / "runs" / "two")
    return Shelf(lambda: every(tmp_path / "runs"), "hidden", Redaction(), lambda seconds: None)


def ask(shelf: Shelf, path: str, method: str = "GET") -> Given:
    return shelf.answer(Asked(method, path, {}, b""))


def body(given: Given) -> bytes:
    return given.body if isinstance(given.body, bytes) else b"".join(given.body)


def test_there_is_an_index_and_a_page_of_each_run(shelf: Shelf) -> None:
    index = ask(shelf, "/hidden/")
    assert (index.status, index.kind) == (200, "text/html; charset=utf-8")
    assert b'href="one.html"' in body(index)
    assert b'href="two.html"' in body(index)
    page = ask(shelf, "/hidden/two.html")
    assert b"<h1>The sum is wrong</h1>" in body(page)
    assert b"connect-src" not in body(page)  # it has come to its end: nothing is asked any more
    assert page.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.attack("an address that leads out of the runs", by="page", wall="loopback")
def test_there_is_nothing_else(shelf: Shelf) -> None:
    given = {path: ask(shelf, path) for path in ELSEWHERE}
    assert [path for path, one in given.items() if one.status != 404] == []
    assert {one.kind for one in given.values()} == {"text/plain; charset=utf-8"}


ELSEWHERE = (
    *("", "/", "/hidden", "/hiddenx/", "/Hidden/", "/two.html", "/hidde\u00f1/", "/hidden/\0"),
    *("/hidden/../two.html", "/hidden/two", "/hidden//two.html", "/hidden/two.html/"),
    *("/hidden/%2e%2e/two.html", "/hidden/../../../etc/passwd", "//etc/passwd"),
    *("/hidden/transcript.txt", "/hidden/two/transcript.txt", "/hidden/two.html.news"),
)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "HEAD", "OPTIONS"])
def test_pages_are_only_read(shelf: Shelf, method: str) -> None:
    given = ask(shelf, "/hidden/", method)
    assert (given.status, given.headers["Allow"]) == (405, "GET")


def test_a_run_that_is_gone_or_broken_is_said(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "runs/two/transcript.txt").write_text("no transcript\n")
    assert b"not readable" in body(ask(shelf, "/hidden/"))
    assert ask(shelf, "/hidden/two.html").status == 500
    (tmp_path / "runs/two/transcript.txt").unlink()
    assert ask(shelf, "/hidden/two.html").status == 404


def test_news_come_as_long_as_somebody_works_on_the_run(tmp_path: Path) -> None:
    (tmp_path / "runs" / "live").mkdir(parents=True)
    transcript = create(tmp_path / "runs" / "live" / "transcript.txt", ())
    shelf = Shelf(lambda: every(tmp_path / "runs"), "s", Redaction(), lambda seconds: None)
    given = ask(shelf, "/s/live.news")
    assert not isinstance(given.body, bytes)
    assert (given.kind, next(given.body)) == ("text/event-stream", MORE)
    small = small_run(tmp_path / "other").transcript.read_bytes()
    transcript.path.write_bytes(small)
    assert next(given.body) == MORE
    assert b"connect-src &#x27;self" in body(ask(shelf, "/s/live.html"))
    transcript.close()
    assert list(given.body)[-1] == OVER


def test_scripts_that_stand_together_declare_nothing_twice(tmp_path: Path) -> None:
    page = run_page(read_run(small_run(tmp_path / "run"), Redaction()), is_live=True)
    script = page.rpartition("<script>")[2]
    declared = re.findall(r"^(?:async )?(?:function|const|let) (\w+)", script, re.MULTILINE)
    assert len(declared) > 50
    assert sorted(declared) == sorted(set(declared))


@pytest.mark.attack(
    "a page of the web that has its name point at `page --serve`", by="page", wall="loopback"
)
def test_another_name_of_this_machine_is_refused(shelf: Shelf) -> None:
    """As it would come from a page of the web that has its name point here."""
    with served(shelf.answer) as port:
        answers = {host: _status(port, host) for host in ("localhost", "evil.example")}
    assert answers == {"localhost": 200, "evil.example": 403}


def _status(port: int, host: str) -> int:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as asked:
        asked.request("GET", "/hidden/", headers={"Host": f"{host}:{port}"})
        return asked.getresponse().status


@pytest.fixture
def command(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    small_run(tmp_path / "small")
    words = [SCRIPT, "page", str(tmp_path / "small"), "--serve"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as it:
        yield it
        it.kill()


@pytest.mark.slow
def test_ctrl_c_ends_it_well(command: "subprocess.Popen[str]") -> None:
    assert command.stdout is not None
    address = command.stdout.readline().strip()
    _, _, host, secret, name = address.split("/")
    with closing(http.client.HTTPConnection(host, timeout=10)) as asked:
        asked.request("GET", f"/{secret}/{name}")
        assert b"The sum is wrong" in asked.getresponse().read()
    command.send_signal(signal.SIGINT)
    assert command.stdout.read().startswith("Anyone on this machine")
    assert command.stderr is not None
    assert (command.wait(20), command.stderr.read()) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        pytest.param(["--port", "{taken}"], "port {taken} is in use", id="a port that is taken"),
        pytest.param(["--port", "65536"], "--port must be a whole number", id="no port"),
        pytest.param(["--out", "x"], "--serve writes no file", id="with a file"),
        pytest.param(["nowhere"], "no run 'nowhere'", id="no run"),
    ],
)
def test_what_can_not_be_served_is_one_line(
    tmp_path: Path, words: list[str], complaint: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        given = [word.replace("{taken}", port) for word in words]
        done = subprocess.run(
            [SCRIPT, "page", str(small_run(tmp_path / "run").path), "--serve", *given],
            capture_output=True, text=True, timeout=60, env={**os.environ}, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert complaint.replace("{taken}", port) in done.stderr
