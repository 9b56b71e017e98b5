"""A program of its own, as it imports half the world: what the official harness says.

It reads JSON: {"cases": [{"id", "log", "parser", "fixed", "kept", "code"}], "predictions": [path]}.
What it makes of these as a whole it tells of the first predictions.
"""

import contextlib
import json
import sys
from pathlib import Path
from typing import Any


def _refuse_network(event: str, _: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.getaddrinfo"):
        raise PermissionError(event)


def _reports(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    from swebench.harness import constants
    from swebench.harness.grading import get_eval_report
    from swebench.types import TestSpec

    path, found = Path("test_output.txt"), []
    for case in cases:
        lines = (constants.START_TEST_OUTPUT, case["log"], constants.END_TEST_OUTPUT)
        path.write_text("\n".join((*lines, f"{constants.TEST_EXIT_CODE}: {case['code']}", "")))
        spec = TestSpec(
            instance_id="i",
            image="",
            eval_script_list=[],
            repo="o/r",
            version="",
            FAIL_TO_PASS=case["fixed"],
            PASS_TO_PASS=case["kept"],
            log_parser=case["parser"],
            eval_type="pass_and_fail",
        )
        prediction = {"instance_id": case["id"], "model_name_or_path": "m", "model_patch": "p"}
        report = get_eval_report(spec, prediction, str(path), include_tests_status=True)
        found.append(report[case["id"]])
    return found


def _loaded(paths: list[str]) -> list[Any]:
    from swebench.harness.utils import get_predictions_from_file

    return [get_predictions_from_file(path, "", "") for path in paths]


def _whole(ids: list[str], reports: list[dict[str, Any]], predictions: list[Any]) -> Any:
    from swebench.harness.constants import LOG_REPORT, RUN_EVALUATION_LOG_DIR
    from swebench.harness.reporting import make_run_report

    rows = {row["instance_id"]: row for row in predictions}
    for name, report in zip(ids, reports, strict=True):
        model = rows[name]["model_name_or_path"].replace("/", "__")
        folder = RUN_EVALUATION_LOG_DIR / "run" / model / name
        folder.mkdir(parents=True)
        (folder / LOG_REPORT).write_text(json.dumps({name: report}))
    with contextlib.redirect_stdout(sys.stderr):
        made = make_run_report(rows, [{"instance_id": name} for name in rows], "run")
    return json.loads(made.read_text())


if __name__ == "__main__":
    sys.addaudithook(_refuse_network)
    asked = json.load(sys.stdin)
    reports, loaded = _reports(asked["cases"]), _loaded(asked["predictions"])
    ids = [case["id"] for case in asked["cases"]]
    whole = _whole(ids, reports, loaded[0]) if ids and loaded else {}
    json.dump({"reports": reports, "predictions": loaded, "whole": whole}, sys.stdout)
