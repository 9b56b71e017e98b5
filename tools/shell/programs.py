"""Where a program is that a name means."""

import shutil
from pathlib import Path


def found(name: str | Path, path: str | None = None) -> str | None:
    """In the folders of `path`, or else of our own PATH."""
    return shutil.which(name, path=path)
