"""react-agent eval grade."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from react_agent.cli.main import main
from react_agent.eval.sets.issue_set import write_set
from react_agent.eval.store import store as stores
from react_agent.eval.store.store import Store
from react_agent.eval.task import PLAIN, Arm, Graded, Instance, Key, Solved, Verdict

SET = tuple(Instance(f"o__r-{n}", "o/r", "0" * 40, "p", fail_to_pass=("t",)) for n in (1, 2))
OF_NONE = {"instance_id": "o__r-9", "model_name_or_path": "m", "model_patch": "x"}


@pytest.fixture
def issues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_set(Path("set.jsonl"), SET)
    with closing(stores.create(tmp_path / "exp", {}, SET, [Arm("replay/any")], 1)) as store:
        store.solved(Solved(Key("o__r-1", PLAIN, 1)))
    return tmp_path


def _predict(*rows: dict[str, str]) -> tuple[str, ...]:
    Path("preds.json").write_text(json.dumps(rows))
    return ("set.jsonl", "--predictions", "preds.json", "--out", "theirs")


def _row(number: int, model: str, patch: str) -> dict[str, str]:
    return {"instance_id": f"o__r-{number}", "model_name_or_path": model, "model_patch": patch}


def _ran(*words: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(["eval", "grade", *words])
    assert isinstance(left.value.code, int)
    return left.value.code


def _opened(name: str) -> "closing[Store]":
    return closing(stores.open(Path(name).absolute()))


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        pytest.param(
            ("exp", "--limit", "1"),
            "--repo, --limit and --out go with a set and --predictions",
            id="limit",
        ),
        pytest.param(
            ("set.jsonl",),
            "set.jsonl is no experiment: a set is judged with --predictions",
            id="a set",
        ),
        pytest.param(
            ("bundled",),
            "bundled is no experiment: a set is judged with --predictions",
            id="the set that comes with us",
        ),
        pytest.param(
            ("exp", "--repositories", "gone"),
            "there is no folder {here}/gone of repositories",
            id="repositories",
        ),
        pytest.param(("exp", "--only", "x"), "there is no instance x", id="instance"),
        pytest.param(
            ("exp", "--model", "m"),
            "eval grade --model is gone: all predictions are judged; --only chooses instances",
            id="gone",
        ),
        pytest.param(
            ("exp", "--workers", "no"),
            "--workers is a whole number from 1 to 1000, not 'no'",
            id="workers",
        ),
        pytest.param(
            ("set.jsonl", "--predictions", "none.json"),
            "none.json can't be read: No such file or directory",
            id="no predictions",
        ),
    ],
)
def test_what_cannot_be_is_one_line(
    issues: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], complaint: str
) -> None:
    assert _ran(*words) == 2
    assert capsys.readouterr().err == f"react-agent: {complaint.format(here=issues)}\n"


@pytest.mark.parametrize(
    ("rows", "more", "complaint"),
    [
        pytest.param(
            (OF_NONE,), (), "none of the predictions is of an instance of the set", id="other ids"
        ),
        pytest.param((_row(1, "m", ""),), ("--out", "exp"), "exp is there already", id="taken"),
    ],
)
def test_predictions_that_cannot_be_judged(
    issues: Path,
    capsys: pytest.CaptureFixture[str],
    rows: tuple[dict[str, str], ...],
    more: tuple[str, ...],
    complaint: str,
) -> None:
    before = sorted(issues.iterdir())
    assert _ran(*_predict(*rows), *more) == 2
    told = capsys.readouterr().err.replace(f"{issues}/", "")
    assert told == f"react-agent: {complaint}\n"
    assert sorted(issues.iterdir()) == sorted((*before, issues / "preds.json"))


def test_nothing_is_solved(issues: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _ran("exp") == 0
    out = capsys.readouterr().out.splitlines()
    assert out[1] == "2 attempts, 1 to do"
    assert out[2].startswith("1/2  o__r-1 plain 1: no_patch, ")
    with _opened("exp") as store:
        assert store.due().to_solve == (Key("o__r-2", PLAIN, 1),)


def test_each_model_is_an_arm_and_what_is_missing_no_patch(
    issues: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = (_row(1, "m", ""), _row(2, "n/o", " "), OF_NONE)
    assert _ran(*_predict(*rows)) == 0
    assert capsys.readouterr().err.splitlines() == [
        "left out: predictions of 1 other instance",
        "without a prediction, which counts as no patch: 2 attempts",
    ]
    with _opened("theirs") as store:
        assert [(arm.model, arm.name) for arm in store.arms] == [("m", "m"), ("n/o", "n/o")]
        assert [one.verdict for one in store.records()] == [Verdict.NO_PATCH] * 4


def test_one_model_is_the_plain_arm(issues: Path) -> None:
    assert _ran(*_predict(_row(2, "n", ""))) == 0
    with _opened("theirs") as store:
        assert [(arm.model, arm.name) for arm in store.arms] == [("n", PLAIN)]
        assert [one.key.instance for one in store.records()] == ["o__r-2"]


def _verdicts(name: str) -> list[tuple[str, Verdict]]:
    with _opened(name) as store:
        return [(one.key.instance, one.verdict) for one in store.records()]


@pytest.mark.slow
def test_verdicts_are_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = ("eval", "run", "bundled", "--only", "ledger-1", "--only", "timetable-8")
    with pytest.raises(SystemExit):
        main([*run, "--out", "exp"])
    made = _verdicts("exp")
    with _opened("exp") as store:
        store.graded(Graded(Key("ledger-1", PLAIN, 1), Verdict.UNRESOLVED))
    assert _verdicts("exp") != made
    assert _ran("exp", "--only", "ledger-1") == 0
    assert _verdicts("exp") == made
    with pytest.raises(SystemExit):
        main(["eval", "export", "exp", "--to", "preds.json"])
    assert _ran("bundled", "--predictions", "preds.json", "--out", "theirs") == 0
    assert _verdicts("theirs") == made
