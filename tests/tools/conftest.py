"""Repositories, made with plain git, and ways to see that processes end."""

import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from by_hand import plain_git, save, write
from git_server import Served, serving

from react_agent.tools.git import change, workspace
from react_agent.tools.git.repository import find_base
from react_agent.tools.git.workspace import Workspace

Planted = Callable[..., Path]


@pytest.fixture(scope="session")
def _project(tmp_path_factory: pytest.TempPathFactory, _git_settings: Path) -> Path:
    folder = tmp_path_factory.mktemp("model") / "project"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_GLOBAL", str(_git_settings))
        plain_git(folder.parent, "init", "--quiet", str(folder))
        save(folder, {"README": "read me\n", "src/one.py": "one = 1\n", ".gitignore": "*.log\n"})
        save(folder, {"src/two.py": "two = 2\n"})
    return folder


@pytest.fixture
def project(tmp_path: Path, _project: Path) -> Path:
    """A small repository of somebody's, with two commits."""
    folder = tmp_path / "project"
    shutil.copytree(_project, folder)
    return folder


@pytest.fixture(scope="session")
def _made(tmp_path_factory: pytest.TempPathFactory, _project: Path) -> Workspace:
    folder = tmp_path_factory.mktemp("made")
    return workspace.make(
        find_base(_project), root=folder / "workspace", branch="agent/it", cuts=folder / "cuts"
    )


@pytest.fixture
def made(tmp_path: Path, project: Path, _made: Workspace) -> Workspace:
    """A workspace on the last commit of the project: a copy of one that was made."""
    for name in ("workspace", "git", "cuts"):
        shutil.copytree(_made.root.parent / name, tmp_path / name)
    copy = replace(
        _made, root=tmp_path / "workspace", base=replace(_made.base, repository=project.resolve())
    )
    for git_dir in (copy.root / ".git", copy.git_dir):
        lender = git_dir / "objects" / "info" / "alternates"
        lender.write_text(lender.read_text().replace(str(_made.root.parent), str(tmp_path)))
    return copy


@pytest.fixture
def made_commit(made: Workspace) -> str:
    """A commit of a run, in its workspace."""
    (made.root / "README").write_text("changed\n")
    committed = change.commit(made, "Change it", change.propose(made, ()).tree)
    assert committed
    return committed


@pytest.fixture
def workspace_of(tmp_path: Path, project: Path) -> Callable[[dict[str, str]], Workspace]:
    """Commit these files to the project and make a workspace of it."""

    def run(files: dict[str, str]) -> Workspace:
        save(project, files)
        return workspace.make(
            find_base(project), root=tmp_path / "w", branch="b", cuts=tmp_path / "cuts"
        )

    return run


@pytest.fixture(scope="session")
def _models() -> dict[str, Path]:
    return {}


@pytest.fixture
def planted(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, _models: dict[str, Path]
) -> Planted:
    """A repository with these files, added to its index or not: made once, and copied."""

    def plant(files: Mapping[str, bytes], *, added: bool = True) -> Path:
        key = repr((files, added))
        if key not in _models:
            model = _models[key] = tmp_path_factory.mktemp("planted")
            plain_git(model, "init", "--quiet")
            write(model, files)
            if added:
                plain_git(model, "add", "--all")
        shutil.rmtree(tmp_path / "root", ignore_errors=True)  # of another row
        shutil.copytree(_models[key], tmp_path / "root")
        return tmp_path / "root"

    return plant


@pytest.fixture
def root(planted: Planted) -> Path:
    """A work tree with two files, `src/x.txt` of twelve lines and `src/y.txt` of two."""
    lines = "".join(f"line {number}\n" for number in range(1, 13))
    return planted({"src/x.txt": lines.encode(), "src/y.txt": b"one\ntwo\n"}, added=False)


def _raise(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.fixture
def interrupt_soon() -> Iterator[Callable[[], None]]:
    """Ctrl-C in a moment, for this process and no other."""
    before = signal.signal(signal.SIGUSR1, _raise)
    timer = threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGUSR1))
    yield timer.start
    timer.cancel()
    signal.signal(signal.SIGUSR1, before)


@pytest.fixture
def served(tmp_path: Path, project: Path) -> Iterator[Served]:
    """The project on a server, which wants a token."""
    with serving(tmp_path / "served", project) as served:
        yield served


@pytest.fixture
def advance(tmp_path: Path, served: Served) -> Callable[..., str]:
    """A commit of somebody else's on a branch of the server's repository; its id."""

    def run(branch: str = "main", name: str = "theirs.py", text: str = "theirs = 1\n") -> str:
        clone = tmp_path / f"clone-{len(list(tmp_path.glob('clone-*')))}"
        place = served.repositories.place(served.path)
        plain_git(tmp_path, "clone", "--quiet", "--branch", branch, str(place), str(clone))
        made = save(clone, {name: text})
        plain_git(clone, "push", "--quiet", "origin", f"HEAD:refs/heads/{branch}")
        return made

    return run
