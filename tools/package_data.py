"""The installed package: its data files, its version, and entry points of other packages."""

import shlex
import sys
from collections.abc import Iterator
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints


def text(package: str, name: str) -> str:
    return (resources.files(package) / name).read_text(encoding="utf-8")


def data(package: str, name: str) -> bytes:
    return (resources.files(package) / name).read_bytes()


def place(package: str, name: str) -> Path:
    """Return the path of an installed data file."""
    return Path(str(resources.files(package))) / name


def names(package: str, ending: str) -> Iterator[str]:
    """Yield the names of the data files without their suffix."""
    for entry in resources.files(package).iterdir():
        if entry.name.endswith(ending):
            yield entry.name.removesuffix(ending)


def version() -> str:
    from importlib.metadata import version  # costs 30 ms

    return version("react-agent")


def install_command(extra: str) -> str:
    """Return the command that adds an extra to the environment of this process."""
    python = shlex.quote(sys.executable)
    has_pip = find_spec("pip") is not None  # `uv tool install` makes environments without it
    pip = f"{python} -m pip install" if has_pip else f"uv pip install --python {python}"
    return f"{pip} 'react-agent[{extra}]'"


def added(group: str, name: str) -> "EntryPoints":
    from importlib.metadata import entry_points

    return entry_points(group=group, name=name)
