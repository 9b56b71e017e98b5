"""Predictions in the format of the official harness."""

import json

import pytest

from react_agent.eval.cli.report import FORMATS, predictions_of
from react_agent.eval.task import PLAIN, Arm, Key, Kind, Record, Verdict

RECORDS = (
    Record(Key("a-1", PLAIN, 1), "a/b", Verdict.RESOLVED, patch="+caf\udce9\n"),
    Record(Key("a-2", PLAIN, 1), "a/b", Verdict.CRASHED, Kind.ENDPOINT, is_infrastructure=True),
    Record(Key("a-3", PLAIN, 1), "a/b", Verdict.NO_PATCH),
)


def _row(number: int, model: str, patch: str) -> dict[str, str]:
    return {"instance_id": f"a-{number}", "model_name_or_path": model, "model_patch": patch}


@pytest.mark.parametrize(("arm", "model"), [(PLAIN, "m"), ("bare", "m bare")])
def test_what_was_not_counted_is_no_empty_patch(arm: str, model: str) -> None:
    rows = predictions_of(RECORDS, Arm("m", arm))
    assert rows == [_row(1, model, "+caf\ufffd\n"), _row(3, model, "")]
    assert json.loads(FORMATS["preds"](rows)) == {"a-1": rows[0], "a-3": rows[1]}
    assert [json.loads(line) for line in FORMATS["jsonl"](rows).splitlines()] == rows
    assert (FORMATS["preds"]([]), FORMATS["jsonl"]([])) == ("{}\n", "")
