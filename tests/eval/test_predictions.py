"""What others predict, and what is told of a file that can't be read."""

import json
from pathlib import Path

import pytest

from react_agent.errors import UsageError
from react_agent.eval.exports import FORMATS, Exported
from react_agent.eval.predictions import Prediction, read_predictions
from react_agent.eval.task import Arm, Key, Record, Verdict

ONE = {"instance_id": "a-1", "model_name_or_path": "m", "model_patch": "--- a\n"}
TWO = {"instance_id": "a-2", "model_name_or_path": "m", "model_patch": None}
BOTH = (Prediction("a-1", "m", "--- a\n"), Prediction("a-2", "m", ""))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(json.dumps({"a-1": ONE, "a-2": TWO}), BOTH, id="by ids"),
        pytest.param(json.dumps([ONE, TWO], indent=2), BOTH, id="a list"),
        pytest.param(f"{json.dumps(ONE)}\n\n{json.dumps(TWO)}\n", BOTH, id="lines"),
        pytest.param(json.dumps(ONE), BOTH[:1], id="one alone"),
        pytest.param(
            json.dumps({"a-1": {"model_patch": ""}}),
            (Prediction("a-1", "unnamed", ""),),
            id="only a patch",
        ),
        pytest.param(
            json.dumps([ONE, {**ONE, "model_name_or_path": "n"}]),
            (BOTH[0], Prediction("a-1", "n", "--- a\n")),
            id="two models",
        ),
    ],
)
def test_reads_predictions(tmp_path: Path, text: str, expected: tuple[Prediction, ...]) -> None:
    path = tmp_path / "preds.json"
    path.write_text(text)
    assert read_predictions(path) == expected


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("", "there are no predictions in {}", id="empty"),
        pytest.param("{}", "{}, line 1: expected instance_id, found ''", id="nothing"),
        pytest.param("no", "{}, line 1: expected JSON, found 'no'", id="no JSON"),
        pytest.param(
            f"{json.dumps(ONE)}\n[",
            "{}, line 2: expected JSON, found '['",
            id="one bad line",
        ),
        pytest.param(
            "[1]",
            "{}, line 1: expected an object with instance_id, model_patch, ..., found '1'",
            id="a number",
        ),
        pytest.param(
            '{"a-1": {"patch": ""}}',
            "{}, line 1: expected model_patch, found 'patch'",
            id="no patch",
        ),
        pytest.param(
            '{"model_patch": ""}\n{',
            "{}, line 1: expected instance_id, found 'model_patch'",
            id="no id",
        ),
        pytest.param(
            '[{"instance_id": 1, "model_patch": ""}]',
            "{}, line 1: expected a text as instance_id, found '1'",
            id="a number as id",
        ),
        pytest.param(
            json.dumps({"a-1": TWO}),
            "{}, line 1: expected instance_id a-1, found 'a-2'",
            id="two ids",
        ),
        pytest.param(
            f"{json.dumps(ONE)}\n{json.dumps(ONE)}",
            "{}, line 2: expected one prediction of m for each, found 'a-1'",
            id="twice",
        ),
    ],
)
def test_says_what_is_wrong(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "preds.json"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        read_predictions(path)
    assert str(caught.value) == complaint.replace("{}", str(path))


@pytest.mark.parametrize("form", ["preds", "jsonl"])
def test_reads_back_what_is_exported(tmp_path: Path, form: str) -> None:
    record = Record(Key("a-1", "plain", 1), "a/b", Verdict.RESOLVED, patch="--- a\n")
    path = tmp_path / "exported"
    path.write_bytes(FORMATS[form](Exported("trial", [record], {"plain": Arm("m")})))
    assert read_predictions(path) == BOTH[:1]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"preds\.json can't be read: No such file or directory"):
        read_predictions(tmp_path / "preds.json")
