"""Two arms, issue by issue, as it stands on a screen."""

from dataclasses import replace
from pathlib import Path

from check_rows import table_of
from planted_records import BARE, experiment, printed, record, transcript

from react_agent.eval.report.comparison import comparison
from react_agent.eval.report.experiment import Compared, Side
from react_agent.eval.report.statistics import Pair
from react_agent.eval.task import PLAIN, Kind, Record


def _told(compared: Compared) -> str:
    return printed(comparison(compared, 80, 5))


def _sides(*arms: list[Record]) -> Compared:
    first, second = arms
    return Compared(Side("a:plain", first), Side("b:plain", second))


def test_comparison() -> None:
    trial = experiment()
    first, second = (
        Side(f"trial:{arm}", trial.arms[arm], trial.ways[arm]) for arm in (PLAIN, BARE)
    )
    expected = Path(__file__).with_name("comparison.txt").read_text(encoding="utf-8")
    assert _told(Compared(first, second)) == expected


def test_a_flip_has_both_transcripts(tmp_path: Path) -> None:
    records = []
    for name, kind in (("a", None), ("b", Kind.STUCK)):
        folder = tmp_path / name / "attempts" / "clock-1" / "plain-1"
        folder.mkdir(parents=True)
        (folder / "transcript.txt").write_text(transcript(3))
        records.append(replace(record("clock-1", kind=kind), folder=folder))
    assert _told(_sides(*([one] for one in records))).endswith(
        "\nResolved in A, not in B: 1\n"
        "  clock-1 1: went round, step 2: the same grep 5 times<U+001B>[2J\n"
        f"    A {tmp_path}/a/attempts/clock-1/plain-1/transcript.txt\n"
        f"    B {tmp_path}/b/attempts/clock-1/plain-1/transcript.txt\n"
    )


@table_of(
    ("first", "second", "expected"),
    {
        "two tries": ([None, None], [None, Kind.STUCK], [Pair(2, 1, 2)]),
        "one not judged": ([None, None], [None, Kind.ENDPOINT], [Pair(1, 1, 1)]),
        "as many as both have": ([None], [Kind.STUCK] * 3, [Pair(1, 0, 1)]),
    },
)
def test_pairs(first: list[Kind | None], second: list[Kind | None], expected: list[Pair]) -> None:
    sides = (
        [record("clock-1", number, kind=kind) for number, kind in enumerate(kinds, start=1)]
        for kinds in (first, second)
    )
    assert _sides(*sides).pairs == expected


def test_tries_that_end_differently_are_flips() -> None:
    first = [record("clock-1"), record("clock-1", 2, kind=Kind.STUCK)]
    told = _told(_sides(first, [record("clock-1", kind=Kind.STUCK), record("clock-1", 2)]))
    assert "there are no flips" not in told
    assert "\nB resolves as much as A, but not the same (95 %: " in told


def test_what_has_no_counterpart_is_said() -> None:
    first = [record("clock-1"), record("clock-2"), record("clock-3", kind=Kind.ENDPOINT)]
    assert _told(_sides(first, [record("clock-1"), record("clock-3"), record("clock-4")])).endswith(
        "\nA and B resolve the same attempts: there are no flips.\n"
        "Not compared: 1 attempt only in A, 1 attempt only in B, 1 attempt not judged in\n"
        "A or in B.\n"
    )


def test_more_than_chance() -> None:
    first = [record(f"clock-{number}", kind=Kind.STUCK) for number in range(12)]
    second = [record(f"clock-{number}") for number in range(12)]
    assert (
        "\nB resolves more than A, by 100.0 percentage points (95 %: +65.7 to +100.0). This\n"
        "is unlikely to be chance: p < 0.001, McNemar's exact test.\n"
    ) in _told(_sides(first, second))


def test_issues_that_differ_are_not_compared() -> None:
    both = _sides([record("clock-1"), record("clock-2")], [record("clock-1"), record("clock-2")])
    assert _told(replace(both, different={"clock-2"})).endswith(
        "\nNot compared: 1 attempt at issues that differ in A and B.\n"
    )
