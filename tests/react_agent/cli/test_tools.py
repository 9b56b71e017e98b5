"""react-agent tools"""

import os
from pathlib import Path
from typing import Any

import pytest

from react_agent.profile import shipped


@pytest.fixture
def own(cli: Any) -> None:
    file = Path(os.environ["XDG_CONFIG_HOME"], "react-agent", "config.cfg")
    file.parent.mkdir(parents=True)
    file.write_text("[react_agent:hidden]\ndeploy = redirect [red]Not\x1b[31m now[/]; conclude.\n")


def test_lists_what_is_offered_and_what_answers(cli: Any, own: None) -> None:
    answer = cli("tools")
    assert (answer.code, answer.err) == (0, "")
    offered, _, hidden = answer.out.partition("Hidden: never offered, but they answer when called:")
    profile = shipped("issue")
    assert [line.split()[0] for line in offered.splitlines()[1:]] == list(profile.tools)
    rows = [" ".join(line.split()) for line in hidden.splitlines()]
    words = set(" ".join(rows).replace(",", " ").replace(":", " ").split())
    everything = [*profile.unoffered, *profile.hidden, *profile.hidden_offline]
    assert {word for name in everything for word in name.split()} <= words
    assert "as apply_patch patch, git_apply, apply_diff" in rows
    assert "redirect deploy: [red]Not<U+001B>[31m now[/]; conclude." in rows
    assert "redirect tail -f: It would never end. Show what is there now, without -f." in rows


@pytest.mark.parametrize("columns", [100, 40, 20])
def test_every_word_fits_on_a_terminal(
    cli: Any, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    unbroken = cli("tools").out.split()
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = cli("tools").out.replace("\x1b[1m", "").replace("\x1b[2m", "").replace("\x1b[0m", "")
    assert shown.split() == unbroken


def test_no_such_profile(cli: Any) -> None:
    answer = cli("tools", "--profile", "nosuch")
    assert (answer.code, answer.err) == (2, "react-agent: there is no profile 'nosuch'\n")
