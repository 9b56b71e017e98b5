"""Tables from the marks `attack` and `fault` of the tests: a plugin of pytest.

`python -m pytest --collect-only -p marked_rows --tables FOLDER` writes `batteries.md`, the page of
all attacks and faults, and `sandboxes.md`, a table of what each sandbox stops.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

WALLS = {
    "quoting": "what the world writes can't pass for a label or for bookkeeping",
    "escaping": "what is shown on a terminal or in a page is text and nothing else",
    "paths": "files of the workspace, each folder on the way opened without following links",
    "patches": "an edit is read whole and proved before anything is written",
    "git": "one door to git: flags, settings and an environment of ours",
    "private clone": "work is done in a clone of ours; a checkout is never touched",
    "sandbox": "commands see a file system, a network and processes of their own",
    "environment": "commands get the variables on a list, and no others",
    "limits": "of time, output, memory, processes, files, addresses",
    "settings": "what a repository may set, as of the base commit",
    "publishing": "nothing is pushed, opened or commented but by us, once, after a last look",
    "redaction": "keys are taken out wherever a text leaves",
    "history": "what was committed after the base is not there",
    "registry": "only tools that a profile offers or hides are called",
    "loopback": "a server of ours answers this machine alone",
}

STOPPED, THROUGH = "stopped", "gets through"
# The sandboxes that a test is run in, with the word of the mark that says what gets through there.
SANDBOXES = {
    "bubblewrap": "bubblewrap", "landlock": "landlock", "container": "container",
    "none": "unconfined",
}  # fmt: skip
_HEAD = """\
# Attacks and faults

Made from the tests: each row is carried by a test, and fails if it does not hold. What the walls
are, and what is not defended, is in the [threat model](threat-model.md).

The column *without a sandbox* says what `--sandbox none` stops: *stopped* by another wall, or
*gets through*, which is tested as well.
"""


@dataclass(frozen=True, slots=True, order=True)
class Row:
    group: str
    cells: tuple[str, ...]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--tables", type=Path, help="the folder for the tables")


def pytest_collection_finish(session: pytest.Session) -> None:
    folder: Path = session.config.option.tables
    attacks, faults = list(_attacks(session.items)), list(_faults(session.items))
    (folder / "batteries.md").write_text(page(attacks, faults))
    (folder / "sandboxes.md").write_text(_measured(session.items))


def _measured(items: Iterable[pytest.Item]) -> str:
    """What each sandbox stops: a cell is empty where no test tries it."""
    cells = defaultdict[str, dict[str, str]](dict)
    for item, mark in _marked(items, "attack"):
        if sandbox := _sandbox(item):
            is_stopped = mark.kwargs.get(SANDBOXES[sandbox], STOPPED) == STOPPED
            for what in _names(item, mark):
                cells[what][sandbox] = "yes" if is_stopped else "**no**"
    rows = defaultdict[tuple[str, ...], list[str]](list)
    for what, found in cells.items():
        stopped = tuple(found.get(one, "") for one in SANDBOXES)
        if any(stopped[:-1]):
            rows[*stopped, what.partition(": ")[0]].append(what)
    lines = [("an attack, in how many ways", *SANDBOXES), ("---",) * (len(SANDBOXES) + 1)]
    for (*stopped, family), names in sorted(rows.items()):
        lines.append((f"{family}: {len(names)}" if names[1:] else names[0], *stopped))
    return "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines)


def _sandbox(item: pytest.Item) -> str:
    """The one that a test is run in, if it is one of several."""
    values = item.callspec.params.values() if hasattr(item, "callspec") else ()
    parts = (part for value in values for part in (value if isinstance(value, tuple) else [value]))
    return next((part for part in parts if isinstance(part, str) and part in SANDBOXES), "")


def page(attacks: list[tuple[Row, str]], faults: list[tuple[Row, str]]) -> str:
    parts = [_HEAD, f"\n## {_counted(attacks, 'attack')}\n\n"]
    for wall in WALLS:
        if rows := [(row, test) for row, test in attacks if row.group == wall]:
            parts.append(f"\n### {wall}: {WALLS[wall]}\n\n")
            parts.append(_table(("attack", "comes from", "without a sandbox"), rows))
    parts.append(f"\n## {_counted(faults, 'fault')}\n\n")
    parts.append(_table(("fault", "what comes of it"), faults))
    return "".join(parts)


def _attacks(items: Iterable[pytest.Item]) -> Iterator[tuple[Row, str]]:
    for item, mark in _marked(items, "attack"):
        wall, by = mark.kwargs["wall"], mark.kwargs["by"]
        if wall not in WALLS:
            raise pytest.UsageError(f"{item.nodeid}: no wall is called {wall!r}")
        free = mark.kwargs.get("unconfined", STOPPED)
        if free not in (STOPPED, THROUGH):
            raise pytest.UsageError(f"{item.nodeid}: unconfined is {STOPPED!r} or {THROUGH!r}")
        for what in _names(item, mark):
            yield Row(wall, (what, by, free)), _place(item)


def _faults(items: Iterable[pytest.Item]) -> Iterator[tuple[Row, str]]:
    for item, mark in _marked(items, "fault"):
        for what in _names(item, mark):
            yield Row("", (what, mark.kwargs["after"])), _place(item)


def _marked(items: Iterable[pytest.Item], name: str) -> Iterator[tuple[pytest.Item, pytest.Mark]]:
    for item in items:
        for mark in item.iter_markers(name):
            yield item, mark


def _names(item: pytest.Item, mark: pytest.Mark) -> Iterator[str]:
    """`{id}` in a name is the case of the test, in whichever sandbox."""
    case = item.name.partition("[")[2].removesuffix("]").removesuffix(f"-{_sandbox(item)}")
    for name in mark.args:
        yield name.replace("{id}", case)


def _place(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0].removeprefix("tests/")


def _counted(rows: list[tuple[Row, str]], name: str) -> str:
    number = len({row for row, _ in rows})
    return f"{number} {name}{'' if number == 1 else 's'}"


def _table(heads: tuple[str, ...], rows: list[tuple[Row, str]]) -> str:
    shown = defaultdict[Row, set[str]](set)
    for row, test in rows:
        shown[row].add(test)
    lines = [(*heads, "shown by"), ("---",) * (len(heads) + 1)]
    lines += [(*row.cells, _tests(shown[row])) for row in sorted(shown)]
    return "".join(f"| {' | '.join(map(_cell, cells))} |\n" for cells in lines)


def _tests(places: Iterable[str]) -> str:
    return ", ".join(f"`{place}`" for place in sorted(places))


def _cell(text: str) -> str:
    return text.replace("|", r"\|")
