"""Which repository a row means, and what is fetched for it."""

from pathlib import Path
from typing import Any

import pytest
from check_rows import table_of
from refusals import refusal

from react_agent.errors import ReactAgentError, UsageError
from react_agent.eval.environment import Mirrors


@pytest.mark.parametrize(
    ("there", "named"),
    [
        pytest.param("ann/shop.git", "ann/shop", id="OWNER/NAME.git"),
        pytest.param("ann__shop", "ann/shop", id="OWNER__NAME"),
        pytest.param("shop", "ann/shop", id="NAME for OWNER/NAME"),
    ],
)
def test_a_folder_of_mirrors(world: Any, there: str, named: str) -> None:
    given = world.folder / "given"
    mirrors = Mirrors(world.root, given)
    with pytest.raises(UsageError, match=rf"\Athere is no repository {named} in {given}\Z"):
        mirrors.repository(named, [world.base])
    world.git("clone", "--quiet", "--mirror", ".", str(given / there))
    assert mirrors.repository(named, [world.base]) == given / there
    with pytest.raises(UsageError):  # it leads out of the folder
        mirrors.repository(f"ann/../{there}", [world.base])


def test_a_mirror_is_made_once_and_fetched_into_for_what_it_lacks(world: Any) -> None:
    mirrors, url = Mirrors(world.root / "mirrors"), world.repository.as_uri()
    place = mirrors.repository(url, [world.base])
    assert place.name == "shop"
    moved = world.folder / "moved"
    world.repository.rename(moved)
    assert mirrors.repository(url, [world.base, world.fix]) == place  # nobody is asked
    with pytest.raises(ReactAgentError, match=r"the repository .* does not exist"):
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


@table_of(
    ("named", "told"),
    {
        "a relative path": ("../shop", "../shop: "),
        "http": ("http://host/shop", "http://host/shop: "),
        "a helper": ("ext::sh -c true", "ext::sh -c true: "),
        "an option": ("--upload-pack=x", "--upload-pack=x"),
        "a control": ("a\x1b[2J/b c", "a<U+001B>[2J/b c: "),
        "a mere name": ("shop", "shop without a folder"),
    },
)
def test_what_names_none(tmp_path: Path, named: str, told: str) -> None:
    line = refusal(UsageError, Mirrors(tmp_path).repository, named, ["HEAD"])
    assert line.startswith(f"there is no repository {told}")
    assert list(tmp_path.iterdir()) == []
