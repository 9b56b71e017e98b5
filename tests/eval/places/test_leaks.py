"""No command of a run reaches what came after the base: neither its name, nor what it holds."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from react_agent.eval.environment import fresh, ground_for
from react_agent.eval.station import Ground
from react_agent.eval.task import Conditions
from react_agent.tools.context import Context
from react_agent.tools.git.repository import cut
from react_agent.tools.shell import shell

pytestmark = [pytest.mark.slow, pytest.mark.needs("bwrap", "bubblewrap")]
SECRET = "the_words_of_the_fix"
ROWS = Path(__file__).with_name("ways.txt").read_text(encoding="utf-8")
_MARKED = re.findall(r"(?m)^([* ]) (.+?): (.+)$", ROWS)
WAYS = {name: line for _, name, line in _MARKED}
FINDS = frozenset(name for mark, name, _ in _MARKED if mark == "*")


@dataclass(frozen=True, slots=True)
class Looker:
    context: Context
    words: Mapping[str, str]

    def says(self, way: str) -> bytes:
        command = shell.words(WAYS[way].format_map(self.words))
        done = shell.run_sandboxed(command, self.context, timeout_s=60, keep_bytes=50_000_000)
        assert not done.timed_out
        assert not done.printed.left_out
        return done.output

    def finds(self, way: str) -> bool:
        """What it holds; or its name, where that was not given."""
        said, fix = self.says(way), self.words["fix"]
        is_named = "{fix}" not in WAYS[way] and fix.encode() in said
        return SECRET.encode() in said or is_named


def _words(world: Any, mirror: str) -> dict[str, str]:
    return {
        "fix": world.fix,
        "short": world.fix[:8],
        "blob": world.git("rev-parse", f"{world.fix}:shop/price.py"),
        "tree": world.git("rev-parse", f"{world.fix}^{{tree}}"),
        "secret": SECRET,
        "cut": str(world.root / "cuts" / f"{world.base}.git"),
        "repository": str(world.repository),
        "mirror": mirror,
        "root": str(world.root),
    }


@pytest.fixture
def world(world: Any) -> Any:
    """With so long a history that the cuts of the base and of the fix share what was before."""
    fix = world.fix
    world.git("reset", "--quiet", "--hard", world.base)
    for number in range(40):
        world.git("commit", "--quiet", "--allow-empty", "-m", str(number))
    world.base = world.git("rev-parse", "HEAD")
    world.git("cherry-pick", fix)
    world.fix = world.git("rev-parse", "HEAD")
    world.git("tag", "--force", "v2")
    world.git("branch", "--force", "release")
    return world


def _beside(world: Any, ground: Ground) -> None:
    """What another run has found; and the cut of one whose base is the fix."""
    places = [
        cut(ground.base.repository, commit, world.root / "cuts")
        for commit in (world.fix, world.base)
    ]
    packs = [{pack.stat().st_ino for pack in place.glob("objects/pack/*.pack")} for place in places]
    assert len(packs[0] & packs[1]) == 1
    other = world.root / "scratch" / "another" / "run"
    other.mkdir(parents=True)
    (other / "transcript.txt").write_text(f"of another run: {SECRET}")


@pytest.fixture(params=["bubblewrap", "landlock"])
def locked(world: Any, request: pytest.FixtureRequest) -> Iterator[Looker]:
    """In a workspace whose repository is a mirror of one that has the fix."""
    confining, station = Conditions(sandbox=request.param), world.station
    task = world.task("replay/none", confining, repo=world.repository.as_uri())
    ground = ground_for(task, station)
    assert isinstance(ground, Ground)
    _beside(world, ground)
    with fresh(ground, confining, station) as given:
        yield Looker(given.context, _words(world, str(ground.base.repository)))


@pytest.mark.attack(
    *(f"a look at what came later: {way}" for way in WAYS), by="command", wall="history"
)
def test_no_way_leads_to_the_fix(locked: Looker) -> None:
    """One after the other in the same place: what one way prepares, the next may use."""
    assert [way for way in WAYS if locked.finds(way)] == []


def test_they_lead_there_where_nothing_is_done_about_it(world: Any) -> None:
    """In a clone that was only reset to the base, and is not confined."""
    station, task = world.station, world.task("replay/none", repo=world.repository.as_uri())
    ground = ground_for(task, station)
    assert isinstance(ground, Ground)
    _beside(world, ground)
    clone = world.folder / "clone"
    world.git("clone", "--quiet", str(world.repository), str(clone))
    world.git("reset", "--quiet", "--hard", world.base, folder=clone)
    with fresh(ground, task.conditions, station) as given:
        context = replace(given.context, root=clone)
        looker = Looker(context, _words(world, str(ground.base.repository)))
        assert {way for way in sorted(FINDS) if looker.finds(way)} == FINDS
