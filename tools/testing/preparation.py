"""Suggest the `prepare` command that would make an environment for a project's tests.

It makes a virtual environment in $VENV, as a configured one does: from the lock file of uv or
poetry, else with pip from requirements files, dependency groups and extras.
"""

import re
import shlex
from collections.abc import Iterator, Mapping

from react_agent.parsers.testing.repository import ini, toml
from react_agent.tools.context import Context
from react_agent.tools.files.file_list import file_list
from react_agent.tools.testing.tests_command import files_of_tests, text_of

_PIP = 'python3 -m venv "$VENV" && "$VENV/bin/pip" install --quiet'
# uv and poetry come from the package index, as they may be missing here. Poetry has many
# dependencies, so it gets an environment of its own.
_LOCKS = {
    "uv.lock": f'{_PIP} uv && UV_PROJECT_ENVIRONMENT="$VENV" "$VENV/bin/uv" sync --inexact '
    "--frozen --all-extras --no-install-project",
    "poetry.lock": 'python3 -m venv "$VENV" && python3 -m venv "$VENV/poetry" && '
    '"$VENV/poetry/bin/pip" install --quiet poetry && '
    'VIRTUAL_ENV="$VENV" "$VENV/poetry/bin/poetry" install --no-root --all-extras',
}
_PROJECT = ("pyproject.toml", "setup.cfg", "setup.py")
_REQUIREMENTS = re.compile(r"requirements[\w.-]*\.txt|requirements/(?:tests?|dev)\.txt")
_FOR_TESTS = ("test", "tests", "testing", "dev")
_GROUP = "include-group"


def prepare_line(context: Context) -> str:
    """Return the command; empty if no file shows what is needed."""
    files = set(file_list(context.root))
    for lock, line in _LOCKS.items():
        if lock in files:
            return line
    needed = list(_needed(files, context))
    return f"{_PIP} {' '.join(needed)}" if needed else ""


def determined_by(context: Context) -> str:
    """Return the text of the files that say what is needed: it determines the environment."""
    files = file_list(context.root)
    names = [one for one in files if one in (*_LOCKS, *_PROJECT) or _REQUIREMENTS.fullmatch(one)]
    return "\0".join(f"{name}\0{text_of(context, name)}" for name in names)


def _needed(files: set[str], context: Context) -> Iterator[str]:
    """Yield the arguments of `pip install`."""
    for name in sorted(filter(_REQUIREMENTS.fullmatch, files)):
        yield f"-r {name}"
    tables = toml(text_of(context, "pyproject.toml"))
    groups = _table(tables, "dependency-groups")
    for name in _FOR_TESTS:
        yield from map(shlex.quote, dict.fromkeys(_of_group(groups, name, ())))
    if not files.isdisjoint(_PROJECT):
        extras = {*_table(_table(tables, "project"), "optional-dependencies")}
        extras |= {*ini(text_of(context, "setup.cfg")).get("options.extras_require", {})}
        wanted = ",".join(name for name in _FOR_TESTS if name in extras)
        yield shlex.quote(f".[{wanted}]") if wanted else "."
    if files_of_tests(sorted(files)):
        yield "pytest"


def _of_group(groups: Mapping[str, object], name: str, within: tuple[str, ...]) -> Iterator[str]:
    """Yield the requirements of a group, and those of the groups that it includes."""
    entries = groups.get(name)
    if not isinstance(entries, list) or name in within:
        return
    for entry in entries:
        if isinstance(entry, str):
            yield entry
        elif isinstance(entry, dict) and isinstance(entry.get(_GROUP), str):
            yield from _of_group(groups, entry[_GROUP], (*within, name))


def _table(tables: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = tables.get(name)
    return found if isinstance(found, dict) else {}
