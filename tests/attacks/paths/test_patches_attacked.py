"""Patches that would write elsewhere, make what is no file, or never end."""

import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from react_agent.tools.context import Context
from react_agent.tools.edits.apply_patch import APPLY_PATCH
from react_agent.tools.observation import Observation, Status

pytestmark = pytest.mark.slow

Outside = Callable[[], dict[str, tuple[int, bytes | str]]]
HOOK = ".git/hooks/pre-commit"


def _new(path: str, *, mode: str = "100644", text: str = "by the model") -> str:
    return (
        f"diff --git a/{path} b/{path}\nnew file mode {mode}\n"
        f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+{text}\n"
    )


def _moved(old: str, new: str, how: str = "rename") -> str:
    return f"diff --git a/{old} b/{new}\nsimilarity index 100%\n{how} from {old}\n{how} to {new}\n"


def _mode(old: str, new: str) -> str:
    return f"diff --git a/src/x.txt b/src/x.txt\nold mode {old}\nnew mode {new}\n"


LINK = _new("way", mode="120000", text="../../outside") + "\\ No newline at end of file\n"
BINARY = (
    "diff --git a/{0} b/{0}\nnew file mode 100644\nindex 0000000..1111111\n"
    "GIT binary patch\n{1}\n\n"
)
PATCHES = {
    "a file is renamed into .git": _moved("src/x.txt", HOOK),
    "a file is copied into .git": _moved("src/x.txt", HOOK, "copy"),
    "a file of .git is copied out": _moved(".git/config", "shown", "copy"),
    "a file of .git is renamed": _moved(".git/config", "shown"),
    "a hook is made": _new(HOOK, mode="100755"),
    "a hook is made, in capitals": _new(".GIT/hooks/pre-commit", mode="100755"),
    "a hook is made, by a short name": _new("GIT~1/hooks/pre-commit", mode="100755"),
    "a hook is made, by a name in octal": _new('"\\056git/hooks/pre-commit"').replace('b/"', '"b/'),
    "a hook is made, past a dot": _new("./.git/hooks/pre-commit"),
    "a hook is made, past a folder": _new("src/../.git/hooks/pre-commit"),
    "the configuration of git is changed": (
        "--- a/.git/config\n+++ b/.git/config\n@@ -1 +1,2 @@\n [user]\n+[core]\n"
    ),
    "a file is made outside": _new("../../outside/new"),
    "a file is made outside, absolute": _new("x").replace("b/x", "/tmp/by-the-model"),
    "a file is renamed to outside": _moved("src/x.txt", "../../outside/new"),
    "a file from outside is copied in": _moved("../../secret", "shown", "copy"),
    "a file outside is deleted": (
        "--- a/../../secret\n+++ /dev/null\n@@ -1 +0,0 @@\n-what nobody may read\n"
    ),
    "a link is made": LINK,
    "a link is made and written through": LINK + _new("way/new"),
    "a link is made and written through, the other way round": _new("way/new") + LINK,
    "a link that is there is written through": _new("out/new"),
    "a file behind a link is changed": (
        "--- a/out/x.txt\n+++ b/out/x.txt\n@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n"
    ),
    "a file behind a link is deleted": (
        "--- a/out/x.txt\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-one\n-two\n-what nobody may read\n"
    ),
    "a file is renamed through a link": _moved("src/x.txt", "out/new"),
    "a link is turned elsewhere": (
        "--- a/out\n+++ b/out\n@@ -1 +1 @@\n-../../outside\n"
        "\\ No newline at end of file\n+/etc\n\\ No newline at end of file\n"
    ),
    "a submodule is made": (
        "diff --git a/sub b/sub\nnew file mode 160000\n--- /dev/null\n+++ b/sub\n"
        f"@@ -0,0 +1 @@\n+Subproject commit {'1' * 40}\n"
    ),
    "a file becomes a link": _mode("100644", "120000"),
    "a file becomes a submodule": _mode("100644", "160000"),
    "a file becomes a folder": _mode("100644", "040000"),
    "a binary file of 1 TB": BINARY.format("bomb", f"literal {10**12}\nzcmV"),
    "a binary change of 1 TB": BINARY.format("src/x.txt", f"delta {10**12}\nzcmV"),
    "V4A: a file is moved into .git": (
        f"*** Begin Patch\n*** Update File: src/x.txt\n*** Move to: {HOOK}\n"
        "@@\n-one\n+ONE\n two\n*** End Patch"
    ),
    "V4A: a file is added outside": (
        "*** Begin Patch\n*** Add File: ../../outside/new\n+by the model\n*** End Patch"
    ),
    "V4A: a file of git is deleted": (
        "*** Begin Patch\n*** Delete File: .git/config\n*** End Patch"
    ),
    "a block for a file outside": (
        "../../outside/x.txt\n<<<<<<< SEARCH\none\n=======\nONE\n>>>>>>> REPLACE\n"
    ),
}


@pytest.fixture
def ready(root: Path) -> Path:
    (root / "out").symlink_to("../../outside")
    return root


def _call(root: Path, patch: str) -> Observation:
    return APPLY_PATCH.call(patch, Context(root))


def _within(root: Path) -> dict[str, tuple[int, str]]:
    return {
        str(place.relative_to(root)): (
            place.lstat().st_mode,
            str(place.readlink()) if place.is_symlink() else place.read_text(),
        )
        for place in sorted(root.rglob("*"))
        if not place.is_dir() or place.is_symlink()
    }


@pytest.mark.attack("a patch by which {id}", by="model", wall="patches")
@pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES)
def test_nothing_of_it_is_done(ready: Path, outside: Outside, patch: str) -> None:
    before = outside(), _within(ready)
    seen = _call(ready, patch)
    assert (seen.status, outside(), _within(ready)) == (Status.FAILED, *before)
    assert not Path("/tmp/by-the-model").exists()
    assert "nothing was changed" in seen.text


WORK = {
    "renamed": (_moved("src/x.txt", "src/y.txt"), "src/y.txt"),
    "made": (_new("new/file", mode="100755"), "new/file"),
    "changed": ("--- a/src/x.txt\n+++ b/src/x.txt\n@@ -1 +1 @@\n-one\n+1\n", "src/x.txt"),
}


@pytest.mark.parametrize(("patch", "name"), WORK.values(), ids=WORK)
def test_what_stays_inside_is_done(ready: Path, outside: Outside, patch: str, name: str) -> None:
    before = outside()
    assert _call(ready, patch).status is Status.OK
    assert (ready / name).is_file()
    assert outside() == before


@pytest.mark.attack("a patch makes a file run as its owner", by="model", wall="patches")
@pytest.mark.parametrize("mode", ["104755", "102755", "101777"])
def test_of_a_mode_only_whether_it_runs_is_taken(ready: Path, mode: str) -> None:
    for patch in (_new("new", mode=mode), _mode("100644", mode)):
        _call(ready, patch)
    modes = {
        place: place.stat().st_mode
        for place in (ready / "src/x.txt", ready / "new")
        if place.exists()
    }
    assert not any(seen & (stat.S_ISUID | stat.S_ISGID | stat.S_ISVTX) for seen in modes.values())
    assert not any(seen & stat.S_IWOTH for seen in modes.values())
    assert _call(ready, _mode("100644", "100755")).status is Status.OK
    assert os.access(ready / "src" / "x.txt", os.X_OK)


@pytest.mark.attack("two patches: a link, then a file behind it", by="model", wall="patches")
def test_a_second_patch_finds_no_link(ready: Path, outside: Outside) -> None:
    before = outside()
    assert _call(ready, LINK).status is Status.FAILED
    assert _call(ready, _new("way/new")).status is Status.OK
    assert (ready / "way").is_dir()
    assert not (ready / "way").is_symlink()
    assert outside() == before


def _hunks(count: int) -> str:
    return "--- a/src/x.txt\n+++ b/src/x.txt\n" + "@@ -1 +1 @@\n-one\n+1\n" * count


def _other_hunks(count: int) -> str:
    hunks = (f"@@ -{number} +{number} @@\n-{number}\n+b{number}\n" for number in range(count))
    return "--- a/src/x.txt\n+++ b/src/x.txt\n" + "".join(hunks)


def _line(count: int) -> str:
    return "--- /dev/null\n+++ b/line\n@@ -0,0 +1 @@\n+" + "y" * count + "\n"


def _copies(count: int) -> str:
    return "".join(_moved("src/x.txt", f"c{number}", "copy") for number in range(count))


def _blocks(count: int) -> str:
    return "src/x.txt\n" + "<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n" * count


def _seconds(root: Path, patch: str) -> float:
    before = time.process_time()
    _call(root, patch)
    return time.process_time() - before


@pytest.mark.attack("a patch of {id}", by="model", wall="patches")
@pytest.mark.parametrize(
    ("made", "count"),
    [
        pytest.param(_hunks, 50_000, id="50,000 hunks that are the same"),
        pytest.param(_other_hunks, 20_000, id="20,000 hunks that fit nowhere"),
        pytest.param(_line, 3_900_000, id="one line of 4 MB"),
        pytest.param(_copies, 1_000, id="1,000 copies of a file"),
        pytest.param(_blocks, 10_000, id="10,000 blocks"),
    ],
)
def test_a_large_patch_takes_no_more_than_its_size(
    ready: Path, made: Callable[[int], str], count: int
) -> None:
    small = _seconds(ready, made(count // 4))
    large = _seconds(ready, made(count))
    assert large < 8 * small + 1, f"{count // 4}: {small:.2f} s, {count}: {large:.2f} s"


@pytest.mark.attack("a patch of {id}", by="model", wall="patches")
@pytest.mark.parametrize(
    ("made", "count"),
    [
        pytest.param(_hunks, 1_000_000, id="1,000,000 hunks"),
        pytest.param(_line, 100_000_000, id="one line of 100 MB"),
    ],
)
def test_a_patch_beyond_all_measure_is_not_read(
    ready: Path, made: Callable[[int], str], count: int
) -> None:
    assert "characters, and the limit is 4,000,000: write several" in _call(ready, made(count)).text
    assert (ready / "src" / "x.txt").read_text() == "one\ntwo\nthree\n"
    assert _call(ready, made(1)).status is Status.OK
