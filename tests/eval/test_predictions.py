"""Predictions, read and written, and what is told of a file that can't be read."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.errors import UsageError
from react_agent.eval.predictions import (
    Prediction,
    predictions_of,
    read_predictions,
    write_predictions,
)
from react_agent.eval.task import PLAIN, Arm, Key, Kind, Record, Verdict

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


RECORDS = (
    Record(Key("a-1", PLAIN, 1), "a/b", Verdict.RESOLVED, patch="+caf\udce9\n"),
    Record(Key("a-2", PLAIN, 1), "a/b", Verdict.CRASHED, Kind.ENDPOINT, is_infrastructure=True),
    Record(Key("a-3", PLAIN, 1), "a/b", Verdict.NO_PATCH),
)


@pytest.mark.parametrize("form", ["preds", "jsonl"])
@pytest.mark.parametrize(("arm", "model"), [(PLAIN, "m"), ("bare", "m bare")])
def test_reads_back_what_is_exported(tmp_path: Path, form: str, arm: str, model: str) -> None:
    """What was not counted is no empty patch."""
    path = tmp_path / "exported"
    path.write_bytes(write_predictions(predictions_of(RECORDS, Arm("m", arm)), form))
    assert read_predictions(path) == (
        Prediction("a-1", model, "+caf\ufffd\n"),
        Prediction("a-3", model, ""),
    )


@given(st.text(max_size=30), st.text(max_size=30))
def test_whatever_stands_in_it_an_export_can_be_read(name: str, text: str) -> None:
    written = [Prediction(name, text, text)]
    assert set(json.loads(write_predictions(written, "preds"))) == {name}
    assert json.loads(write_predictions(written, "jsonl"))["model_patch"] == text


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"preds\.json can't be read: No such file or directory"):
        read_predictions(tmp_path / "preds.json")
