"""Plays scripts on the repository of back_world.py, with real tools."""

import subprocess
from dataclasses import replace
from typing import Any

import pytest
from back_world import FILES, Played, Plays

from react_agent.agent import run
from react_agent.run_setup import begin
from react_agent.testing import Reply


@pytest.fixture
def world(desk: Any) -> Any:
    place = desk.folder / "world"
    for name, text in FILES.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "All")):
        subprocess.run(["git", *words], cwd=place, check=True, capture_output=True)
    return place


@pytest.fixture
def plays(desk: Any, world: Any) -> Plays:
    def play(
        *replies: Reply, objective: str = "Mend it.", profile: str = "", gate: str = "off"
    ) -> Played:
        around = desk.around(*replies)
        if profile:
            mine = f"[profile]\nname = mine\nbased on = issue\ngate = {gate}\n"
            desk.profiles.mkdir(exist_ok=True)
            desk.profiles.joinpath("mine.cfg").write_text(mine + profile)
        request = desk.request(repository=world, keep=True, profile="mine" if profile else "")
        request = replace(request, issue=replace(request.issue, text=f"# A title\n\n{objective}"))
        opened = begin(request, around)
        stop = run(opened.agent)
        opened.close()
        opened.transcript.close()
        text = opened.transcript.path.read_text(encoding="utf-8")
        model = opened.agent.model
        return Played(
            opened.transcript.state,
            stop,
            text,
            opened.folder.path,
            getattr(model, "seen", []),
            opened.workspace.root,
        )

    return play
