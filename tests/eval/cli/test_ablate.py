"""react-agent eval ablate"""

from pathlib import Path

import pytest

from react_agent.cli.main import main
from react_agent.eval.sets.issue_set import write_set
from react_agent.eval.task import Instance


def _ran(*words: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(["eval", "ablate", *words])
    assert isinstance(left.value.code, int)
    return left.value.code


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param((), "nothing to go without: say --without hidden,repair,TOOL,...", id="none"),
        pytest.param(
            ("--without", "hidden,fly"), "nothing is called 'fly': there are ", id="no such part"
        ),
    ],
)
def test_says_what_can_not_be_before_it_makes_anything(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    expected: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    write_set(tmp_path / "set.jsonl", (Instance("a", "o/n", "0" * 40, "x"),))
    assert _ran("set.jsonl", "--model", "replay/{id}.txt", "--out", "out", *words) == 2
    assert capsys.readouterr().err.startswith(f"react-agent: {expected}")
    assert [path.name for path in tmp_path.iterdir()] == ["set.jsonl"]


@pytest.mark.slow
def test_repairs_are_worth_an_issue(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Of one of two replays the patch is not written to the letter."""
    chosen = ("--only", "ledger-2", "--only", "ledger-3", "--workers", "2")
    without = ("--without", "hidden,repair", "--out", str(tmp_path / "worth"))
    assert _ran("bundled", *chosen, *without) == 0
    out = capfd.readouterr().out
    assert (
        "\nWhat each is worth\n"
        "arm        won  lost  points   95 % interval      p  tokens  cost\n"
        "no-hidden    0     0    +0.0  -65.8 to +65.8  1.000  x 1.00     -\n"
        "no-repair    0     1   -50.0  -90.5 to +27.3  1.000  x 1.00     -\n"
    ) in out
    assert (
        "\nResolved\n"
        "arm        resolved     rate    95 % interval   of all  not counted\n"
        "plain        2 of 2  100.0 %  34.2 to 100.0 %  100.0 %            0\n"
        "no-hidden    2 of 2  100.0 %  34.2 to 100.0 %  100.0 %            0\n"
        "no-repair    1 of 2   50.0 %    9.5 to 90.5 %   50.0 %            0\n"
    ) in out
