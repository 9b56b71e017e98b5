from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from by_hand import plain_git, save
from refusals import refusal

from react_agent.tools.disk import remove_tree
from react_agent.tools.errors import MachineError, WorkspaceError
from react_agent.tools.git.change import commit, propose
from react_agent.tools.git.door import Git, GitError
from react_agent.tools.git.repository import base_of, cut, file_at, find_base
from react_agent.tools.git.workspace import make, publish


def _objects(repository: Path) -> set[str]:
    listed = plain_git(repository, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
    return set(listed.split())


def _reachable(repository: Path, commit: str) -> set[str]:
    listed = plain_git(repository, "rev-list", "--objects", "--no-object-names", commit)
    return set(listed.split())


def test_it_holds_the_history_of_the_base_and_nothing_else(tmp_path: Path, project: Path) -> None:
    base = plain_git(project, "rev-parse", "HEAD~1")
    plain_git(project, "tag", "v1", base)
    fix = save(project, {"src/one.py": "one = 'the fix'\n"})
    place = cut(project, base, tmp_path / "cuts")
    assert plain_git(place, "for-each-ref", "--format=%(objectname) %(refname)") == (
        f"{base} refs/heads/base"
    )
    assert fix not in _objects(place)
    assert _objects(place) == _reachable(project, base)


def test_it_is_made_once_of_a_repository_that_hides_its_refs(tmp_path: Path, project: Path) -> None:
    plain_git(project, "config", "transfer.hideRefs", "refs")
    plain_git(project, "config", "uploadpack.allowAnySHA1InWant", "false")
    base = plain_git(project, "rev-parse", "HEAD")
    with ThreadPoolExecutor(4) as pool:
        places = set(pool.map(lambda _: cut(project, base, tmp_path / "cuts"), range(4)))
    before = [(place, place.stat().st_ino) for place in places]
    assert cut(project, base, tmp_path / "cuts") in places
    assert [(place, place.stat().st_ino) for place in (tmp_path / "cuts").iterdir()] == before
    assert _objects(*places) == _reachable(project, base)


def test_of_a_shallow_clone_it_is_as_shallow(tmp_path: Path, project: Path) -> None:
    base = plain_git(project, "rev-parse", "HEAD")
    plain_git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{project}", "shallow")
    shallow = cut(tmp_path / "shallow", base, tmp_path / "cuts")
    whole = cut(project, base, tmp_path / "cuts")
    assert plain_git(shallow, "rev-list", "--count", base) == "1"
    assert plain_git(whole, "rev-list", "--count", base) == "2"


def test_a_partial_clone_is_refused(tmp_path: Path, project: Path) -> None:
    plain_git(project, "config", "uploadpack.allowFilter", "true")
    clone = ("clone", "--quiet", "--no-checkout", "--filter=blob:none", f"file://{project}")
    plain_git(tmp_path, *clone, "partial")
    base = plain_git(project, "rev-parse", "HEAD")
    assert refusal(WorkspaceError, cut, tmp_path / "partial", base, tmp_path / "cuts") == (
        f"{tmp_path}/partial is a partial clone; complete it: git fetch --refetch --no-filter"
    )
    assert list((tmp_path / "cuts").iterdir()) == []


def test_a_failure_leaves_nothing(tmp_path: Path, project: Path) -> None:
    with pytest.raises(GitError, match=r"\Agit fetch: "):
        cut(project, "1" * 40, tmp_path / "cuts")
    assert list((tmp_path / "cuts").iterdir()) == []
    (tmp_path / "file").write_text("text")
    with pytest.raises(MachineError) as caught:
        cut(project, find_base(project).commit, tmp_path / "file" / "cuts")
    assert str(caught.value) == f"{tmp_path}/file/cuts can't be written: Not a directory"


def test_a_base_that_its_repository_lost_is_in_its_cut(tmp_path: Path, project: Path) -> None:
    cuts = tmp_path / "cuts"
    before = find_base(project)
    place = cut(project, before.commit, cuts)
    assert base_of(project / "src", before.commit, cuts) == before
    plain_git(project, "commit", "--quiet", "--amend", "-m", "Otherwise")
    plain_git(project, "reflog", "expire", "--expire=now", "--all")
    plain_git(project, "gc", "--quiet", "--prune=now")
    base = base_of(project / "src", before.commit, cuts)
    assert base == replace(before, held_by=place)
    assert file_at(base, "README") == "read me\n"

    made = make(base, root=tmp_path / "w", branch="agent/it", cuts=cuts)
    (made.root / "README").write_text("changed\n")
    committed = commit(made, "Change it", propose(made, ()).tree)
    assert committed
    assert publish(made, committed) == "agent/it"
    assert plain_git(project, "rev-parse", "agent/it", "agent/it~1").split() == [
        committed,
        before.commit,
    ]
    assert plain_git(project, "fsck", "--strict", "--no-dangling") == ""


@pytest.mark.parametrize("rev", ["1" * 40, "../cuts/x", "HEAD~9"])
def test_a_base_that_nobody_has(tmp_path: Path, project: Path, rev: str) -> None:
    (tmp_path / "cuts" / "x.git").mkdir(parents=True)
    told = refusal(WorkspaceError, base_of, project, rev, tmp_path / "cuts")
    assert told == f"{project} has no commit called {rev!r}"


def _long(folder: Path, name: str, count: int, after: str | None = None) -> str:
    """A line of so many commits, each of which changes one file; the last one."""
    ref = f"refs/heads/{name}"
    text = f"reset {ref}\n{f'from {after}' if after else ''}\n"
    for number in range(count):
        content = f"{name} = {number}\n"
        text += (
            f"commit {ref}\ncommitter A <a@example.com> {10**9 + number} +0000\ndata 1\nx\n"
            f"M 100644 inline src/{number % 7}.py\ndata {len(content)}\n{content}\n"
        )
    Git(folder).run("fast-import", "--quiet", stdin=text.encode())
    return Git(folder).line("rev-parse", ref)


def _packs(place: Path) -> dict[str, int]:
    return {pack.name: pack.stat().st_ino for pack in (place / "objects" / "pack").glob("*.pack")}


def test_cuts_of_a_long_history_share_what_is_before_both(tmp_path: Path, project: Path) -> None:
    tip, cuts = _long(project, "long", 75), tmp_path / "cuts"
    bases = [plain_git(project, "rev-parse", f"{tip}~{back}") for back in (0, 4)]
    places = [cut(project, base, cuts) for base in bases]
    for place, base in zip(places, bases, strict=True):
        assert _objects(place) == _reachable(project, base)
        assert plain_git(place, "for-each-ref", "--format=%(objectname)") == base
    one, other = map(_packs, places)
    assert len(one.items() & other.items()) == 1
    assert len(one) == len(other) == 2
    for place in cuts.iterdir():
        if place != places[0]:
            remove_tree(place)
    plain_git(places[0], "fsck", "--full", "--strict")


def test_nothing_is_shared_with_what_only_seems_to_be_an_ancestor(
    tmp_path: Path, project: Path
) -> None:
    """A repository may replace the parents of a commit, for those that ask it for its history."""
    base, other = _long(project, "one", 40), _long(project, "other", 40)
    plain_git(project, "replace", "--graft", base, other)
    place = cut(project, base, tmp_path / "cuts")
    git = Git(project).having(GIT_NO_REPLACE_OBJECTS="1")
    listed = git.line("rev-list", "--objects", "--no-object-names", base)
    assert _objects(place) == set(listed.split())
