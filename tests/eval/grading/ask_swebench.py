"""A program of its own, as it imports half the world: what the official harness says.

It reads JSON: {"cases": [{"id", "log", "parser", "fixed", "kept", "code"}], "predictions": [path]}.
"""

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


if __name__ == "__main__":
    sys.addaudithook(_refuse_network)
    asked = json.load(sys.stdin)
    reports, loaded = _reports(asked["cases"]), _loaded(asked["predictions"])
    json.dump({"reports": reports, "predictions": loaded}, sys.stdout)
