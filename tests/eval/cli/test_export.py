"""react-agent eval export"""

import json
from pathlib import Path

import pytest

from react_agent.cli.main import main
from react_agent.eval.store import store as stores
from react_agent.eval.task import Arm, Fault, Graded, Instance, Key, Kind, Solved, Verdict

ARMS = (Arm("m"), Arm("m", "bare"))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The first is resolved, the second was failed by the endpoint, the third is not done."""
    instances = [Instance(f"a__b-{n}", "a/b", "abc", "It fails") for n in (1, 2, 3)]
    store = stores.create(tmp_path / "trial", {}, instances, ARMS, 2)
    store.solved(Solved(Key("a__b-1", "plain", 1), "+x\n"))
    store.graded(Graded(Key("a__b-1", "plain", 1), Verdict.RESOLVED))
    away = Fault(Verdict.CRASHED, Kind.ENDPOINT, "it is away")
    store.solved(Solved(Key("a__b-2", "plain", 1), fault=away))
    store.close()
    return store.folder


def _called(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["eval", "export", *arguments])
    return ended.value.code, *capsys.readouterr()


def test_writes_a_file(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    to = place / "preds.json"
    code, out, err = _called(capsys, str(place), "--arm", "plain", "--to", str(to))
    assert (code, out) == (0, "")
    row = {"instance_id": "a__b-1", "model_name_or_path": "m", "model_patch": "+x\n"}
    assert json.loads(to.read_bytes()) == {"a__b-1": row}
    assert err == ("left out: 1 attempt that endpoint or machine failed\nnot done yet: 1 attempt\n")


def test_writes_to_standard_output(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = _called(capsys, str(place), "--format", "jsonl", "--arm", "bare")
    assert (code, err, out) == (0, "not done yet: 3 attempts\n", "")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        pytest.param((), "predictions are of one arm: choose it by --arm (plain, bare)", id="arms"),
        pytest.param(("--arm", "x"), "there is no arm 'x': it is one of plain, bare", id="no arm"),
        pytest.param(
            ("--arm", "plain", "--try", "3"),
            "there is no try 3",
            id="no try",
        ),
        pytest.param(
            ("--format", "xml"),
            "there is no format 'xml': it is one of preds, jsonl",
            id="no format",
        ),
        pytest.param(
            ("--format", "csv"),
            "there is no format 'csv': it is gone: ask the view `results` of experiment.sqlite, as "
            "docs/experiments.md shows",
            id="a format that is gone",
        ),
        pytest.param(
            ("--try", "0"), "--try is a whole number from 1 to 100, not '0'", id="no such try"
        ),
    ],
)
def test_refuses(
    place: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    assert _called(capsys, str(place), *arguments) == (2, "", f"react-agent: {told}\n")
