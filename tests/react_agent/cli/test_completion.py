"""Completion: what may come next, and that shells take it so."""

import fcntl
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from react_agent.cli.commands import COMMANDS
from react_agent.places import runs_folder, settings_file

RARE = pytest.mark.may_skip("a shell that not every machine has")
SHELLS = [
    pytest.param(("bash", "--norc", "--noprofile", "-i"), id="bash"),
    pytest.param(("zsh", "-f", "-i"), marks=(pytest.mark.needs("zsh", "zsh"), RARE), id="zsh"),
    pytest.param(("fish", "-P"), marks=(pytest.mark.needs("fish", "fish"), RARE), id="fish"),
]
RUNS = ("2026-11-20-first-0001", "2026-11-23-second-0002")
CLEAR = "\x15"  # Ctrl-U: the line goes
LOAD = {
    "bash": "PS1='> '; bind 'set enable-bracketed-paste off'; . <(react-agent --show-completion)",
    "zsh": "PS1='> '; autoload -Uz compinit; compinit -u -D; . =(react-agent --show-completion)",
    "fish": "react-agent --show-completion | source",
}


@pytest.fixture
def there(cli: Any) -> None:
    for name in (*RUNS, "$(touch owned)", ".removed-2026", "a b"):
        (runs_folder() / name).mkdir(parents=True)
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text(
        "[react_agent]\nmodel = openai/gpt-6\n[react_agent:model local]\nspec = openai/q\n"
    )
    own = settings_file().parent / "profiles"
    own.mkdir()
    (own / "mine.cfg").write_text("")


def next_words(cli: Any, line: str) -> list[str]:
    """What typer answers to bash, which asks in the environment."""
    words = ["react-agent", *line.split(" ")]
    asked = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    cli.environment.update(asked, _REACT_AGENT_COMPLETE="complete_bash")
    answer = cli()
    assert (answer.code, answer.err) == (0, "")
    return answer.out.split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("re", ["resume", "replay", "review", "repair"]),
        ("", [*COMMANDS]),
        ("show ", [RUNS[1], RUNS[0]]),
        ("show 2026-11-20", [RUNS[0]]),
        ("show x --only re", ["repairs"]),
        ("audit --only re", ["read", "reached", "refused"]),
        ("solve x --profile m", ["mine", "monologue"]),
        ("solve x --sandbox do", ["docker:"]),
        ("solve x --mod", ["--model"]),
        ("solve --model ", ["local", "openai/gpt-6"]),
        ("runs p", ["prune"]),
        ("runs --outcome out_of_s", ["out_of_steps"]),
        ("hook in", ["install"]),
        ("eval re", ["resume", "report"]),
        ("inspect tools w", ["why"]),
        ("solve ", []),
        ("solve --repo ", []),
        ("odd x", []),
    ],
)
def test_what_may_come_next(cli: Any, there: None, line: str, expected: list[str]) -> None:
    assert next_words(cli, line) == expected


def test_settings_that_can_not_be_read_complete_nothing(cli: Any, there: None) -> None:
    settings_file().write_text("not a settings file\n")
    assert next_words(cli, "solve --model ") == []


def test_the_old_command_names_the_option(cli: Any) -> None:
    said = "completion is gone: react-agent --install-completion does it"
    assert cli.refused("completion", "bash") == (2, said)


@dataclass
class Shell:
    """On a terminal, as a person has it."""

    terminal: int
    process: "subprocess.Popen[bytes]"
    shown: str = ""

    def type(self, keys: str) -> None:
        os.write(self.terminal, keys.encode())

    def until(self, pattern: str) -> str:
        """What was shown since, once it holds this."""
        end = time.monotonic() + 20
        while not re.search(pattern, self.shown):
            assert time.monotonic() < end, (pattern, self.shown)
            if select.select([self.terminal], [], [], 0.1)[0]:
                self.shown += os.read(self.terminal, 65_536).decode(errors="replace")
        shown, self.shown = self.shown, ""
        return shown

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)


@pytest.fixture
def shell(request: pytest.FixtureRequest, cli: Any, there: None) -> Iterator[Shell]:
    ours, theirs = pty.openpty()
    bins = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{bins}:{os.environ['PATH']}", "TERM": "dumb"}
    process = subprocess.Popen(
        request.param,
        cwd=cli.folder,
        env={**environment, "HOME": str(cli.folder), "COLUMNS": "200"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(theirs)
    with closing(Shell(ours, process)) as shell:
        shell.type(f"{LOAD[request.param[0]]}\necho loa''ded\n")
        shell.until("loaded")
        yield shell


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS, indirect=True)
def test_a_shell_completes(shell: Shell, cli: Any) -> None:
    (cli.folder / "some-issue.md").touch()
    for typed, completed in (
        ("endp", "endpoint"),
        ("show 2026-11-20", RUNS[0]),
        ("solve x --sandbox pod", "podman:"),
        ("runs --outcome out_of_s", "out_of_steps"),
        ("solve some-is", "some-issue.md"),
    ):
        shell.type(f"react-agent {typed}\t")
        shell.until(re.escape(completed))
        shell.type(CLEAR)
    assert not (cli.folder / "owned").exists()
