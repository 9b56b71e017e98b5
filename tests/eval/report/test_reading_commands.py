"""`eval report` and `eval compare`, on experiments that are stored."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from planted_records import transcript

from react_agent.eval.store import store as stores
from react_agent.eval.task import Arm, Fault, Graded, Instance, Key, Kind, Solved, Verdict

Called = Callable[..., tuple[int, str, str]]
ONE = Instance("clock-1", "demo/clock", "abc", "It fails", fail_to_pass=("test_a",))
TWO = replace(ONE, id="clock-2")
ARMS = (Arm("openai/gpt-6"), Arm("openai/gpt-6", "no-hidden", without=("hidden",)))
BUSY = Fault(Verdict.CRASHED, Kind.ENDPOINT, "it is overloaded")
Came = Mapping[tuple[str, str], Verdict | Fault]
DONE: Came = {
    ("clock-1", "plain"): Verdict.RESOLVED,
    ("clock-2", "plain"): Verdict.RESOLVED,
    ("clock-1", "no-hidden"): Verdict.UNRESOLVED,
    ("clock-2", "no-hidden"): BUSY,
}
TWO_PLAIN = ("clock-2", "plain")


def _made(folder: Path, came: Came = DONE, *instances: Instance) -> Path:
    store = stores.create(folder, {"set": "s.jsonl"}, instances or (ONE, TWO), ARMS, 1)
    for (instance, arm), verdict in came.items():
        key = Key(instance, arm, 1)
        files = {"transcript.txt": transcript(3).encode()}
        fault = verdict if isinstance(verdict, Fault) else None
        store.solved(Solved(key, "" if fault else "diff", files, 1.0, fault=fault))
        if isinstance(verdict, Verdict):
            store.graded(Graded(key, verdict))
    store.close()
    return folder


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of experiments that are only read."""
    folder = tmp_path_factory.mktemp("experiments")
    _made(folder / "empty", {})
    _made(folder / "trial")
    _made(folder / "down", dict.fromkeys(DONE, BUSY))
    _made(folder / "changed", {TWO_PLAIN: Verdict.UNRESOLVED}, ONE, replace(TWO, base="def"))
    return folder


def test_report(called: Called, place: Path) -> None:
    trial = place / "trial"
    code, out, err = called("report", str(trial))
    assert (code, err) == (0, "")
    assert out.startswith(
        "trial: 2 instances and 2 arms, 4 attempts done\n"
        "set: s.jsonl\n"
        "plain: openai/gpt-6, profile issue\n"
        "no-hidden: openai/gpt-6, profile issue, without hidden\n"
        f"in {trial}\n"
        "\n"
        "Resolved\n"
        "arm        resolved     rate    95 % interval   of all  not counted\n"
        "plain        2 of 2  100.0 %  34.2 to 100.0 %  100.0 %            0\n"
        "no-hidden    0 of 1    0.0 %    0.0 to 79.3 %    0.0 %            1\n"
    )
    assert "\nthe endpoint failed: 1\n  clock-2 no-hidden 1: it is overloaded\n" in out


def test_report_of_what_goes_on_also_as_a_page(called: Called, place: Path, tmp_path: Path) -> None:
    code, out, _ = called("report", str(place / "changed"))
    assert code == 0
    assert out.startswith("changed: 2 instances and 2 arms, 1 attempt done, 3 not yet\n")
    page = tmp_path / "changed.html"
    told = called("report", str(place / "changed"), "--html", str(page))
    assert told == (0, f"written: {page}\n", "")
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert "<h1>changed, 1 of 4 attempts</h1>" in text and "LONG_NAMES" in text


def test_where_nothing_was_judged_it_says_why_and_gives_no_score(
    called: Called, place: Path
) -> None:
    code, out, err = called("report", str(place / "down"))
    assert (code, err) == (2, "react-agent: no attempt of down was judged: there is no score\n")
    assert out.partition("\n\n")[2].startswith(
        "Not counted: 4 attempts\n"
        "Failures of the endpoint, the machine or react-agent itself. They are not\n"
        "counted for or against the model; `eval resume` tries them again.\n"
        "the endpoint failed: 4\n"
        "  clock-1 plain 1: it is overloaded\n"
    )


def test_compare_two_arms(called: Called, place: Path) -> None:
    trial = place / "trial"
    code, out, err = called("compare", f"{trial}:plain", f"{trial}:no-hidden")
    assert (code, err) == (0, "")
    assert out.startswith(
        "A  trial:plain  openai/gpt-6, profile issue\n"
        "B  trial:no-hidden  openai/gpt-6, profile issue, without hidden\n"
        "\n"
        "1 instance, 1 attempt judged in both\n"
    )
    assert out.count(f"{trial}/attempts/clock-1/") == 2


@pytest.mark.parametrize(
    ("words", "said"),
    {
        "report empty": "nothing of empty is finished: there is no score",
        "report empty --html x": "there are no attempts to show",
        "report trial --html trial/experiment.sqlite": (
            "trial/experiment.sqlite exists and is not a page: it was not overwritten"
        ),
        "compare trial trial:plain": "trial has the arms plain, no-hidden: say trial:ARM",
        "compare trial:plain trial:bare": "trial has the arms plain, no-hidden, and no bare",
        "compare trial:plain down:plain": (
            "no attempt was judged in both trial:plain and down:plain"
        ),
        "compare trial:plain changed:plain": (  # an issue that differs
            "no attempt was judged in both trial:plain and changed:plain"
        ),
    }.items(),
)
def test_says_in_a_line_what_can_not_be(
    called: Called, place: Path, monkeypatch: pytest.MonkeyPatch, words: str, said: str
) -> None:
    monkeypatch.chdir(place)
    code, _, err = called(*words.split())
    assert (code, err) == (2, f"react-agent: {said}\n")
