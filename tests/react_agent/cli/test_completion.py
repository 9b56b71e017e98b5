"""Completion: what may come next, and that shells take it so."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from check_rows import table_of
from on_pty import OnPty

from react_agent.cli.commands import COMMANDS
from react_agent.places import runs_folder

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
    own = cli.settings(
        "[react_agent]\nmodel = openai/gpt-6\n[react_agent:model local]\nspec = openai/q\n"
    ).with_name("profiles")
    own.mkdir()
    (own / "mine.cfg").write_text("")


def next_words(cli: Any, line: str) -> list[str]:
    """What typer answers to bash, which asks in the environment."""
    words = ["react-agent", *line.split(" ")]
    asked = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    cli.environment.update(asked, _REACT_AGENT_COMPLETE="complete_bash")
    return list(cli().ends_well().split())


@table_of(
    ("line", "expected"),
    [
        ("re", ["resume", "replay", "review", "repair"]),
        ("", [*COMMANDS]),
        ("show ", [RUNS[1], RUNS[0]]),
        ("show 2026-11-20", [RUNS[0]]),
        ("solve x --profile m", ["mine", "monologue"]),
        ("solve x --sandbox do", ["docker:"]),
        ("solve x --mod", ["--model"]),
        ("solve --model ", ["local", "openai/gpt-6"]),
        ("runs p", ["prune"]),
        ("eval re", ["resume", "report"]),
        ("inspect tools w", ["why"]),
        ("solve ", []),
        ("odd x", []),
    ],
)
def test_what_may_come_next(cli: Any, there: None, line: str, expected: list[str]) -> None:
    assert next_words(cli, line) == expected


def test_settings_that_can_not_be_read_complete_nothing(cli: Any, there: None) -> None:
    cli.settings("not a settings file\n")
    assert next_words(cli, "solve --model ") == []


@pytest.fixture
def shell(request: pytest.FixtureRequest, cli: Any, there: None) -> Iterator[OnPty]:
    bins = Path(sys.executable).parent
    environment = {
        "PATH": f"{bins}:{os.environ['PATH']}",
        "TERM": "dumb",
        "HOME": str(cli.folder),
        "COLUMNS": "200",
    }
    with OnPty(request.param, cli.folder, environment) as shell:
        shell.type(f"{LOAD[request.param[0]]}\necho loa''ded\n")
        shell.until("loaded")
        yield shell


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS, indirect=True)
def test_a_shell_completes(shell: OnPty, cli: Any) -> None:
    (cli.folder / "some-issue.md").touch()
    for typed, completed in (
        ("endp", "endpoint"),
        ("show 2026-11-20", RUNS[0]),
        ("solve x --sandbox pod", "podman:"),
        ("solve some-is", "some-issue.md"),
    ):
        shell.type(f"react-agent {typed}\t")
        shell.until(re.escape(completed))
        shell.type(CLEAR)
    assert not (cli.folder / "owned").exists()
