"""tests/scenarios/patches: patches as models write them and what becomes of each, by groups."""

import os
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from scenario_table import Row, ScenarioError, parse_table

from react_agent.parsers.patch import Refused, Repaired

FOLDER = Path(__file__).parents[1] / "scenarios" / "patches"
WORDS = "why|before"
TEXTS = "file .+|patch|after|repairs|refusal"
NAMED_FILES = "files"
APPLY = 'git -C "$name" apply --whitespace=nowarn "../$name.patch" || : >"$name.failed"'

Tree = dict[str, str]


class Scenario(NamedTuple):
    name: str
    why: str
    before: Tree
    patch: str
    after: str  # what changes, as `git diff` writes it
    repairs: tuple[str, ...]
    refusal: tuple[str, ...]


class Applied(NamedTuple):
    is_applied: bool
    tree: Tree
    executable: frozenset[str]


def read_named_files(folder: Path = FOLDER) -> dict[str, Tree]:
    path = folder / f"{NAMED_FILES}.txt"
    rows = parse_table(path.name, path.read_text(encoding="utf-8"), words=WORDS, texts=TEXTS)
    return {row.name: _files(row) for row in rows}


def read_groups(folder: Path = FOLDER) -> dict[str, list[Scenario]]:
    named = read_named_files(folder)
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))}
    return {
        group: parse_group(group, text, named)
        for group, text in texts.items()
        if group != NAMED_FILES
    }


def parse_group(group: str, text: str, named: Mapping[str, Tree]) -> list[Scenario]:
    rows = parse_table(f"{group}.txt", text, words=WORDS, texts=TEXTS)
    return [_scenario(row, named) for row in rows]


def _scenario(row: Row, named: Mapping[str, Tree]) -> Scenario:
    before: Tree = {}
    for name in row.words("before").split():
        if name not in named:
            raise ScenarioError(f"{row.at}: no row {name!r} in {NAMED_FILES}.txt")
        before |= named[name]
    return Scenario(
        row.name,
        row.words("why"),
        before | _files(row),
        row.file_text("patch"),
        row.file_text("after"),
        row.lines("repairs"),
        row.lines("refusal"),
    )


def _files(row: Row) -> Tree:
    names = [name for name in row.fields if name.startswith("file ")]
    return {name.removeprefix("file "): row.file_text(name) for name in names}


def apply_with_git(patches: Mapping[str, tuple[Tree, str]]) -> dict[str, Applied]:
    """What git makes of each patch. To start git takes most of the time: once for equal patches."""
    keys = {name: (*before.items(), patch) for name, (before, patch) in patches.items()}
    names = {key: name for name, key in keys.items()}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in names.values():
            before, patch = patches[name]
            (root / name).mkdir()
            _write_files(root / name, before)
            _write_files(root, {f"{name}.patch": patch})
        subprocess.run(
            ["sh", "-c", f"for name; do {APPLY}; done", "sh", *names.values()],
            cwd=root,
            env=os.environ | {"GIT_CEILING_DIRECTORIES": folder},
            check=True,
        )
        applied = {key: _applied(root / name) for key, name in names.items()}
    return {name: applied[key] for name, key in keys.items()}


def _applied(root: Path) -> Applied:
    paths = {path.relative_to(root).as_posix(): path for path in root.rglob("*") if path.is_file()}
    executable = {name for name, path in paths.items() if path.stat().st_mode & 0o100}
    tree = {name: _text(path) for name, path in paths.items()}
    return Applied(not Path(f"{root}.failed").exists(), tree, frozenset(executable))


def _write_files(root: Path, tree: Mapping[str, str]) -> None:
    for name, text in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogateescape")


def expected_trees(scenarios: Iterable[Scenario]) -> dict[str, Applied]:
    """The files as each patch that is not refused leaves them."""
    return apply_with_git(
        {one.name: (one.before, one.after) for one in scenarios if not one.refusal}
    )


def after(done: Repaired, before: Mapping[str, str]) -> Tree:
    tree = dict(before)
    for result in done.results:
        if result.old is not None and f"\ncopy from {result.old}\n" not in done.patch:
            tree.pop(result.old, None)
    new = {result.new: result.text for result in done.results}
    return tree | {name: text for name, text in new.items() if name and text is not None}


def said(done: Repaired | Refused) -> tuple[str, ...]:
    """The reasons or the repairs, a line each."""
    texts = done.reasons if isinstance(done, Refused) else done.repairs
    return tuple(line for text in texts for line in text.split("\n"))
