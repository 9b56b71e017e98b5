"""No command of a run reaches what came after the base: neither its name, nor what it holds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
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
INFLATE = (
    'import sys, zlib; [print(zlib.decompress(open(n.strip(), "rb").read())) for n in sys.stdin]'
)
WAYS = {
    "log of all": "git log --all --reflog -p",
    "its name": "git rev-parse --verify {fix}^{{commit}}; git show {fix}",
    "its short name": "git show {short}",
    "its tag": "git show v2; git tag -l -n9",
    "its branches": "git branch -a; git show main release origin/main; git for-each-ref",
    "reflog": "git reflog --all; cat .git/logs/HEAD; cat .git/logs/refs/heads/*",
    "heads": "cat .git/ORIG_HEAD .git/FETCH_HEAD .git/packed-refs; cat .git/refs/*/*",
    "stash": "git stash list; git stash show -p",
    "all objects": "git cat-file --batch --batch-all-objects",
    "its blob": "git cat-file blob {blob}; git cat-file -p {fix}:shop/price.py",
    "its tree": "git ls-tree -r {tree}; git diff HEAD {tree}; git archive {tree}",
    "what is lost": "git fsck --full --unreachable --lost-found; cat .git/lost-found/*/*",
    "pickaxe": "git log --all -S{secret} --format=%H%n%B; git grep {secret} $(git rev-list --all)",
    "packs": "for p in $(find / -name '*.pack' -size -999k 2>/dev/null); do "
    "git unpack-objects < $p; strings -a $p; done; git cat-file --batch --batch-all-objects",
    "loose objects": f"find / -path '*/objects/??/*' -type f 2>/dev/null | python3 -c '{INFLATE}'",
    "alternates": 'cd "$(cat .git/objects/info/alternates)" && ls -R . .. ../.. ../../..; '
    "cat ../packed-refs ../refs/*/* ../HEAD ../config; git --git-dir .. log --all -p",
    "the cut": "git --git-dir {cut} log --all -p; ls -R {cut}/..; git -C {cut} show {fix}",
    "the cut of the fix": "git --git-dir {cut}/../{fix}.git log --all -p; "
    "GIT_ALTERNATE_OBJECT_DIRECTORIES={cut}/../{fix}.git/objects git show {fix}",
    "their repository": "git -C {repository} show {fix}; cat {repository}/shop/price.py",
    "our mirror": "ls -R {root}; cat {root}/mirrors/*/*/packed-refs; git -C {mirror} show {fix}",
    "other work": "ls -Ra {root}/scratch; cat {root}/scratch/*/*/transcript.txt",
    "fetch by path": "git fetch {repository} main; git fetch {mirror} {fix}; git show FETCH_HEAD",
    "fetch by URL": "git fetch file://{repository} '+refs/*:refs/x/*'; git log --all -p",
    "clone": "git clone -q {repository} /tmp/c; git clone -q {mirror} /tmp/m; cat /tmp/?/shop/*",
    "borrowing": "echo {repository}/.git/objects >> .git/objects/info/alternates; "
    "echo {mirror}/objects >> .git/objects/info/alternates; git show {fix}",
    "borrowing by a variable": "GIT_ALTERNATE_OBJECT_DIRECTORIES={mirror}/objects git show {fix}",
    "remotes": "git remote -v; git config --list --show-origin; git ls-remote {mirror}",
    "a promise": "git config remote.o.promisor true; git config remote.o.url {mirror}; "
    "git config extensions.partialClone o; git show {fix}",
    "a bundle": "git bundle create /tmp/b --all; git bundle list-heads /tmp/b; strings -a /tmp/b",
    "processes": "cat /proc/*/environ /proc/*/cmdline; ls -l /proc/*/cwd /proc/*/fd; "
    "cat /proc/*/cwd/shop/price.py; cat /proc/*/root/{repository}/shop/price.py",
    "mounts": "cat /proc/self/mountinfo; cat /proc/mounts",
    "new files": "find / -path /proc -prune -o -path /sys -prune -o -type f -mmin -60 -size -999k "
    "-exec grep -as {secret} {{}} + 2>/dev/null",
    "caches": "find / -name '*.pyc' -path '*shop*' 2>/dev/null -exec strings -a {{}} +; "
    "cat ~/.bash_history ~/.gitconfig /root/.bash_history; ls -Ra ~ /tmp",
    "the index": "git ls-files --stage --debug; git rev-parse :/Count; git show :/Count",
    "worktrees": "git worktree list; git worktree add /tmp/w {fix}; cat /tmp/w/shop/price.py",
    "notes and replacements": "git notes list; git replace -l; cat .git/shallow .git/info/grafts",
    "commit graph": "git commit-graph verify; git multi-pack-index verify; strings -a "
    "$(find / -name 'multi-pack-index' -o -name '*commit-graph*' 2>/dev/null) < /dev/null",
}


# Where nothing is done about it, these find it; the others look at all of a machine.
FINDS = frozenset(
    (
        *("log of all", "its name", "its short name", "its tag", "its branches", "reflog"),
        *("all objects", "its blob", "pickaxe", "their repository", "other work"),
        "the cut of the fix",
        *("fetch by path", "fetch by URL", "clone", "a bundle"),
    )
)


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
