"""Files of a change that run without being asked: at a forge, or where its checkout is used.

Whoever reviews the change is told of each, on a line of its own.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from react_agent.parsers.repo.git_diff import FileDiff
from react_agent.pull.keys import shown

_FORGE = "the forge runs it on a push or a pull request"
_WORKFLOWS = (".github/workflows", ".gitea/workflows", ".forgejo/workflows")
_AT_ROOT = {
    ".gitlab-ci.yml": _FORGE,
    ".pre-commit-config.yaml": "pre-commit runs its hooks on each commit",
    "conftest.py": "pytest runs it before any test",
    "setup.py": "pip runs it on an installation",
}
_PACKAGE = "package.json"
_SCRIPTS = "npm runs some of its scripts by itself, as on an installation"

Read = Callable[[str], bytes | None]  # a file by its path; None where there is none


@dataclass(frozen=True, slots=True)
class Automatic:
    path: str  # on one line
    why: str


def automatic(files: Iterable[FileDiff], before: Read, after: Read) -> tuple[Automatic, ...]:
    """`before` and `after` read a file as it was, and as it is to be."""
    found = ((one, _why(one, before, after)) for one in files if one.new)
    return tuple(Automatic(shown(one.new), why) for one, why in found if why)


def _why(one: FileDiff, before: Read, after: Read) -> str:
    path = one.new.casefold()  # some file systems don't tell `Setup.py` from `setup.py`
    if path.startswith(tuple(f"{folder}/" for folder in _WORKFLOWS)):
        return _FORGE
    if path.rpartition("/")[2] == _PACKAGE:
        old = _scripts(before(one.old)) if one.old else {}
        return _SCRIPTS if _scripts(after(one.new)) not in ({}, old) else ""
    return _AT_ROOT.get(path, "")


def _scripts(data: bytes | None) -> Any:
    """Of a package.json; of one that can't be read, all of it."""
    try:
        package = json.loads(data or b"{}")
    except (ValueError, RecursionError):
        return data
    return (package.get("scripts") or {}) if isinstance(package, dict) else {}
