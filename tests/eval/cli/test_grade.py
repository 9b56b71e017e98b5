"""react-agent eval grade."""

from contextlib import closing
from pathlib import Path

import pytest

from react_agent.cli.main import main
from react_agent.eval.sets.issue_set import write_set
from react_agent.eval.store import store as stores
from react_agent.eval.task import PLAIN, Arm, Graded, Instance, Key, Solved, Verdict

SET = tuple(Instance(f"o__r-{n}", "o/r", "0" * 40, "p", fail_to_pass=("t",)) for n in (1, 2))


@pytest.fixture
def issues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_set(Path("set.jsonl"), SET)
    with closing(stores.create(tmp_path / "exp", {}, SET, [Arm("replay/any")], 1)) as store:
        store.solved(Solved(Key("o__r-1", PLAIN, 1)))
    return tmp_path


def _ran(*words: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(["eval", *words])
    assert isinstance(left.value.code, int)
    return left.value.code


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        pytest.param(
            ("set.jsonl",),
            "no experiment 'set.jsonl': it is a folder, or the start of a name in ",
            id="a set",
        ),
        pytest.param(
            ("exp", "--repositories", "gone"),
            "eval grade --repositories is gone: it is judged as the experiment was made",
            id="conditions",
        ),
        pytest.param(("exp", "--only", "x"), "there is no instance x", id="instance"),
        pytest.param(
            ("exp", "--model", "m"),
            "eval grade --model is gone: --only chooses instances",
            id="gone",
        ),
        pytest.param(
            ("exp", "--workers", "no"),
            "--workers is a whole number from 1 to 1000, not 'no'",
            id="workers",
        ),
    ],
)
def test_what_cannot_be_is_one_line(
    issues: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], complaint: str
) -> None:
    assert _ran("grade", *words) == 2
    told = capsys.readouterr().err
    assert (told.count("\n"), told.startswith(f"react-agent: {complaint.format(here=issues)}")) == (
        *(1, True),
    )


def test_nothing_is_solved(issues: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _ran("grade", "exp") == 0
    out = capsys.readouterr().out.splitlines()
    assert out[1] == "2 attempts, 1 to do"
    assert out[2].startswith("1/2  o__r-1 plain 1: no_patch, ")
    with closing(stores.open(issues / "exp")) as store:
        assert store.due().to_solve == (Key("o__r-2", PLAIN, 1),)


@pytest.mark.slow
def test_verdicts_are_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert (
        _ran("run", "bundled", "--only", "ledger-1", "--only", "timetable-8", "--out", "exp") == 0
    )
    with closing(stores.open(tmp_path / "exp")) as store:
        made = store.records()
        store.graded(Graded(Key("ledger-1", PLAIN, 1), Verdict.UNRESOLVED))
        assert store.records() != made
    assert _ran("grade", "exp", "--only", "ledger-1") == 0
    with closing(stores.open(tmp_path / "exp")) as store:
        assert [one.verdict for one in store.records()] == [one.verdict for one in made]
