"""Conversations: line by line from standard input, and in a real terminal."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from title_patch import TITLE_PATCH

from react_agent.parsers.transcript.entries import HEADER, VERSION, Event, Objective, Said, Seen
from react_agent.parsers.transcript.writer import write_transcript
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.state import transcript as transcripts
from react_agent.state.steps import MAINTAINER, RETRACTED

SCRIPT = str(Path(sys.executable).with_name("react-agent"))
CODE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def model(cli: Any, *turns: str | tuple[str, str]) -> str:
    """A model that acts or, with a text alone, concludes."""
    said = [
        Turn(Kind.CONCLUSION, "so", conclusion=one)
        if isinstance(one, str)
        else Turn(Kind.ACTION, "so", *one)
        for one in turns
    ]
    steps = [entry for turn in said for entry in (Said(turn, facts={"n": "1"}), Seen("x"))]
    path = cli.folder / "model.txt"
    path.write_text(write_transcript([Event(HEADER, VERSION), Objective("do it"), *steps]))
    return f"replay/{path}"


def events(cli: Any, name: str) -> list[str]:
    [run] = cli.runs
    entries = transcripts.read(run / "transcript.txt").entries
    return [one.text for one in entries if isinstance(one, Event) and one.name == name]


def chat(cli: Any, spec: str, lines: str, *options: str) -> Any:
    words = ("chat", "--repo", "repository", "--model", spec, "--sandbox", "none", *options)
    return cli(*words, stdin=lines.encode())


@pytest.mark.slow
def test_lines_of_standard_input(cli: Any, repository: Path) -> None:
    subprocess.run(["git", "update-index", "-q", "--refresh"], cwd=repository, check=True)
    (repository / "README.md").write_text("mine\n")
    spec = model(cli, "it counts", ("apply_patch", TITLE_PATCH), "a capital")
    lines = "what is it?\n/nope\na capital\n/diff\n/undo\n/diff\n/help\n/quit\nnever said\n"
    done = chat(cli, spec, lines)
    assert (done.code, done.err) == (0, "react-agent: no command /nope: /help lists them\n")
    told = "%% 1 file with uncommitted changes: the model sees the last commit only\n"
    assert done.out.startswith(told)
    assert "\n+# Stopwatch\n" in done.out
    assert "\n2 steps undone: the files are as before\nnothing is changed\n" in done.out
    assert events(cli, MAINTAINER) == ["a capital"]
    assert len(events(cli, RETRACTED)) == 1
    assert f"\nto go on   react-agent chat {cli.runs[0].name}\n" in done.out


def test_what_is_wrong_is_told_before_a_line_is_read(cli: Any, repository: Path) -> None:
    words = ("chat", "--repo", "repository", "--model", "nobody/none")
    code, line = cli.refused(*words)
    assert (code, "nobody/none" in line) == (2, True)
    code, line = cli.refused("chat", "--repo", ".", "--model", model(cli, "x"))
    assert (code, "repository" in line) == (2, True)


class Terminal:
    def __init__(self, cli: Any, *words: str) -> None:
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        shell = ["setsid", "--ctty", "--wait", SCRIPT, *words]  # its terminal, so that Ctrl-C works
        environment = {**os.environ, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
        self.process = subprocess.Popen(
            shell, cwd=cli.folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
        )
        os.close(theirs)
        self.shown = ""
        self.at = 0

    def wait(self, text: str) -> None:
        """Until it shows the text, behind what was waited for before."""
        while (found := self.shown.find(text, self.at)) < 0:
            self.shown += CODE.sub("", os.read(self.ours, 65_536).decode(errors="replace"))
        self.at = found + len(text)

    def say(self, text: str) -> None:
        time.sleep(0.5)  # whoever reads has to set the terminal first
        os.write(self.ours, text.encode())

    def end(self) -> int:
        try:
            while data := os.read(self.ours, 65_536):
                self.shown += CODE.sub("", data.decode(errors="replace"))
        except OSError:
            pass
        return self.process.wait(60)


@pytest.fixture
def terminal(cli: Any, repository: Path) -> Iterator[Any]:
    begun: list[Terminal] = []

    def begin(*words: str) -> Terminal:
        begun.append(Terminal(cli, *words, "--sandbox", "none"))
        return begun[-1]

    yield begin
    for one in begun:
        if one.process.poll() is None:
            one.process.send_signal(signal.SIGKILL)
            one.process.wait()
        os.close(one.ours)


@pytest.mark.slow
def test_a_line_typed_meanwhile_reaches_the_next_prompt(cli: Any, terminal: Any) -> None:
    wait = f"touch {cli.folder}/waits; until [ -e {cli.folder}/go ]; do sleep 0.1; done"
    spec = model(cli, ("run", wait), "done")
    one = terminal("solve", "x is wrong", "--repo", "repository", "--model", spec)
    one.wait("run touch")
    one.say("look in unitss\x7f\r")
    one.wait("with the next prompt: look in units")
    one.say("\x03")
    one.wait("pausing after this step")
    (cli.folder / "go").touch()
    one.wait("Observation:")
    one.say("and hurry\r")
    one.end()
    assert events(cli, MAINTAINER) == ["look in units\nand hurry"]


@pytest.mark.slow
def test_ctrl_c_twice_stops(cli: Any, terminal: Any) -> None:
    spec = model(cli, ("run", "sleep 60"), "done")
    one = terminal("solve", "x is wrong", "--repo", "repository", "--model", spec)
    one.wait("run sleep 60")
    one.say("\x03")
    one.wait("pausing after this step")
    one.say("\x03")
    assert one.end() == 130
    assert events(cli, "stop") == ["interrupted by the keyboard, a signal or closed output"]


@pytest.mark.slow
def test_a_conversation_in_a_terminal(cli: Any, terminal: Any) -> None:
    spec = model(cli, "it counts", ("apply_patch", TITLE_PATCH), "a capital")
    one = terminal("chat", "--repo", "repository", "--model", spec)
    one.wait("Say what you want.")
    one.say("what is it?\x1b\rshortly\r")
    one.wait("concluded: finishing")
    one.wait(">")
    one.say("a capital\r")
    one.wait("Conclusion: a capital")
    one.wait(">")
    one.say("/un\t")
    one.wait("/undo")
    one.say("\r")
    one.wait("undone")
    one.say("\x04")
    assert one.end() == 0
    assert "to go on   react-agent chat" in one.shown
    [run] = cli.runs
    assert "Objective: what is it?\nshortly\n" in (run / "transcript.txt").read_text()
