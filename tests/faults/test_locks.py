"""What others do to a run, its files and its repository while it goes on."""

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from kills_lives import copied, lives
from kills_world import Ended, World, ended
from refusals import refusal

from react_agent.errors import ReactAgentError, TranscriptError
from react_agent.runs.solve import Fork, Otherwise, begin_fork
from react_agent.state import transcript as transcripts
from react_agent.tools.git.change import commit, propose
from react_agent.tools.git.door import Git
from react_agent.tools.git.repository import Base, find_base
from react_agent.tools.git.workspace import Workspace, make, publish

MANY = 6


@pytest.fixture
def world(template: Path, tmp_path: Path) -> World:
    return copied(template, tmp_path / "world")


def refused(world: World, what: Callable[[], object]) -> None:
    with pytest.raises(TranscriptError, match="another process is working on the run"):
        what()


def fork(world: World) -> None:
    begin_fork(Fork(world.folder, 3), replace(world.around(), listeners=()), Otherwise())


def take_the_name(world: World) -> None:
    state = transcripts.read(world.folder.transcript).entries
    branch = next(one.text for one in state if getattr(one, "name", "") == "branch")
    Git(world.repository).run("branch", branch)


def lose_the_base(world: World) -> None:
    git = Git(world.repository)
    for words in (
        ("checkout", "-q", "--orphan", "other"),
        ("commit", "-qm", "Begin anew"),
        ("branch", "-D", "main"),
        ("reflog", "expire", "--expire=now", "--all"),
        ("gc", "-q", "--prune=now"),
    ):
        git.run(*words)


def go_on_with_it(world: World) -> None:
    git = Git(world.repository)
    world.repository.joinpath("README.md").write_text("# other\n")
    for words in (("commit", "-qam", "Other"), ("tag", "x"), ("reset", "-q", "--hard", "HEAD")):
        git.run(*words)


WHILE = {
    "the same run is resumed": lambda world: refused(world, world.resume),
    "the run is forked": lambda world: refused(world, lambda: fork(world)),
    "its workspace is removed": lambda world: shutil.rmtree(world.folder.workspace),
    "another branch gets the name of its branch": take_the_name,
    "the repository loses its base commit": lose_the_base,
    "the repository goes on": go_on_with_it,
}


@pytest.mark.fault("while a run goes on, {id}", after="it ends the same")
@pytest.mark.slow
@pytest.mark.parametrize("what", WHILE.values(), ids=WHILE)
def test_a_run_ends_the_same(
    world: World, undisturbed: Ended, what: Callable[[World], object]
) -> None:
    done = list[bool]()

    def once() -> None:
        what(world)
        done.append(True)

    replace(world, meanwhile=once).solve()
    assert done == [True]
    found = ended(world)
    assert undisturbed.trees[0] in found.trees
    assert replace(found, trees=undisturbed.trees) == undisturbed


@pytest.mark.fault(
    "the repository is gone when a run ends", after="one line; when it is back, resume ends it"
)
@pytest.mark.slow
def test_a_repository_that_is_gone_can_come_back(world: World, undisturbed: Ended) -> None:
    away = world.place / "away"
    without = replace(world, meanwhile=lambda: world.repository.rename(away))
    assert "\n" not in refusal(ReactAgentError, without.solve)
    with pytest.raises(ReactAgentError, match=f"there is no folder {world.repository}"):
        world.resume()
    away.rename(world.repository)
    world.resume()
    assert ended(world) == undisturbed


@pytest.mark.fault("two agents work in one repository at once", after="each makes its own branch")
@pytest.mark.slow
def test_two_agents_in_one_repository(
    world: World, template: Path, tmp_path: Path, undisturbed: Ended
) -> None:
    beside = copied(template, tmp_path / "beside")
    shutil.rmtree(beside.repository)
    beside.repository.symlink_to(world.repository)
    with lives() as one, lives() as other, ThreadPoolExecutor(2) as pool:
        codes = pool.map(lambda live, world: live(world), (one, other), (world, beside))
        assert list(codes) == [0, 0]
    assert world.trees() == [*undisturbed.trees] * 2


@pytest.mark.fault("several runs make a branch of one name at once", after="each gets a number")
def test_a_branch_of_one_name_is_made_once(world: World) -> None:
    made = list(_proposed(world, find_base(world.repository)))
    with ThreadPoolExecutor(MANY) as pool:
        names = list(pool.map(publish, *zip(*made, strict=True)))
    assert sorted(names) == ["x/y", *(f"x/y-{number}" for number in range(2, MANY + 1))]


def _proposed(world: World, base: Base) -> Iterator[tuple[Workspace, str]]:
    for number in range(MANY):
        root = world.place / f"{number}" / "workspace"
        made = make(base, root=root, branch="x/y", cuts=world.place / "cuts")
        made.root.joinpath("README.md").write_text(f"# {number}\n")
        committed = commit(made, "Count", propose(made, ()).tree)
        assert committed
        yield made, committed
