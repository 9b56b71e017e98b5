"""git's objects in this process: what git itself says of them is right."""

import os
import random
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from by_hand import files_of_at_most, write

from react_agent.tools.errors import MachineError
from react_agent.tools.git.door import Git
from react_agent.tools.git.objects import (
    FILE,
    FOLDER,
    LINK,
    PROGRAM,
    SUBMODULE,
    Difference,
    Entry,
    ObjectError,
    ObjectStore,
    is_known,
    objects_in,
)

ANNA, WHEN = ("Anna <A>\n", "anna@example.org"), 1_700_000_000
NAMES = (b"a", b"a.b", b"a-b", b"a0", b"b", b"lib", b"lib.py", b"\xff", b"new\nline", b"z z")


@pytest.fixture
def git(tmp_path: Path) -> Git:
    git = Git(tmp_path / "repository.git")
    git.folder.mkdir()
    git.run("init", "--quiet", "--bare")
    return git


@pytest.fixture
def objects(git: Git) -> ObjectStore:
    return ObjectStore(git.folder / "objects")


def _listed(git: Git, tree: str) -> dict[str, Entry]:
    rows = git.run("ls-tree", "-r", "-z", "--full-tree", tree).split(b"\0")[:-1]
    parts = ((row.split()[0], row.split()[2], row.partition(b"\t")[2]) for row in rows)
    return {os.fsdecode(path): Entry(mode, id.decode()) for mode, id, path in parts}


def _differing(git: Git, before: str, after: str) -> list[Difference]:
    fields = git.run("diff-tree", "-r", "-z", "--no-renames", before, after).split(b"\0")[:-1]
    rows = (row.removeprefix(b":").split(b" ") for row in fields[::2])
    return [
        Difference(os.fsdecode(path), _entry(old_mode, old), _entry(mode, new))
        for path, (old_mode, mode, old, new, _) in zip(fields[1::2], rows, strict=True)
    ]


def _entry(mode: bytes, id: bytes) -> Entry | None:
    return Entry(mode, id.decode()) if id.strip(b"0") else None


def _some_files(objects: ObjectStore, chance: random.Random) -> dict[bytes, Entry | None]:
    paths = (b"/".join(chance.choices(NAMES, k=chance.randrange(1, 5))) for _ in range(30))
    found = dict[bytes, Entry | None]()
    for path in paths:
        above = {path[:at] for at in range(len(path)) if path[at : at + 1] == b"/"}
        if not above & {*found} and not any(other.startswith(path + b"/") for other in found):
            blob = objects.store("blob", b"%d\n" % chance.randrange(9))
            found[path] = Entry(chance.choice((FILE, FILE, PROGRAM, LINK)), blob)
    return found


@pytest.mark.parametrize("seed", range(3))
def test_trees_are_what_git_makes_of_the_same_files(
    git: Git, objects: ObjectStore, seed: int
) -> None:
    chance, tree, expected = random.Random(seed), None, dict[str, Entry]()
    before = git.run("mktree").decode().strip()
    git = git.having(GIT_INDEX_FILE=str(git.folder / "index"))
    for _ in range(4):
        edits = {os.fsencode(path): None for path in expected if chance.random() < 0.4}
        edits |= _some_files(objects, chance)
        tree = objects.edited(tree, edits)
        lines = (
            b"0 %s\t%s\0" % (b"0" * 40, path)
            if entry is None
            else b"%s %s\t%s\0" % (entry.mode, entry.id.encode(), path)
            for path, entry in sorted(edits.items(), key=lambda item: item[1] is not None)
        )
        git.run("update-index", "-z", "--index-info", stdin=b"".join(lines))
        assert tree == git.line("write-tree")
        assert list(objects.differences(before, tree)) == _differing(git, before, tree)
        before, expected = tree, dict(objects.files(tree))
        assert expected == _listed(git, tree)
        for path, entry in expected.items():
            assert objects.find(tree, path) == entry
    git.run("fsck", "--strict", "--full")


def test_a_tree_that_git_packed_is_read(git: Git, objects: ObjectStore) -> None:
    text = b"".join(b"%d lines of it\n" % number for number in range(500))
    texts = [text + b"and %d more\n" % number for number in range(20)]
    blobs = [objects.store("blob", one) for one in texts]
    made = {b"f%d" % number: Entry(FILE, blob) for number, blob in enumerate(blobs)}
    tree = objects.edited(None, made)
    assert tree
    commit = _packed(git, tree)
    assert not list(git.folder.glob("objects/??/*"))
    [pack] = git.folder.glob("objects/pack/*.idx")
    assert b"chain length" in git.run("verify-pack", "-v", str(pack))
    fresh = ObjectStore(git.folder / "objects")
    assert [fresh.read(blob, "blob") for blob in blobs] == texts
    assert next(fresh.files(commit)) == ("f0", made[b"f0"])
    assert objects.read(commit, "commit") == git.run("cat-file", "commit", commit)


def _packed(git: Git, tree: str) -> str:
    """A commit of the tree, with all objects in one pack."""
    commit = git.run("commit-tree", tree, stdin=b"Pack\n").decode().strip()
    git.run("update-ref", "refs/heads/it", commit)
    git.run("repack", "-a", "-d", "-q")
    return commit


def test_a_pack_that_comes_later_is_seen(git: Git, objects: ObjectStore, tmp_path: Path) -> None:
    other = Git(tmp_path / "other")
    other.folder.mkdir()
    other.run("init", "--quiet")
    other.run("commit", "--quiet", "--allow-empty", "-m", "Come later")
    commit = other.line("rev-parse", "HEAD")
    assert not objects.has(commit)
    git.run("fetch", "--quiet", "--keep", str(other.folder), commit)
    assert objects.has(commit)


def test_objects_of_a_lender_are_read_and_not_written_again(git: Git, tmp_path: Path) -> None:
    borrower = tmp_path / "borrower"
    write(borrower, {"info/alternates": f"{git.folder}/objects\n"})
    lent = ObjectStore(git.folder / "objects").store("blob", b"lent\n")
    objects = ObjectStore(borrower)
    assert objects.read(lent, "blob") == b"lent\n"
    assert objects.store("blob", b"lent\n") == lent
    assert [path.name for path in borrower.iterdir()] == ["info"]


def test_a_file_and_a_folder_take_each_others_place(objects: ObjectStore) -> None:
    one, two = Entry(FILE, objects.store("blob", b"1")), Entry(FILE, objects.store("blob", b"2"))
    tree = objects.edited(None, {b"a/b/c": one, b"a/b/d": one})
    assert tree
    as_file = objects.edited(tree, {b"a/b/c": None, b"a/b/d": None, b"a/b": two})
    assert as_file
    assert dict(objects.files(as_file)) == {"a/b": two}
    assert objects.edited(as_file, {b"a/b": None, b"a/b/c": one, b"a/b/d": one}) == tree
    assert objects.edited(tree, {b"a": two, b"a/b/c": None}) == objects.edited(None, {b"a": two})
    assert objects.edited(tree, {b"a/b": None}) == tree  # a folder is no file that can go
    assert objects.edited(tree, {b"a/b/c": None, b"a/b/d": None, b"x": None}) is None


def test_a_commit_is_what_git_makes_of_the_same(git: Git, objects: ObjectStore) -> None:
    tree = git.run("mktree").decode().strip()
    when = f"{WHEN} +0000"
    dated = git.having(
        GIT_AUTHOR_NAME=ANNA[0],
        GIT_AUTHOR_EMAIL=ANNA[1],
        GIT_AUTHOR_DATE=when,
        GIT_COMMITTER_DATE=when,
    )
    first = git.run("commit-tree", tree, stdin=b"Begin\n").decode().strip()
    words = ("commit-tree", tree, "-p", first)
    expected = dated.run(*words, stdin="Say ö\n\nwhy\n".encode()).decode().strip()
    assert objects.commit(tree, first, "Say ö\n\nwhy", ANNA, WHEN) == expected
    git.run("fsck", "--strict", "--full")


def test_a_huge_object_is_refused_before_it_is_inflated(
    git: Git, objects: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    huge = objects.store("blob", bytes(50_000_000))
    seen = list[int]()
    inflate = zlib.decompressobj

    class Counted:
        def __init__(self) -> None:
            self._inner = inflate()

        def decompress(self, data: bytes, most: int = 0) -> bytes:
            found = self._inner.decompress(data, most)
            seen.append(len(found))
            return found

    monkeypatch.setattr("gitdb.fun.decompressobj", Counted)
    monkeypatch.setattr("gitdb.stream.zlib.decompressobj", Counted)
    with pytest.raises(ObjectError, match=r"too large: 50000000 bytes \(limit: 1000\)"):
        objects.read(huge, "blob", most=1000)
    assert 0 < sum(seen) <= 100_000
    assert objects.size(huge, "blob") == 50_000_000


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: data[: len(data) // 2], id="cut short"),
        pytest.param(lambda data: data[:-9] + bytes(9), id="changed"),
        pytest.param(lambda data: zlib.compress(b"blob 5\0other"), id="another"),
        pytest.param(lambda data: zlib.compress(b"blob 5\0" + bytes(1_000_000)), id="lying"),
        pytest.param(lambda data: b"", id="empty"),
        pytest.param(lambda data: zlib.compress(b"blob -1\0"), id="a size below 0"),
        pytest.param(lambda data: zlib.compress(b"nothing at all"), id="no head"),
    ],
)
def test_a_damaged_object_is_refused(
    git: Git, objects: ObjectStore, damage: Callable[[bytes], bytes]
) -> None:
    id = objects.store("blob", random.Random(1).randbytes(5000))
    place = git.folder / "objects" / id[:2] / id[2:]
    data = place.read_bytes()
    place.chmod(0o600)
    place.write_bytes(damage(data))
    with pytest.raises(ObjectError, match=f"the object {id} is "):
        ObjectStore(git.folder / "objects").read(id, "blob")


@pytest.mark.parametrize("seed", range(6))
def test_a_damaged_pack_gives_what_it_held_or_is_refused(git: Git, seed: int) -> None:
    chance, objects = random.Random(seed), ObjectStore(git.folder / "objects")
    texts = [b"line\n" * 300 + b"%d\n" % number for number in range(12)]
    tree = objects.edited(
        None, {b"%d" % n: Entry(FILE, objects.store("blob", one)) for n, one in enumerate(texts)}
    )
    assert tree
    ids = [entry.id for _, entry in objects.files(tree)]
    held = dict(zip(ids, (objects.read(id, "blob") for id in ids), strict=True))
    _packed(git, tree)
    [pack] = git.folder.glob(f"objects/pack/*.{chance.choice(('pack', 'idx'))}")
    data = bytearray(pack.read_bytes())
    if chance.random() < 0.3:
        del data[chance.randrange(len(data)) :]
    else:
        for _ in range(chance.randrange(1, 20)):
            data[chance.randrange(len(data))] = chance.randrange(256)
    pack.chmod(0o600)
    pack.write_bytes(data)
    damaged = ObjectStore(git.folder / "objects")
    for id, text in held.items():
        try:
            assert damaged.read(id, "blob") == text
        except ObjectError as error:
            assert "\n" not in str(error)


def test_what_is_not_there_or_is_something_else_is_refused(objects: ObjectStore) -> None:
    blob = objects.store("blob", b"100644 a")
    tree = objects.store("tree", b"100644 a")
    with pytest.raises(ObjectError, match="is a blob, not a tree"):
        objects.entries(blob)
    with pytest.raises(ObjectError, match="is damaged"):
        objects.entries(tree)
    with pytest.raises(ObjectError, match="is missing"):
        objects.read("0" * 40, "blob")
    for id in ("HEAD", "0" * 64, "0" * 39, "", "A" * 40):
        assert not is_known(id)
        with pytest.raises(ObjectError, match="is not a supported object id"):
            objects.read(id, "blob")


def test_a_submodule_stays_and_a_tree_without_end_is_refused(
    objects: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = Entry(SUBMODULE, "1" * 40)
    tree = objects.edited(None, {b"one/module": module})
    assert tree
    assert dict(objects.files(tree)) == {"one/module": module}
    with objects.together():  # else each folder is synced by itself
        deep = objects.edited(None, {b"/".join([b"d"] * 600): module})
    assert deep
    with pytest.raises(ObjectError, match="is nested in more than 500 folders"):
        list(objects.files(deep))
    wide = tree
    for _ in range(20):  # 2 to the 20th files, of 20 objects
        wide = objects.store(
            "tree", b"".join(b"40000 %s\0" % n + bytes.fromhex(wide) for n in (b"a", b"b"))
        )
    monkeypatch.setattr("react_agent.tools.git.objects._LONGEST", 1000)
    with pytest.raises(ObjectError, match="more than 1000 files"):
        list(objects.files(wide))
    assert objects.find(wide, "/".join(["a"] * 20)) == Entry(FOLDER, tree)


def test_what_is_stored_together_is_synced_once(
    git: Git, objects: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, fsync = list[str](), os.fsync

    def note(descriptor: int) -> None:
        fsync(descriptor)
        told.append(Path(f"/proc/self/fd/{descriptor}").readlink().name)

    monkeypatch.setattr(os, "fsync", note)
    objects.store("blob", b"first")
    assert told == ["react-agent-notes", "objects"]
    told.clear()
    with objects.together():
        for text in (b"new", b"newer", b"first"):
            objects.store("blob", text)
    assert told == ["react-agent-notes"]
    told.clear()
    large = objects.store("blob", os.urandom(1_100_000))
    assert told == [large[2:], large[:2], "objects"]


def test_half_a_note_does_not_stay(git: Git, objects: ObjectStore) -> None:
    first, (large, last) = objects.store("blob", b"first"), (os.urandom(50_000), os.urandom(9))
    with files_of_at_most(40_000), pytest.raises(MachineError), objects.together():
        for at in range(0, len(large), 10_000):
            objects.store("blob", large[at : at + 10_000])
    kept = [first, objects.store("blob", last)]
    for id in kept:
        _lost(git.folder / "objects" / id[:2] / id[2:], "gone")
    again = ObjectStore(git.folder / "objects")
    again.recover()
    assert [again.read(id, "blob") for id in kept] == [b"first", last]


def _lost(place: Path, how: str) -> None:
    place.chmod(0o600)
    if how == "gone":
        shutil.rmtree(place.parent)
    else:
        place.write_bytes(b"" if how == "empty" else b"\0" * place.stat().st_size)


@pytest.mark.parametrize(
    ("how", "torn"), [("gone", b""), ("empty", b"\0"), ("zeros", bytes(40)), ("gone", b"x" * 30)]
)
def test_what_a_loss_of_power_took_away_is_recovered(
    git: Git, objects: ObjectStore, how: str, torn: bytes
) -> None:
    ids = [objects.store("blob", text) for text in (b"one", b"two", b"three")]
    kept = git.run("hash-object", "-w", "--stdin", stdin=b"of git").decode().strip()
    folder = git.folder / "objects"
    for id in ids[:2]:
        _lost(folder / id[:2] / id[2:], how)
    with (folder / "react-agent-notes").open("ab") as file:
        file.write(torn)
    again = ObjectStore(folder)
    again.recover()
    assert [again.read(id, "blob") for id in (*ids, kept)] == [b"one", b"two", b"three", b"of git"]
    last = again.store("blob", b"last")
    _lost(folder / last[:2] / last[2:], how)
    ObjectStore(folder).recover()
    assert ObjectStore(folder).read(last, "blob") == b"last"


def test_a_disk_without_room_is_told(
    git: Git, objects: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(MachineError, match=r"an object can't be written: .*No space left"):
        objects.store("blob", b"new")
    assert not list(git.folder.glob("objects/tmp_obj*"))


def test_another_directory_in_the_same_place_is_seen(tmp_path: Path) -> None:
    def made() -> Path:
        write(tmp_path, {"git/objects/info/alternates": ""})
        return tmp_path / "git"

    first = objects_in(made())
    tree = first.edited(None, {b"a": Entry(FILE, first.store("blob", b"1"))})
    assert tree
    assert first.entries(tree)
    assert objects_in(tmp_path / "git") is first
    shutil.rmtree(tmp_path / "git")
    with pytest.raises(ObjectError, match="is missing"):
        objects_in(made()).entries(tree)
