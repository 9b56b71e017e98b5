"""An experiment that is made, worked on, broken off and read again."""

import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from react_agent.errors import MachineError, UsageError
from react_agent.eval import task
from react_agent.eval.engine.runner import spent_in
from react_agent.eval.store import store as stores
from react_agent.eval.store.database import VERSION
from react_agent.eval.store.files import find_experiment
from react_agent.eval.store.store import Due, Store
from react_agent.eval.task import (
    Arm,
    Conditions,
    Fault,
    Graded,
    Instance,
    Key,
    Kind,
    Record,
    Solved,
    Task,
    Used,
    Verdict,
)

GOLD = "diff --git a/f.py b/f.py\n--- a/f.py\n+++ b/f.py\n@@ -1 +1 @@\n-1\n+2\n"
ONE = Instance(
    *("o__r-1", "o/r", "abc", "It fails\N{SNOWMAN}"),
    patch=GOLD,
    fail_to_pass=("t.py::test_a[x y]",),
    pass_to_pass=("t.py::test_b",),
)
TWO = replace(ONE, id="o__r-2", problem="lone \ud800 surrogate", fail_to_pass=())
ARMS = (Arm("replay/{id}"), Arm("m", "bare", "issue", ("hidden", "repair"), {"steps": "9"}))
A1 = Key("o__r-1", "plain", 1)
A2 = Key("o__r-2", "plain", 1)
ENDPOINT = Fault(Verdict.CRASHED, Kind.ENDPOINT, "it is overloaded")
HANGS = Fault(Verdict.TIMED_OUT, Kind.TESTS_HANG, "the tests did not end in 3 s")
TRANSCRIPT = b"""%% react-agent transcript: 2
%% run: r
Objective: Fix it
%% started:
Thought: look
Action: read_file
Action Input: f.py
%% turn: n=1 in=100 out=10 cached=40 cost=0.5 seconds=1.5
Observation: f.py lines 1-1 of 1
1| 1
%% step: n=1 status=ok kind=read tool=read_file paths=f.py seconds=0.5
Thought: done
Conclusion: It is as it should be.
%% turn: n=2 in=120 out=5 cost=0.25 seconds=1
%% stop: concluded by the model
"""


def _made(folder: Path, tries: int = 1, arms: tuple[Arm, ...] = ARMS[:1]) -> Store:
    return stores.create(folder, {"set": "s.jsonl"}, [ONE, TWO], arms, tries)


def _again(store: Store) -> Store:
    store.close()
    return stores.open(store.folder)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "below" / "exp"


@pytest.fixture
def store(place: Path) -> Iterator[Store]:
    with closing(_made(place)) as store:
        yield store


def test_keeps_what_was_asked_for(place: Path) -> None:
    conditions = Conditions(Path("/mirrors"), "none", True, solve_s=1.5)
    store = stores.create(place, {"set": "s", "version": "1"}, [ONE, TWO], ARMS, 2, conditions)
    store = _again(store)
    assert store.about == {"set": "s", "version": "1"}
    assert store.instances() == [ONE, TWO]
    key = Key("o__r-2", "bare", 2)
    assert store.task(key) == Task(key, TWO, ARMS[1], conditions)
    keys = [(one.id, arm.name, n) for n in (1, 2) for one in (ONE, TWO) for arm in ARMS]
    assert store.due() == Due(tuple(Key(*key) for key in keys))
    assert (len(store.waiting()), store.records()) == (8, [])
    store.close()


def test_tells_what_came_of_an_attempt(place: Path) -> None:
    store = _made(place)
    files = {"transcript.txt": TRANSCRIPT, "report.md": b"# Report\n"}
    store.solved(Solved(A1, "", files, 3.0, 0.25))
    assert store.due() == Due((A2,), (A1,))
    assert store.record(A1) is None
    tests = task.Tests((), ("t.py::test_a[x y]",), ("t.py::test_b",))
    told = store.graded(Graded(A1, Verdict.NO_PATCH, tests, b"log \xff", 2.0))
    parts = told.used.parts
    used = Used(*(1, 220, 15, 40, 0.75, 3.0, {"read_file": 1}), parts=parts)
    expected = Record(
        A1,
        "o/r",
        Verdict.NO_PATCH,
        Kind.NOT_EDITED,
        1,
        "f.py was not changed",
        stop="concluded",
        used=used,
        tests=tests,
        folder=place / "attempts" / "o__r-1" / "plain-1",
    )
    assert (told, sum(parts.values()) > 0) == (expected, True)
    store = _again(store)
    assert store.records() == [expected]
    assert (store.due(), store.waiting()) == (Due((A2,)), (A2,))
    assert store.due(grade_again=True) == Due((A2,), (A1,))
    assert {path.name: path.read_bytes() for path in (expected.folder or place).iterdir()} == {
        **files,
        "patch.diff": b"",
        "test_output.txt": b"log \xff",
    }
    store.close()


def test_a_failure_of_the_surroundings_is_done_again(store: Store, place: Path) -> None:
    store.solved(Solved(A1, files={"transcript.txt": TRANSCRIPT, "old": b""}, fault=ENDPOINT))
    assert store.due() == Due((A1, A2))
    failed = store.record(A1)
    assert failed and (failed.verdict, failed.kind) == (Verdict.CRASHED, Kind.ENDPOINT)
    assert (failed.is_infrastructure, failed.reason) == (True, "it is overloaded")
    patch = b"+caf\xe9\x00\n"
    store.solved(Solved(A1, patch.decode(errors="surrogateescape")))
    assert store.patch(A1).encode(errors="surrogateescape") == patch
    assert [path.read_bytes() for path in (failed.folder or place).iterdir()] == [patch]
    assert store.due() == Due((A2,), (A1,))
    away = Fault(Verdict.CRASHED, Kind.WORKER, "the worker died")
    assert store.graded(Graded(A1, Verdict.CRASHED, fault=away)).is_infrastructure
    assert store.due() == Due((A2,), (A1,))
    assert store.graded(Graded(A1, Verdict.TIMED_OUT, fault=HANGS)).kind == Kind.TESTS_HANG
    assert store.due() == Due((A2,))
    assert store.graded(Graded(A1, Verdict.RESOLVED)).is_resolved
    assert store.graded(Graded(A1, Verdict.CRASHED, fault=away)).is_resolved


def test_what_runs_cost_that_are_tried_again_is_kept(store: Store) -> None:
    for _ in range(2):
        store.solved(Solved(A1, files={"transcript.txt": TRANSCRIPT}, fault=ENDPOINT))
    once = spent_in(store)
    store.solved(Solved(A1, files={"transcript.txt": TRANSCRIPT}))
    assert once.tokens > 0
    assert spent_in(store).tokens * 2 == once.tokens * 3


@pytest.mark.parametrize(
    ("stop", "due"),
    [
        pytest.param(b"model_failed the endpoint is away", (A1, A2), id="endpoint"),
        pytest.param(b"model_failed the model refuses to answer: x", (A2,), id="refusal"),
        pytest.param(b"interrupted by a signal", (A1, A2), id="interrupted"),
        pytest.param(b"stuck 3 replies in a row could not be read", (A2,), id="stuck"),
    ],
)
def test_how_a_run_ended_says_whose_failure_it_is(
    store: Store, stop: bytes, due: tuple[Key, ...]
) -> None:
    text = TRANSCRIPT.replace(b"concluded by the model", stop)
    store.solved(Solved(A1, files={"transcript.txt": text}))
    assert store.due().to_solve == due


def test_what_a_worker_names_stays_in_the_folder(store: Store, place: Path) -> None:
    names = ("../../up", "/abs", "sub/../../x", "", "a\0b", "sub/001/transcript.txt", "./ok", "d/")
    store.solved(Solved(A1, files=dict.fromkeys(names, b"x")))
    found = [path.relative_to(place.parent) for path in place.parent.rglob("*") if path.is_file()]
    below = Path("exp/attempts/o__r-1/plain-1")
    ours = {path for path in found if path.parent != Path("exp")}
    assert ours == {below / "sub/001/transcript.txt", below / "ok", below / "patch.diff"}


def _executed(statement: str) -> Callable[[Path], object]:
    def execute(file: Path) -> None:
        with closing(sqlite3.connect(file)) as database:
            database.execute(statement)

    return execute


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (Path.unlink, r"/exp is not an experiment: it has no experiment.sqlite\Z"),
        (lambda file: file.write_bytes(b""), r".sqlite was not completely created: remove it"),
        (_executed("PRAGMA user_version = 2"), r".sqlite was made by a newer react-agent: use"),
        (_executed("DROP TABLE arms"), r"\Acan't read [^\n]+: no such table: arms\Z"),
        (lambda file: file.write_bytes(b"damaged!" * 4000), r"\Acan't (read|open) [^\n]+\Z"),
    ],
    ids=("gone", "half made", "newer", "a table is missing", "damaged"),
)
def test_a_file_that_cannot_be_used_is_one_line(
    place: Path, spoil: Callable[[Path], object], told: str
) -> None:
    _made(place).close()
    with pytest.raises(UsageError, match="already contains an experiment"):
        _made(place)
    spoil(place / "experiment.sqlite")
    with pytest.raises((UsageError, MachineError), match=told):
        stores.open(place)


def test_what_is_in_the_way_is_one_line(place: Path) -> None:
    place.parent.mkdir()
    place.touch()
    with pytest.raises(MachineError, match=r"\Acan't make .*/exp: File exists\Z"):
        _made(place)
    place.unlink()
    store = _made(place)
    (place / "attempts").touch()
    with pytest.raises(MachineError, match=r"\Acan't write .*/plain-1: File exists\Z"):
        store.solved(Solved(A1))
    assert store.due() == Due((A1, A2))
    store.close()


def test_is_judged_again_after_its_files_were_removed(place: Path) -> None:
    with closing(_made(place)) as store:
        store.solved(Solved(A1))
        shutil.rmtree(place / "attempts")
        store.graded(Graded(A1, Verdict.RESOLVED, log=b"1 passed"))
    assert [file.name for file in place.rglob("test_output.txt")] == ["test_output.txt"]


def test_is_read_while_it_is_written(store: Store, place: Path) -> None:
    other = stores.open(place)
    with store.database.transaction():
        store.database.put("about", {"name": "new", "value": "x"})
        assert (other.due(), other.records()) == (Due((A1, A2)), [])
    store.solved(Solved(A1, GOLD))
    assert other.due() == Due((A2,), (A1,))
    other.close()


def test_a_transaction_is_all_or_nothing(place: Path) -> None:
    store = _made(place)
    with pytest.raises(MachineError, match="NOT NULL"), store.database.transaction():
        store.database.put("about", {"name": "new", "value": "x"})
        store.database.put("about", {"name": "newer", "value": None})
    assert _again(store).about == {"set": "s.jsonl"}


def test_finds_one_by_its_name(tmp_path: Path) -> None:
    for name in ("one", "other", "oth"):
        _made(tmp_path / name).close()
    (tmp_path / "empty").mkdir()
    for named, found in (("on", "one"), ("oth", "oth"), (str(tmp_path / "one"), "one")):
        assert find_experiment(named, tmp_path) == tmp_path / found
    with pytest.raises(UsageError, match=r"\A3 experiments begin with 'o': one, oth, other\Z"):
        find_experiment("o", tmp_path)
    with pytest.raises(UsageError, match=r"\Ano experiment 'e': name its folder, or the start of"):
        find_experiment("e", tmp_path)


PAGE = Path(__file__).parents[3] / "docs/experiments.md"


@pytest.mark.checkout
def test_every_table_is_documented() -> None:
    database = sqlite3.connect(":memory:")
    database.executescript(
        files("react_agent.eval.store").joinpath("schema.sql").read_text(encoding="utf-8")
    )
    query = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')"
    found = {name for (name,) in database.execute(query)}
    database.close()
    text = PAGE.read_text(encoding="utf-8").partition("## The tables")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)`", text, re.MULTILINE)) == found
    assert f"schema version, currently {VERSION}." in text


@pytest.mark.checkout
def test_every_kind_is_documented() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## Why")[2].partition("\n## ")[0]
    assert [
        kind.value for kind in Kind if kind.value not in text and not kind.is_infrastructure
    ] == []
