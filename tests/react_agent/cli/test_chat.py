"""Conversations: line by line from standard input, and in a real terminal."""

import contextlib
import signal
import sys
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from on_pty import OnPty
from title_patch import TITLE_PATCH

from react_agent.cli.terminal.chat import Talk
from react_agent.parsers.transcript.entries import Event
from react_agent.state import transcript as transcripts
from react_agent.state.steps import MAINTAINER, RETRACTED

SCRIPT = str(Path(sys.executable).with_name("react-agent"))


def model(cli: Any, *turns: str | tuple[str, str]) -> str:
    return f"replay/{cli.record(*turns)}"


def events(cli: Any, name: str) -> list[str]:
    [run] = cli.runs
    entries = transcripts.read(run / "transcript.txt").entries
    return [one.text for one in entries if isinstance(one, Event) and one.name == name]


def chat(cli: Any, spec: str, lines: str, *options: str) -> Any:
    words = ("chat", "--repo", "repository", "--model", spec, "--sandbox", "none", *options)
    return cli(*words, stdin=lines.encode())


@pytest.mark.slow
def test_lines_of_standard_input(cli: Any, repository: Path) -> None:
    (repository / "README.md").write_text("mine\n")
    lines = "what is it?\n/nope\na capital\n/diff\n/undo\n/diff\n/help\n/quit\nnever said\n"
    spec = model(cli, "it counts", ("apply_patch", TITLE_PATCH), "a capital")
    done = chat(cli, spec, lines)
    assert (done.code, done.err) == (0, "react-agent: no command /nope: /help lists them\n")
    assert done.out.startswith("%% 1 file with uncommitted changes, which the model does not see\n")
    assert "\n+# Stopwatch\n" in done.out
    assert "\n2 steps undone: the files are as before\nnothing is changed\n" in done.out
    assert events(cli, MAINTAINER) == ["a capital"]
    assert len(events(cli, RETRACTED)) == 1
    assert f"\nto go on   react-agent chat {cli.runs[0].name}\n" in done.out
    again = cli("chat", cli.runs[0].name, "--sandbox", "none", stdin=b"/model\n")
    assert (again.code, again.err) == (2, f"react-agent: /model NAME; the model is {spec}\n")


def test_a_model_in_a_file_is_recorded_with_its_whole_path(cli: Any, repository: Path) -> None:
    done = chat(cli, model(cli, "x"), "/model gguf/no.gguf\n")
    line = f"react-agent: can't read {cli.folder}/no.gguf: No such file or directory\n"
    assert (done.code, done.err) == (3, line)


def test_what_is_wrong_is_told_before_a_line_is_read(cli: Any, repository: Path) -> None:
    code, line = cli.refused("chat", "--repo", "repository", "--model", "nobody/none")
    assert (code, "nobody/none" in line) == (2, True)
    code, line = cli.refused("chat", "--repo", ".", "--model", model(cli, "x"))
    assert (code, "repository" in line) == (2, True)
    misspelled = ("chat", "--repo", "repository", "--model", model(cli, "x"), "--profile", "isue")
    assert cli.refused(*misspelled) == (2, "there is no profile 'isue' (did you mean issue?)")
    for option, value in (("--profile", "small"), ("--repo", "repository")):
        line = f"{option} is for a new conversation: a run keeps its own"
        assert cli.refused("chat", "last", option, value) == (2, line)


@pytest.mark.slow
def test_the_profile_that_is_named_is_used(cli: Any, repository: Path) -> None:
    done = chat(cli, model(cli, "it counts"), "what is it?\n", "--profile", "planner")
    assert done.code == 0
    assert "\n%% profile: planner\n" in (cli.runs[0] / "transcript.txt").read_text()


def test_signals_end_it_except_those_that_are_ignored() -> None:
    nothing: Any = None
    talk = Talk(nothing, nothing, Path())
    before = {number: signal.getsignal(number) for number in (signal.SIGHUP, signal.SIGTERM)}
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        talk.hear_signals()
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGTERM) == talk.end
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


WAIT = 0.5  # seconds, for who reads the keyboard


@pytest.fixture
def terminal(cli: Any, repository: Path) -> Iterator[Any]:
    with contextlib.ExitStack() as begun:

        def begin(*words: str) -> OnPty:
            command = (SCRIPT, *words, "--repo", "repository", "--sandbox", "none")
            environment = {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
            return begun.enter_context(OnPty(command, cli.folder, environment))

        yield begin


@pytest.mark.slow
def test_a_line_typed_meanwhile_reaches_the_next_prompt(cli: Any, terminal: Any) -> None:
    wait = f"touch {cli.folder}/waits; until [ -e {cli.folder}/go ]; do sleep 0.1; done"
    one = terminal("solve", "x is wrong", "--model", model(cli, ("run", wait)))
    one.until("run touch")
    one.type("look in unitss\x7f\r", WAIT)
    one.until("with the next prompt: look in units")
    one.type("\x03", WAIT)
    one.until("pausing after this step")
    (cli.folder / "go").touch()
    one.until("Observation:")
    one.type("and hurry\r", WAIT)
    one.end()
    assert events(cli, MAINTAINER) == ["look in units\nand hurry"]


@pytest.mark.slow
def test_ctrl_c_twice_stops(cli: Any, terminal: Any) -> None:
    one = terminal("solve", "x is wrong", "--model", model(cli, ("run", "sleep 60")))
    one.until("run sleep 60")
    one.type("\x03", WAIT)
    one.until("pausing after this step")
    one.type("\x03", WAIT)
    assert one.end() == 130
    assert events(cli, "stop") == ["interrupted by the keyboard, a signal or closed output"]


@pytest.mark.slow
def test_a_terminal_echoes_again_after_any_number_of_ctrl_c(cli: Any, terminal: Any) -> None:
    one = terminal("solve", "x is wrong", "--model", model(cli, ("run", "sleep 60")))
    one.until("run sleep 60")
    with contextlib.suppress(OSError):  # it ends in between
        while one.process.poll() is None:
            one.type("\x03", 0.05)
    one.end()
    assert termios.tcgetattr(one.terminal)[3] & termios.ECHO


@pytest.mark.slow
def test_a_terminal_that_is_closed(cli: Any, repository: Path) -> None:
    words = ("solve", "x is wrong", "--repo", "repository", "--sandbox", "none", "--model")
    spec = model(cli, ("run", "sleep 60"))
    script = ("sh", "-c", 'exec "$@" 2>errors.txt', "sh", SCRIPT)
    with OnPty((*script, *words, spec), cli.folder, {"TERM": "xterm"}) as one:
        one.until("run sleep 60")
        one.hang_up()
    assert "Traceback" not in (cli.folder / "errors.txt").read_text()
    assert events(cli, "stop") == ["interrupted by the keyboard, a signal or closed output"]


@pytest.mark.slow
def test_a_conversation_in_a_terminal(cli: Any, terminal: Any) -> None:
    spec = model(cli, "it counts", ("apply_patch", TITLE_PATCH), "a capital")
    one = terminal("chat", "--model", spec)
    one.until("Say what you want.")
    one.type("what is it?\x1b\rshortly\r", WAIT)
    one.until("concluded: finishing")
    one.until(">")
    one.type("a capital\r", WAIT)
    one.until("Conclusion: a capital")
    one.until(">")
    one.type("/un\t", WAIT)
    one.until("/undo")
    one.type("\r", WAIT)
    one.until("undone")
    one.type("\x04", WAIT)
    assert one.end() == 0
    assert "to go on   react-agent chat" in one.shown
    [run] = cli.runs
    assert "Objective: what is it?\nshortly\n" in (run / "transcript.txt").read_text()
