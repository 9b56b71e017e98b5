"""Random histories of a work tree, by files and by git: each earlier state of it comes back."""

import os
import random
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from by_hand import plain_git, save, write

from react_agent.tools.git.checkpoint import restore, take
from react_agent.tools.git.repository import find_base
from react_agent.tools.git.workspace import Workspace, make

BASE = {
    "README": "read me\n",
    ".gitignore": "*.log\nbuild/\n/cache*\n!cache.keep\n",
    ".gitattributes": "*.bat text eol=crlf\n*.id ident\n*.bin filter=upper -diff\n",
    "src/one.py": "one = 1\n",
    "src/deep/two.py": "two = 2\n",
    "run.bat": "rem\r\nrem\r\n",
    "tracked.log": "tracked, though a rule ignores such files\n",
    "docs/a b.md": "a\n",
}
PATHS = (
    *("README", "src", "src/one.py", "src/deep", "src/deep/two.py", "src/new.py", "run.bat"),
    *("tracked.log", "docs/a b.md", "docs", "x.id", "x.bin", "new.bat", "made/by/command.txt"),
    *("a.log", "src/b.log", "build/out.o", "build/deep/keep.txt", "build", "cache", "cache.keep"),
    *("cache/inner.txt", "ünï", "-dash", "new\nline", 'q"uote', "\udcff", "*.py", " lead", "tail "),
    *("a", "a/b", "a/b/c", "nested/inner.txt", "docs/build/page.html"),
)
RULES = (
    "*.log\n",
    "build/\n",
    "a/\n!a/b\n",
    "/src/new.py\n",
    "*\n!*.py\n",
    "",
    "cache*\n",
    "made\n",
)
CONTENTS = (b"", b"text\n", b"TEXT\n", b"one\r\ntwo\n", b"\0\xff\xfe", b"$Id$ $Id: 1 $\n")
Seen = dict[str, tuple[str, bytes]]
Ignored = dict[str, tuple[int, tuple[str, bytes] | None]]


@dataclass(frozen=True)
class State:
    tree: str
    files: Seen  # those that are tracked in the base, and those that no rule ignores


@dataclass
class History:
    """A work tree that chance works in."""

    made: Workspace
    oracle: Path  # a repository of the test's own
    chance: random.Random
    states: list[State] = field(default_factory=list)

    @property
    def root(self) -> Path:
        return self.made.root

    def act(self) -> None:
        acts = (
            *(self.write,) * 6,
            *(self.remove, self.link, self.folder, self.rename, self.mode, self.rule) * 2,
            *(self.add, self.commit, self.stash, self.uncache, self.repository),
            *(self.same_size, self.big, self.close),
        )
        self.chance.choice(acts)()

    def path(self) -> Path:
        return self.root / self.chance.choice(PATHS)

    def cleared(self) -> Path:
        """A path with nothing there, its folders made, whatever was in their place."""
        path = self.path()
        for parent in reversed(path.relative_to(self.root).parents[:-1]):
            if (self.root / parent).is_symlink() or not (self.root / parent).is_dir():
                _clear(self.root / parent)
                (self.root / parent).mkdir()
        _clear(path)
        return path

    def write(self) -> None:
        self.cleared().write_bytes(self.chance.choice(CONTENTS))

    def big(self) -> None:
        self.cleared().write_bytes(self.chance.randbytes(300_000))

    def remove(self) -> None:
        _clear(self.path())

    def link(self) -> None:
        target = self.chance.choice(("README", "src", "/nowhere", "../outside", "a"))
        self.cleared().symlink_to(target)

    def folder(self) -> None:
        self.cleared().mkdir()

    def rename(self) -> None:
        old = self.path()
        if old.is_symlink() or not old.exists():
            return
        away = self.root / "moving"
        old.rename(away)
        away.rename(self.cleared())

    def mode(self) -> None:
        path = self.path()
        if path.is_file() and not path.is_symlink():
            path.chmod(self.chance.choice((0o755, 0o644, 0o600, 0o700, 0o444)))

    def close(self) -> None:
        path = self.path()
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o500)

    def same_size(self) -> None:
        """As a tool does that keeps times: only the time of the change tells."""
        path = self.path()
        if path.is_file() and not path.is_symlink() and os.access(path, os.W_OK):
            before = path.stat()
            path.write_bytes(bytes(byte ^ 1 for byte in path.read_bytes()))
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def rule(self) -> None:
        folder = self.chance.choice((self.root, self.root / "src", self.root / "a"))
        if folder.is_dir() and not folder.is_symlink() and os.access(folder, os.W_OK):
            _clear(folder / ".gitignore")
            (folder / ".gitignore").write_text(self.chance.choice(RULES))

    def add(self) -> None:
        self.git("add", "--all")

    def commit(self) -> None:
        self.git("commit", "--quiet", "--all", "--allow-empty", "--message=By a command")

    def stash(self) -> None:
        self.git("stash", "--quiet", *self.chance.choice(((), ("--include-untracked",))))

    def uncache(self) -> None:
        self.git("rm", "-r", "--quiet", "--cached", "--ignore-unmatch", "src", "tracked.log")

    def repository(self) -> None:
        folder = self.chance.choice(("nested", "a", "made"))
        if not (self.root / folder).exists() and not (self.root / folder).is_symlink():
            self.git("init", "--quiet", folder)
            (self.root / folder / "own").write_text("its own\n")

    def git(self, *args: str) -> None:
        """What a command of the agent may do; that it can fail is its own affair."""
        subprocess.run(["git", *args], cwd=self.root, capture_output=True, check=False)

    def state(self) -> State:
        before = self.of_commands()
        tree = take(self.made).tree
        assert self.of_commands() == before
        return State(tree, self.counted())

    def of_commands(self) -> dict[str, bytes]:
        git_dir = self.root / ".git"
        seen = (git_dir / "index", git_dir / "HEAD", *git_dir.glob("refs/**/*"))
        return {str(path): path.read_bytes() for path in seen if path.is_file()}

    def counted(self, also: Iterable[str] = ()) -> Seen:
        listed = (*self.listed("--cached"), *self.listed("--others", "--exclude-standard"), *also)
        found = ((name, _seen(self.root, name)) for name in listed if not name.endswith("/"))
        return {name: seen for name, seen in found if seen}

    def ignored(self) -> Ignored:
        listed = self.listed("--others", "--ignored", "--exclude-standard")
        files = (name for name in listed if not name.endswith("/"))
        return {
            name: ((self.root / name).lstat().st_mtime_ns, _seen(self.root, name)) for name in files
        }

    def ruled_out(self, names: Iterable[str]) -> list[str]:
        """Those of the names that a rule ignores now, whether they are there or not."""
        asked = b"".join(os.fsencode(name) + b"\0" for name in names)
        ruled = self.asked("check-ignore", "--no-index", "-z", "--stdin", stdin=asked)
        return sorted({*ruled} - {*self.listed("--cached")})

    def listed(self, *which: str) -> list[str]:
        return self.asked("ls-files", "-z", *which)

    def asked(self, *args: str, stdin: bytes = b"") -> list[str]:
        own = {"GIT_DIR": str(self.oracle), "GIT_WORK_TREE": str(self.root)}
        environment = {**os.environ, **own}
        done = subprocess.run(
            ["git", *args], cwd=self.root, env=environment, input=stdin, capture_output=True
        )
        assert done.returncode in (0, 1), done.stderr
        return [os.fsdecode(name) for name in done.stdout.split(b"\0")[:-1]]

    def go_back(self, there: State) -> None:
        now, before = self.ignored(), self.of_commands()
        restore(self.made, there.tree)
        assert self.of_commands() == before
        assert self.counted(also=there.files) == there.files
        left = self.ignored()
        still = self.ruled_out(name for name in now if _is_free(name, there.files))
        assert {name: left.get(name) for name in still} == {name: now[name] for name in still}
        if not self.not_counted_now(there.files):
            assert take(self.made).tree == there.tree

    def not_counted_now(self, names: Iterable[str]) -> list[str]:
        """In a repository that a command made since, or ruled out by a file that no rule counts."""
        inside = [name for name in names if self.is_in_a_repository(name)]
        return inside or self.ruled_out(names)

    def is_in_a_repository(self, name: str) -> bool:
        return any((self.root / folder / ".git").exists() for folder in Path(name).parents[:-1])


def _is_free(name: str, files: Seen) -> bool:
    """Whether nothing of the checkpoint stands where this is, above it or below it."""
    above = [str(folder) for folder in Path(name).parents]
    return not any(
        other in (name, *above) or other.startswith(f"{name}/") or "nested" in other
        for other in files
    )


def _seen(root: Path, name: str) -> tuple[str, bytes] | None:
    path = root / name
    if any((root / folder).is_symlink() for folder in Path(name).parents[:-1]):
        return None
    if path.is_symlink():
        return "link", os.fsencode(path.readlink())
    if not path.is_file():
        return None
    return ("program" if path.stat().st_mode & 0o100 else "file"), path.read_bytes()


def _clear(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        _open(path)
        shutil.rmtree(path)
    elif path.is_symlink() or path.exists():
        path.unlink()


def _open(folder: Path) -> None:
    for inner, _, _ in os.walk(folder):
        Path(inner).chmod(stat.S_IRWXU)


@pytest.fixture
def history(tmp_path: Path, chance: random.Random) -> Iterator[History]:
    """With odd names, filters, ends of lines and rules in the base already."""
    project, oracle = tmp_path / "project", tmp_path / "oracle.git"
    plain_git(tmp_path, "init", "--quiet", str(project))
    save(project, {name: text for name, text in BASE.items() if not name.endswith(".log")})
    (project / "tracked.log").write_text(BASE["tracked.log"])
    plain_git(project, "add", "--force", "tracked.log")
    plain_git(project, "commit", "--quiet", "--message=Ignored, and tracked")
    write(tmp_path, {"outside/one.py": "somebody else's\n"})
    base = find_base(project)
    made = make(base, root=tmp_path / "workspace", branch="agent/it", cuts=tmp_path / "cuts")
    plain_git(made.root, "config", "filter.upper.clean", "tr a-z A-Z")
    plain_git(made.root, "config", "filter.upper.smudge", "tr A-Z a-z")
    plain_git(tmp_path, "clone", "--quiet", "--bare", str(project), str(oracle))
    plain_git(oracle, "read-tree", "HEAD")
    yield History(made, oracle, chance)
    _open(tmp_path)


def played(history: History) -> None:
    history.states.append(history.state())
    for _ in range(history.chance.randint(2, 4)):
        for _ in range(history.chance.randint(1, 6)):
            history.act()
        history.states.append(history.state())
        if history.chance.random() < 0.5:
            history.go_back(history.chance.choice(history.states))
    history.go_back(history.chance.choice(history.states))
    outside = history.root.parent / "outside" / "one.py"
    assert outside.read_text() == "somebody else's\n"


@pytest.fixture
def chance(request: pytest.FixtureRequest, long_seed: int) -> random.Random:
    return random.Random(f"{long_seed} {getattr(request, 'param', 0)}")


@pytest.mark.parametrize("chance", range(3), indirect=True)
def test_earlier_files_come_back(history: History) -> None:
    played(history)


@pytest.mark.long
@pytest.mark.parametrize("chance", range(3, 203), indirect=True)
def test_earlier_files_come_back_in_very_many(
    history: History, share: Callable[[int], int], request: pytest.FixtureRequest
) -> None:
    if request.node.callspec.params["chance"] < 3 + share(200):
        played(history)
