"""The instances of the bundled set, and the repositories that they need."""

import hashlib
import secrets
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from react_agent.demo.repository import make_repository
from react_agent.eval.sets.row import read_row
from react_agent.eval.task import Instance
from react_agent.parsers.text.json_rows import numbered_values
from react_agent.tools import disk, package_data

SET = "set.jsonl"
_PACKAGE = "react_agent.eval.bundled"
_STREAM = ".fast-import"


def instances(root: Path) -> tuple[Instance, ...]:
    """Return the instances, with repositories made below `root`; their commits never vary."""
    lines = numbered_values(package_data.text(_PACKAGE, SET))
    rows = [read_row(value, line) for line, value in lines]
    places = {name: repository(name, root) for name in dict.fromkeys(one.repo for one in rows)}
    return tuple(replace(one, repo=str(places[one.repo])) for one in rows)


def replays() -> str:
    """Return the spec of the model that replays a recorded solution for each instance."""
    return f"replay/{file('replays')}/{{id}}.txt"


def repository(name: str, root: Path) -> Path:
    """Return the repository. It is made atomically, as another process may be making it, too."""
    history = package_data.data(_PACKAGE, f"{name}{_STREAM}")
    place = root.absolute() / f"{name}-{hashlib.sha256(history).hexdigest()[:8]}"
    if not place.exists():
        made = place.with_name(f".{place.name}.{secrets.token_hex(4)}")
        make_repository(made, history)
        with suppress(OSError):  # another process was faster
            disk.rename(made, place)
        disk.remove_all(made)
    return place


def file(name: str) -> Path:
    return package_data.place(_PACKAGE, name)
