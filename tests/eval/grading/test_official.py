"""The official harness, asked about the same logs and predictions."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from planted_logs import DJANGO, PLANTED

from react_agent.eval import task
from react_agent.eval.grading.judging import judge
from react_agent.eval.store import store as stores
from react_agent.eval.task import Instance, Verdict
from react_agent.parsers.testing.log import read_statuses

pytestmark = pytest.mark.slow
ASK = Path(__file__).with_name("ask_swebench.py")


def _case(instance: Instance, log: str, parser: str, code: int) -> dict[str, Any]:
    return {
        "id": instance.id,
        "log": log,
        "parser": parser,
        "code": code,
        "fixed": instance.fail_to_pass,
        "kept": instance.pass_to_pass,
    }


def _said(
    folder: Path, cases: Sequence[Mapping[str, Any]], predictions: Sequence[Path] = ()
) -> Any:
    done = subprocess.run(
        [sys.executable, "-P", str(ASK)],
        input=json.dumps({"cases": cases, "predictions": list(map(str, predictions))}),
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _told(report: Mapping[str, Any]) -> task.Tests | None:
    """None where it does not believe the log."""
    if "tests_status" not in report:
        return None
    fixed, kept = (report["tests_status"][name] for name in ("FAIL_TO_PASS", "PASS_TO_PASS"))
    lists = (fixed["success"], fixed["failure"], kept["success"], kept["failure"])
    return task.Tests(*map(tuple, lists))


def test_it_comes_to_the_same(tmp_path: Path) -> None:
    """But where a case says why not; these are the leniencies and gaps that we know of."""
    cases = [_case(one.instance, one.text, one.parser, one.code) for one in PLANTED]
    reports = _said(tmp_path, cases)["reports"]
    theirs = {case.id: report["resolved"] for case, report in zip(PLANTED, reports, strict=True)}
    assert theirs == {case.id: case.is_resolved_officially for case in PLANTED}
    for case, report in zip(PLANTED, reports, strict=True):
        judged = judge(read_statuses(case.text), case.instance, case.code)
        assert (judged.verdict is Verdict.RESOLVED) is case.resolved
        if not case.official:
            assert (case.id, judged.tests if not judged.why else None) == (case.id, _told(report))


def _as_in(log: str, instance: Instance) -> Instance:
    """With the method behind the class, as unittest has it since Python 3.11."""

    def named(name: str) -> str:
        longer = f"{name.removesuffix(')')}.{name.partition(' ')[0]})"
        return longer if longer in log else name

    fixed, kept = map(named, instance.fail_to_pass), map(named, instance.pass_to_pass)
    return replace(instance, fail_to_pass=tuple(fixed), pass_to_pass=tuple(kept))


def test_it_reads_our_exports_and_comes_to_our_verdicts_of_the_bundled_set(
    called: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Resolved, unresolved in four ways, and no patch."""
    monkeypatch.chdir(tmp_path)
    ids = ("ledger-1", "ledger-7", "ledger-8", "wordbox-4", "wordbox-5", "timetable-8")
    only = [word for name in ids for word in ("--only", name)]
    called("run", "bundled", *only, "--out", "exp")
    called("export", "exp", "--to", "p.json")
    called("export", "exp", "--to", "p.jsonl", "--format", "jsonl")
    with closing(stores.open(tmp_path / "exp")) as store:
        records, instances = store.records(), {one.id: one for one in store.instances()}
    cases = [
        _case(_as_in(log, instances[one.key.instance]), log, DJANGO, int(code[1]))
        for one in records
        if one.folder
        and (log := (one.folder / "test_output.txt").read_text())
        and (code := re.search(r"\n\[exit code (\d+), [\d.]+ s\]\n$", log))
    ]
    said = _said(tmp_path, cases, [tmp_path / "p.json", tmp_path / "p.jsonl"])
    theirs = {case["id"]: one["resolved"] for case, one in zip(cases, said["reports"], strict=True)}
    assert theirs == {one.key.instance: one.is_resolved for one in records if one.patch}
    assert sorted(theirs.values()) == [False] * 4 + [True]
    patches = {one.key.instance: one.patch for one in records}
    for rows in said["predictions"]:
        assert {row["instance_id"]: row["model_patch"] for row in rows} == patches
