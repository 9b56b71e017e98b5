"""Patches of models and what is to become of them: tests/scenarios/patches, a folder each.

folder = why, patch, before/, and after/ [repairs] | refusal

Run as a program with --fill, it replaces the `?` of repairs and refusals by what is said.
"""

import functools
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
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
def test_what_leaves_is_read_by_git(index: int, tmp_path: Path) -> None:
    scenario, done = SCENARIOS[index], _mended(index)
    _write(tmp_path, scenario.before)
    ran = subprocess.run(
        # Unknown to the user's settings: it applies as it stands or not at all.
        ["git", "-c", "apply.whitespace=nowarn", "-c", "core.filemode=true", "apply", "-"],
        cwd=tmp_path,
        env=os.environ | {"GIT_CEILING_DIRECTORIES": str(tmp_path.parent)},
        input=done.patch.encode("utf-8", "surrogateescape"),
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert _tree(tmp_path) == scenario.after
    assert _executable(tmp_path) == scenario.executable


@pytest.mark.parametrize("index", ACCEPTED)
def test_what_leaves_is_read_by_unidiff(index: int) -> None:
    done = _mended(index)
    changes = unidiff.PatchSet(done.patch)
    assert len(changes) == len(done.results)
    hunks = [f"\n{line}" for line in done.patch.split("\n") if line.startswith("@@ ")]
    assert sum(len(change) for change in changes) == len(hunks)


@pytest.mark.parametrize("index", ACCEPTED)
def test_what_leaves_has_nothing_to_mend(index: int) -> None:
    done = _mended(index)
    again = repair(done.patch, SCENARIOS[index].before)
    assert isinstance(again, Repaired), "\n".join(again.reasons)
    assert (again.patch, again.repairs) == (done.patch, ())


def _mended(index: int) -> Repaired:
    done = _done(index)
    if isinstance(done, Refused):
        pytest.fail("\n".join(done.reasons))
    return done


def test_there_are_enough_scenarios_and_none_is_open() -> None:
    assert len(SCENARIOS) >= 160
    assert [scenario.name for scenario in SCENARIOS if scenario.is_open] == []


def test_every_group_has_both_sides() -> None:
    groups = {scenario.group for scenario in SCENARIOS}
    refusing = Counter(scenario.group for scenario in SCENARIOS if scenario.refusal)
    mending = Counter(scenario.group for scenario in SCENARIOS if not scenario.refusal)
    assert {group for group in groups if not (refusing[group] and mending[group])} == set()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_is_well_written(scenario: Scenario) -> None:
    assert scenario.why.strip() == scenario.why.removesuffix("\n") != ""
    assert "\n" not in scenario.why.removesuffix("\n")
    assert scenario.patch
    assert not (scenario.refusal and (scenario.after or scenario.repairs))
    assert scenario.refusal or scenario.after != scenario.before or scenario.executable


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
