import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
from checking import Checking

PACKAGES = (
    *("pre-commit", "cfgv", "identify", "nodeenv", "PyYAML", "virtualenv", "distlib", "filelock"),
    *("packaging", "platformdirs", "python-discovery"),
)


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder with the real pre-commit: commands do not see the environment of the tests."""
    place = tmp_path_factory.mktemp("pre-commit")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    [library] = place.glob("lib/python3*/site-packages")
    for package in map(distribution, PACKAGES):
        for file in package.files or ():
            if ".." not in file.parts and file.suffix != ".pyc":
                target = library / file
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(Path(str(package.locate_file(file))).read_bytes())
    program = place / "bin" / "pre-commit"
    program.write_text(
        f"#!{place}/bin/python\nfrom pre_commit.main import main\nraise SystemExit(main())\n"
    )
    program.chmod(0o755)
    return str(program.parent)


@pytest.fixture
def checking(desk: Any, programs: str) -> Iterator[Checking]:
    with ExitStack() as undo:
        yield Checking(desk, undo, path=programs)
