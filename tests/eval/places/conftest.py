"""A repository with an issue and its fix, and tasks whose model is a recorded one."""

import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from by_hand import program
from machine_runs import make_model
from made_repository import Repository

from react_agent.eval.station import Station, station_at
from react_agent.eval.task import Arm, Conditions, Instance, Key, Task

SECRET = "the_words_of_the_fix"
FILES = {
    "shop/__init__.py": "",
    "shop/price.py": "def total(prices):\n    return sum(prices[1:])\n",
    "tests/test_price.py": (
        "import unittest\n\nfrom shop.price import total\n\n\n"
        "class TestPrice(unittest.TestCase):\n"
        "    def test_nothing(self):\n        self.assertEqual(total([]), 0)\n"
    ),
    "tests/__init__.py": "",
    "setup.cfg": "[metadata]\nname = shop\n",
    ".react-agent.cfg": "[react_agent]\ntest = python3 -m unittest -q\n",
}


UV = """\
#!/bin/sh
test "$1" = venv || exit 1
for place; do :; done
case "$*" in *" 9.9 "*) echo "No interpreter found" >&2; exit 2 ;; esac
exec python3 -m venv --without-pip "$place"
"""


@dataclass
class World:
    folder: Path
    repository: Path
    base: str
    fix: str

    @property
    def root(self) -> Path:
        return self.folder / "root"

    @property
    def station(self) -> Station:
        return station_at(self.root)

    def git(self, *words: str, folder: Path | None = None) -> str:
        return Repository(folder or self.repository).git(*words).strip()

    def model(self, *actions: tuple[str, str], name: str = "recorded.txt") -> str:
        """One that does this and concludes."""
        make_model(self.folder / name, actions)
        return f"replay/{self.folder / name}"

    def edit(self, old: str, new: str) -> tuple[str, str]:
        """The action that puts one text in the place of another in shop/price.py."""
        block = f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE"
        return "replace", f"shop/price.py\n{block}"

    def task(self, model: str, conditions: Conditions | None = None, **fields: Any) -> Task:
        row = Instance("shop-1", str(self.repository), self.base, "The total is wrong")
        conditions = conditions or Conditions(sandbox="none")
        key = Key(fields.get("id", row.id), "plain", 1)
        return Task(key, replace(row, **fields), Arm(model, profile="issue"), conditions)


@pytest.fixture(scope="session")
def first_world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """The fix is the tip of main, has a tag and a branch, and the base is the commit before."""
    folder = tmp_path_factory.mktemp("first")
    shop = Repository(folder / "shop")
    shop.make()
    base = shop.save(FILES, "Add up prices")
    fixed = f"def total(prices):\n    return sum(prices)  # {SECRET}\n"
    fix = shop.save({"shop/price.py": fixed}, f"Count the first price, {SECRET}")
    shop.git("tag", "v2")
    shop.git("branch", "release")
    return World(folder, shop.root, base, fix)


@pytest.fixture
def world(first_world: World, tmp_path: Path) -> World:
    repository = shutil.copytree(first_world.repository, tmp_path / "shop")
    return replace(first_world, folder=tmp_path, repository=repository)


@pytest.fixture
def without_uv(monkeypatch: pytest.MonkeyPatch) -> None:
    left = (one for one in os.environ["PATH"].split(os.pathsep) if not Path(one, "uv").exists())
    monkeypatch.setenv("PATH", os.pathsep.join(left))


@pytest.fixture
def uv(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, without_uv: None) -> None:
    """What makes environments as uv does, as far as we ask it to."""
    folder = tmp_path / "uv" / "bin"
    program(folder / "uv", UV)
    monkeypatch.setenv("PATH", os.pathsep.join((str(folder), os.environ["PATH"])))
