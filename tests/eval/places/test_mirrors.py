"""Which repository a row means, and what is fetched for it."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from react_agent.errors import ReactAgentError, UsageError
from react_agent.eval.environment import Mirrors


@pytest.mark.parametrize(
    ("there", "named"),
    [
        pytest.param("ann/shop", "ann/shop", id="OWNER/NAME"),
        pytest.param("ann/shop.git", "ann/shop", id="OWNER/NAME.git"),
        pytest.param("ann__shop", "ann/shop", id="OWNER__NAME"),
        pytest.param("ann__shop.git", "ann/shop", id="OWNER__NAME.git"),
        pytest.param("shop", "ann/shop", id="NAME for OWNER/NAME"),
        pytest.param("shop.git", "shop", id="NAME.git"),
    ],
)
def test_a_folder_of_mirrors(world: Any, there: str, named: str) -> None:
    given = world.folder / "given"
    world.git("clone", "--quiet", "--mirror", ".", str(given / there))
    found = Mirrors(world.root, given).repository(named, [world.base])
    assert found == given / there


def test_a_path(world: Any) -> None:
    named = str(world.repository / "shop")
    assert Mirrors(world.root).repository(named, [world.base]) == world.repository


def test_a_mirror_is_made_once_and_fetched_into_for_what_it_lacks(world: Any) -> None:
    mirrors, url = Mirrors(world.root / "mirrors"), world.repository.as_uri()
    place = mirrors.repository(url, [world.base])
    assert place.name == "shop"
    moved = world.folder / "moved"
    world.repository.rename(moved)
    assert mirrors.repository(url, [world.base, world.fix]) == place  # nobody is asked
    with pytest.raises(ReactAgentError, match="there is no repository"):
        mirrors.repository(url, ["1" * 40])
    moved.rename(world.repository)
    world.git("commit", "--quiet", "--allow-empty", "-m", "later")
    later = world.git("rev-parse", "HEAD")
    (place / "refs" / "heads" / "main.lock").touch()  # of a fetch that was killed
    assert mirrors.repository(url, [later]) == place
    assert world.git("cat-file", "-t", later, folder=place) == "commit"


def test_a_commit_that_no_branch_leads_to_is_asked_for_by_its_id(world: Any) -> None:
    loose = world.git("commit-tree", "HEAD^{tree}", "-m", "loose")
    world.git("config", "uploadpack.allowAnySHA1InWant", "true")
    place = Mirrors(world.root).repository(world.repository.as_uri(), [loose])
    assert world.git("cat-file", "-t", loose, folder=place) == "commit"


@pytest.mark.parametrize(
    ("named", "told"),
    [
        pytest.param("../shop", "there is no repository ../shop: ", id="a relative path"),
        pytest.param("http://host/shop", "there is no repository http://host/shop: ", id="http"),
        pytest.param("ext::sh -c true", "there is no repository ext::sh -c true: ", id="a helper"),
        pytest.param("--upload-pack=x", "there is no repository --upload-pack=x", id="an option"),
        pytest.param("a\x1b[2J/b c", "there is no repository a<U+001B>[2J/b c: ", id="a control"),
        pytest.param("..", "there is no repository ..: ", id="upwards"),
        pytest.param("shop", "there is no repository shop without a folder", id="a mere name"),
    ],
)
def test_what_names_none(tmp_path: Path, named: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        Mirrors(tmp_path).repository(named, ["HEAD"])
    assert str(caught.value).startswith(told)
    assert list(tmp_path.iterdir()) == []


def test_a_name_is_looked_for_in_the_folder_alone(world: Any) -> None:
    given = world.folder / "given"
    given.mkdir()
    with pytest.raises(UsageError) as caught:
        Mirrors(world.root, given).repository("ann/shop", [world.base])
    assert str(caught.value) == f"there is no repository ann/shop in {given}"
    shutil.copytree(world.repository, given / "x" / "shop")
    with pytest.raises(UsageError):
        Mirrors(world.root, given).repository("x/../x/shop", [world.base])
