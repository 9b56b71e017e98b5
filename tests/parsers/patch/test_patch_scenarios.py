"""Patches of models and what is to become of them: tests/scenarios/patches, a folder each.

folder = why, patch, before/, and after/ [repairs] | refusal

Run as a program with --fill, it replaces the `?` of repairs and refusals by what is said.
"""

import functools
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
import unidiff

from react_agent.parsers.patch import Refused, Repaired, repair

FOLDER = Path(__file__).parents[2] / "scenarios" / "patches"
OPEN = "?"

Tree = dict[str, str]


class Scenario(NamedTuple):
    name: str
    why: str
    before: Tree
    patch: str
    after: Tree
    executable: frozenset[str]
    repairs: tuple[str, ...]
    refusal: tuple[str, ...]

    @property
    def group(self) -> str:
        return self.name.split("-")[0]

    @property
    def is_open(self) -> bool:
        return (OPEN,) in (self.repairs, self.refusal)


def read(folder: Path) -> Scenario:
    return Scenario(
        folder.name,
        _text(folder / "why"),
        _tree(folder / "before"),
        _text(folder / "patch"),
        _tree(folder / "after"),
        _executable(folder / "after"),
        _lines(folder / "repairs"),
        _lines(folder / "refusal"),
    )


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogateescape")


def _lines(path: Path) -> tuple[str, ...]:
    return tuple(_text(path).removesuffix("\n").split("\n")) if path.exists() else ()


def _tree(root: Path) -> Tree:
    return {path.relative_to(root).as_posix(): _text(path) for path in _files(root)}


def _executable(root: Path) -> frozenset[str]:
    paths = (path for path in _files(root) if path.stat().st_mode & 0o100)
    return frozenset(path.relative_to(root).as_posix() for path in paths)


def _files(root: Path) -> list[Path]:
    return [path for path in sorted(root.rglob("*")) if path.is_file()]


def _write(root: Path, tree: Mapping[str, str]) -> None:
    for name, text in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))


SCENARIOS = [read(folder) for folder in sorted(FOLDER.iterdir()) if folder.is_dir()]


@functools.cache
def _done(index: int) -> Repaired | Refused:
    return repair(SCENARIOS[index].patch, SCENARIOS[index].before)


def _after(done: Repaired, before: Mapping[str, str]) -> Tree:
    tree = dict(before)
    for result in done.results:
        if result.old is not None and not _is_copied(done.patch, result.old):
            tree.pop(result.old, None)
    new = {result.new: result.text for result in done.results}
    return tree | {name: text for name, text in new.items() if name and text is not None}


def _is_copied(patch: str, name: str) -> bool:
    return f"\ncopy from {name}\n" in patch


def _said(done: Repaired | Refused) -> tuple[str, ...]:
    """The reasons or the repairs, a line each."""
    said = done.reasons if isinstance(done, Refused) else done.repairs
    return tuple(line for one in said for line in one.split("\n"))


def _params(wanted: Callable[[Scenario], bool]) -> list[object]:
    return [
        pytest.param(index, id=scenario.name)
        for index, scenario in enumerate(SCENARIOS)
        if wanted(scenario)
    ]


ACCEPTED = _params(lambda scenario: not scenario.refusal)
REFUSED = _params(lambda scenario: bool(scenario.refusal))


@pytest.mark.parametrize("index", ACCEPTED)
def test_mends_a_patch_as_its_scenario_says(index: int) -> None:
    scenario, done = SCENARIOS[index], _done(index)
    assert isinstance(done, Repaired), "\n".join(done.reasons)
    assert _after(done, scenario.before) == scenario.after
    assert _said(done) == scenario.repairs


@pytest.mark.parametrize("index", REFUSED)
def test_refuses_a_patch_as_its_scenario_says(index: int) -> None:
    done = _done(index)
    assert isinstance(done, Refused), done.patch
    assert _said(done) == SCENARIOS[index].refusal


@pytest.mark.parametrize("index", ACCEPTED)
def test_what_leaves_is_read_by_unidiff_and_has_nothing_to_mend(index: int) -> None:
    done = _done(index)
    assert isinstance(done, Repaired), "\n".join(done.reasons)
    changes = unidiff.PatchSet(done.patch)
    hunks = sum(line.startswith("@@ ") for line in done.patch.split("\n"))
    assert (len(changes), sum(map(len, changes))) == (len(done.results), hunks)
    again = repair(done.patch, SCENARIOS[index].before)
    assert isinstance(again, Repaired), "\n".join(again.reasons)
    assert (again.patch, again.repairs) == (done.patch, ())


def test_what_leaves_is_applied_by_git(tmp_path: Path) -> None:
    wanted, found = {}, {}
    for scenario, patch in _patches():
        _write(tmp_path / scenario.name / "tree", scenario.before)
        _write(tmp_path / scenario.name, {"patch": patch})
        wanted[scenario.name] = ("", scenario.after, scenario.executable)
    _apply_all(tmp_path, list(wanted))
    for name in wanted:
        root = tmp_path / name
        found[name] = (_text(root / "error"), _tree(root / "tree"), _executable(root / "tree"))
    assert {name: found[name] for name in found if found[name] != wanted[name]} == {}


def _patches() -> Iterator[tuple[Scenario, str]]:
    for index, scenario in enumerate(SCENARIOS):
        done = _done(index)
        if isinstance(done, Repaired) and not scenario.refusal:
            yield scenario, done.patch


def _apply_all(root: Path, names: Sequence[str]) -> None:
    """By one shell: to start git is all that takes its time."""
    apply = 'git -C "$name/tree" apply --whitespace=nowarn ../patch 2>"$name/error"'
    for name in names:
        (root / name / "tree").mkdir(exist_ok=True)
    subprocess.run(
        ["sh", "-c", f"for name; do {apply}; done; true", "sh", *names],
        cwd=root,
        env=os.environ | {"GIT_CEILING_DIRECTORIES": str(root)},
        check=True,
    )


def test_there_are_enough_scenarios_and_none_is_open() -> None:
    assert len(SCENARIOS) >= 160
    assert [scenario.name for scenario in SCENARIOS if scenario.is_open] == []


def test_every_group_has_both_sides() -> None:
    groups = {scenario.group for scenario in SCENARIOS}
    refusing = Counter(scenario.group for scenario in SCENARIOS if scenario.refusal)
    mending = Counter(scenario.group for scenario in SCENARIOS if not scenario.refusal)
    assert {group for group in groups if not (refusing[group] and mending[group])} == set()


def test_every_scenario_is_well_written() -> None:
    assert [scenario.name for scenario in SCENARIOS if not _is_well_written(scenario)] == []


def _is_well_written(scenario: Scenario) -> bool:
    why = scenario.why.removesuffix("\n")
    if not scenario.patch or not why or why != why.strip() or "\n" in why:
        return False
    if scenario.refusal:
        return not scenario.after and not scenario.repairs
    return scenario.after != scenario.before or bool(scenario.executable)


def test_fills_in_what_is_open_and_nothing_else(tmp_path: Path) -> None:
    text = "--- a/x\n+++ b/x\n@@ -7 +7 @@\n-old\n+new\n"
    _write(tmp_path, {"why": "test\n", "patch": text, "before/x": "old\n", "after/x": "new\n"})
    fill(tmp_path)
    assert not (tmp_path / "repairs").exists()
    _write(tmp_path, {"repairs": "?\n", "after/x": "other\n"})
    fill(tmp_path)
    assert _lines(tmp_path / "repairs") == (OPEN,)
    _write(tmp_path, {"after/x": "new\n"})
    fill(tmp_path)
    assert _lines(tmp_path / "repairs") == _said(repair(text, {"x": "old\n"}))
    assert _tree(tmp_path / "after") == {"x": "new\n"}


def fill(folder: Path) -> bool:
    """Say the open repairs or the open refusal, where all else is as expected; false: it is not."""
    scenario = read(folder)
    done = repair(scenario.patch, scenario.before)
    kind = "refusal" if scenario.refusal else "repairs"
    if isinstance(done, Refused) is not bool(scenario.refusal):
        return False
    if isinstance(done, Repaired) and _after(done, scenario.before) != scenario.after:
        return False
    if bool(_said(done)) is not (folder / kind).exists():
        return False
    if scenario.is_open:
        _write(folder, {kind: "\n".join(_said(done)) + "\n"})
    return True


if __name__ == "__main__" and sys.argv[1:] == ["--fill"]:
    for path in sorted(FOLDER.iterdir()):
        if path.is_dir() and not fill(path):
            print(f"{path.name}: it does not end as you wrote")
