"""The official harness, asked about the same logs and predictions."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from planted_logs import PLANTED, Planted

from react_agent.eval import task
from react_agent.eval.exports import FORMATS, Exported
from react_agent.eval.grading.judging import judge
from react_agent.eval.record import Record
from react_agent.eval.verdict import Verdict
from react_agent.parsers.statuses import read_statuses

pytestmark = pytest.mark.slow
ASK = Path(__file__).with_name("ask_swebench.py")


def _said(folder: Path, cases: Sequence[Planted], predictions: Sequence[Path] = ()) -> Any:
    asked = {
        "cases": [
            {
                "log": case.text,
                "parser": case.parser,
                "code": case.code,
                "fixed": case.instance.fail_to_pass,
                "kept": case.instance.pass_to_pass,
            }
            for case in cases
        ],
        "predictions": list(map(str, predictions)),
    }
    done = subprocess.run(
        [sys.executable, "-P", str(ASK)],
        input=json.dumps(asked),
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
    reports = _said(tmp_path, PLANTED)["reports"]
    theirs = {case.id: report["resolved"] for case, report in zip(PLANTED, reports, strict=True)}
    assert theirs == {case.id: case.is_resolved_officially for case in PLANTED}
    for case, report in zip(PLANTED, reports, strict=True):
        judged = judge(read_statuses(case.text), case.instance, case.code)
        assert (judged.verdict is Verdict.RESOLVED) is case.resolved
        if not case.official:
            assert (case.id, judged.tests if not judged.why else None) == (case.id, _told(report))


def test_its_loader_reads_the_predictions_that_we_export(tmp_path: Path) -> None:
    records = [
        Record(task.Key("a__b-1", "plain", 1), "a/b", Verdict.RESOLVED, patch="--- a/é\n"),
        Record(task.Key("a__b-2", "plain", 1), "a/b", Verdict.NO_PATCH),
    ]
    exported = Exported("trial", records, {"plain": task.Arm("some/model")})
    paths = [tmp_path / "preds.json", tmp_path / "preds.jsonl"]
    for path, form in zip(paths, ("preds", "jsonl"), strict=True):
        path.write_bytes(FORMATS[form](exported))
    rows = [
        {"instance_id": "a__b-1", "model_name_or_path": "some/model", "model_patch": "--- a/é\n"},
        {"instance_id": "a__b-2", "model_name_or_path": "some/model", "model_patch": ""},
    ]
    assert _said(tmp_path, (), paths)["predictions"] == [rows, rows]
