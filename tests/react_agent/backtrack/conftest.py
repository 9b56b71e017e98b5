"""Plays scripts on the repository of back_world.py, with real tools."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from back_world import FILES, Played, Plays
from by_hand import plain_git, save

from react_agent.loop.agent import run
from react_agent.runs.run_setup import begin
from react_agent.testing import Reply
from react_agent.tools.git.repository import cut, find_base


@pytest.fixture(scope="session")
def _world(tmp_path_factory: pytest.TempPathFactory, _git_settings: Path) -> Path:
    """Its repository, and beside it what the first run would fetch from it."""
    place = tmp_path_factory.mktemp("world") / "world"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_GLOBAL", str(_git_settings))
        plain_git(place.parent, "init", "-q", str(place))
        save(place, FILES)
    cut(place, find_base(place).commit, place.with_name("cuts"))
    return place


@pytest.fixture
def world(desk: Any, _world: Path) -> Any:
    place = desk.folder / "world"
    shutil.copytree(_world, place)
    shutil.copytree(_world.with_name("cuts"), desk.folder / "cuts", dirs_exist_ok=True)
    desk.git("update-index", "--refresh", folder=place)  # a copy has other inodes
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
        return Played(
            opened.transcript.state,
            stop,
            text,
            opened.folder.path,
            getattr(opened.agent.model, "seen", []),
            opened.workspace.root,
        )

    return play
