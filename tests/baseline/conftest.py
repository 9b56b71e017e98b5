"""A world as faf7090 left it, for the command line in this process."""

import contextlib
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from old_world import Answer, World, lay_repository

from react_agent.cli.main import main


@pytest.fixture(scope="session")
def _template(tmp_path_factory: pytest.TempPathFactory, a_python_is_asked_once: None) -> Path:
    """The repository, and what the cache folder holds of it."""
    place = tmp_path_factory.mktemp("baseline")
    world = World(place, lambda *arguments: Answer(0, ""))
    lay_repository(world.repository)
    world.unpack("cuts")
    return place


@contextlib.contextmanager
def _signals_as_they_are() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def world(
    tmp_path: Path,
    _template: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> World:
    def call(*arguments: str) -> Answer:
        capsys.readouterr()
        with monkeypatch.context() as patch, _signals_as_they_are():
            patch.chdir(tmp_path)
            with pytest.raises(SystemExit) as ended:
                main(arguments)
        out = "".join(capsys.readouterr())
        print(out)  # pytest shows it where the test fails
        return Answer(int(ended.value.code or 0), out)

    world = World(tmp_path, call)
    for name, value in world.environment.items():
        monkeypatch.setenv(name, value)
    shutil.copytree(_template, tmp_path, symlinks=True, dirs_exist_ok=True)
    return world
