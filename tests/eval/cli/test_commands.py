"""The commands of `react-agent eval` that make an experiment or a set, or judge and export one."""

import fcntl
import json
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from check_rows import table_of

from react_agent.eval.cli.report import FORMATS, predictions_of
from react_agent.eval.sets.issue_set import write_set
from react_agent.eval.store import store as stores
from react_agent.eval.task import (
    PLAIN,
    Arm,
    Fault,
    Graded,
    Instance,
    Key,
    Kind,
    Record,
    Solved,
    Verdict,
)

Called = Callable[..., tuple[int, str, str]]
SET = tuple(Instance(f"o__r-{n}", "o/r", "0" * 40, "p", fail_to_pass=("t",)) for n in (1, 2, 3))
AWAY = Fault(Verdict.CRASHED, Kind.ENDPOINT, "it is away")
REPLAY = ("--model", "replay/{id}.txt")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A set, and an experiment: the first is solved, the second failed, the third is not done."""
    monkeypatch.chdir(tmp_path)
    write_set(tmp_path / "set.jsonl", SET)
    store = stores.create(tmp_path / "exp", {}, SET, [Arm("m"), Arm("m", "bare")], 2)
    store.solved(Solved(Key("o__r-1", PLAIN, 1), "+x\n"))
    store.graded(Graded(Key("o__r-1", PLAIN, 1), Verdict.RESOLVED))
    store.solved(Solved(Key("o__r-2", PLAIN, 1), fault=AWAY))
    store.close()
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


def _records(name: str) -> list[Record]:
    with closing(stores.open(Path(name).absolute())) as store:
        return store.records()


NO_SANDBOX = "--sandbox must be auto, bubblewrap, landlock, docker:IMAGE, podman:IMAGE or none"
VIEW = "query the view `results` of experiment.sqlite, as docs/experiments.md shows"
REFUSED = {  # the words of a command, and what it says
    "run set.jsonl {replay} --repositories gone": "there is no folder {here}/gone of repositories",
    "run set.jsonl {replay} --sandbox bogus": NO_SANDBOX,
    "run set.jsonl": "no model: name one with --model, or find one with `react-agent init`",
    "run bundled --base-url http://127.0.0.1:1": "no model: name one with --model, or find one",
    "run set.jsonl {replay} --tries 0": "--tries must be a whole number from 1 to 100, not '0'",
    "run set.jsonl {replay} --workers x": (
        "--workers must be a whole number from 1 to 1000, not 'x'"
    ),
    "run set.jsonl {replay} --budget-usd -1": "--budget-usd is an amount above 0, not '-1'",
    "run set.jsonl {replay} --only x": "there is no x in set.jsonl",
    "run set.jsonl {replay} --cluster local:no": "--cluster local:N needs a number of workers",
    "run set.jsonl --model openai/any": "",
    "run gone.jsonl": "there is no set 'gone.jsonl'; the set `bundled` ships with react-agent",
    "run": "Missing argument 'SET' (see react-agent eval run --help)",
    "run set.jsonl --budget-tokens 9": "eval run --budget-tokens is gone: --tokens limits a run",
    "ablate set.jsonl {replay}": "nothing to leave out: use --without hidden,repair,TOOL,...",
    "ablate set.jsonl {replay} --without hidden,fly": "nothing is called 'fly': there are ",
    "grade set.jsonl": "no experiment 'set.jsonl': name its folder, or the start of its name in ",
    "grade exp --only x": "there is no instance x",
    "grade exp --sandbox none": "eval grade --sandbox is gone: it is judged as the experiment was",
    "export exp": "predictions come from one arm: choose it with --arm (plain, bare)",
    "export exp --arm x": "there is no arm 'x': it is one of plain, bare",
    "export exp --arm plain --try 3": "there is no try 3",
    "export exp --arm plain --to pipe": "can't write pipe: not a regular file",
    "export exp --try 0": "--try must be a whole number from 1 to 100, not '0'",
    "export exp --format xml": "there is no format 'xml': it is one of preds, jsonl",
    "export exp --format csv": f"there is no format 'csv': it is gone: {VIEW}",
    "check set.jsonl --times 0": "--times must be a whole number from 1 to 100, not '0'",
    "check set.jsonl --good no/x": "no/x can't be written: there is no folder no",
    "make-set . --out new.jsonl": ". is not a git repository",
    "make-set . --out set.jsonl": "set.jsonl already exists: name a new file",
    "make-set . --out new.jsonl --since x": "eval make-set --since is gone: --limit ends it",
}


@table_of(("words", "line"), REFUSED.items())
def test_what_cannot_be_is_one_line(called: Called, here: Path, words: str, line: str) -> None:
    """Before anything is made."""
    before = sorted(here.iterdir())
    code, out, err = called(*words.replace("{replay}", " ".join(REPLAY)).split())
    assert (code in (2, 3), out, err.count("\n")) == (True, "", 1)
    assert err.startswith(f"react-agent: {line.replace('{here}', str(here))}")
    assert sorted(here.iterdir()) == before


def test_without_a_command_there_is_help(called: Called, here: Path) -> None:
    code, out, _ = called()
    assert (code, out[:44]) == (2, "Usage: react-agent eval [OPTIONS] COMMAND [A")


def test_two_coordinators_are_one_too_many(called: Called, here: Path) -> None:
    held = os.open(here / "exp/lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(held, fcntl.LOCK_EX)
    said = f"react-agent: another process is working on the experiment {here / 'exp'}\n"
    assert called("resume", "exp") == (2, "", said)
    os.close(held)


def test_exports_to_a_file_or_standard_output(called: Called, here: Path) -> None:
    code, out, err = called("export", "exp", "--arm", "plain", "--to", "preds.json")
    assert (code, out) == (0, "")
    assert err == "left out: 1 attempt that endpoint or machine failed\nnot done yet: 1 attempt\n"
    row = {"instance_id": "o__r-1", "model_name_or_path": "m", "model_patch": "+x\n"}
    assert json.loads((here / "preds.json").read_bytes()) == {"o__r-1": row}
    told = called("export", "exp", "--format", "jsonl", "--arm", "bare")
    assert told == (0, "", "not done yet: 3 attempts\n")


@pytest.mark.slow
def test_stops_at_a_budget_and_goes_on(called: Called, here: Path) -> None:
    run = ("run", "bundled", "--limit", "3", "--workers", "1", "--out", "new")
    code, out, _ = called(*run, "--budget-usd", "1")
    first = out.splitlines()
    assert (code, first[:2]) == (1, [f"experiment: {here / 'new'}", "3 attempts, 3 to do"])
    assert first[-2] == (
        "stopped: the price of the model is unknown, so a budget in $ can't be enforced; "
        f"continue: react-agent eval resume {here / 'new'}"
    )
    code, out, _ = called("resume", "new")  # by the same budget
    assert (code, out.splitlines()[1]) == (1, "3 attempts, 2 to do")
    with closing(stores.open(here / "new")) as store, store.database.transaction():
        store.database.connection.execute("DELETE FROM about WHERE name = 'budget_usd'")
    code, out, _ = called("resume", "new")
    again = out.splitlines()
    assert (code, again[-2][:22]) == (0, "3/3 done  3 resolved  ")
    assert again[-1] == f"to read it: react-agent eval report {here / 'new'}"


def test_what_is_not_counted_is_left_to_be_tried_again(called: Called, here: Path) -> None:
    words = ("--only", "o__r-1", "--seconds", "7200", "--out", "new")
    code, out, _ = called("run", "set.jsonl", *REPLAY, *words)
    said = out.splitlines()
    assert (code, said[2][:64]) == (
        *(1, "1/1  o__r-1 plain 1: env_failed, no such repository or commit, 0"),
    )
    assert said[-2] == (
        "1 attempt not counted: the endpoint, the machine or react-agent failed; "
        f"again: react-agent eval resume {here / 'new'}"
    )
    with closing(stores.open(here / "new")) as store:
        assert store.conditions.solve_s == 9000  # what it may take, and half an hour


@pytest.mark.slow
def test_what_parts_are_worth_is_not_known_if_nothing_was_judged(
    called: Called, here: Path
) -> None:
    only = ("--only", "o__r-1", "--without", "repair", "--out", "new")
    code, _, err = called("ablate", "set.jsonl", *REPLAY, *only)
    assert (code, "was judged: there is no score" in err) == (1, True)


@pytest.mark.slow
def test_verdicts_are_made_anew(called: Called, here: Path) -> None:
    only = ("--only", "ledger-1", "--only", "timetable-8")
    assert called("run", "bundled", *only, "--out", "new")[0] == 0
    made = _records("new")
    with closing(stores.open(here / "new")) as store:
        store.graded(Graded(Key("ledger-1", PLAIN, 1), Verdict.UNRESOLVED))
        assert store.records() != made
    assert called("grade", "new", "--only", "ledger-1")[0] == 0
    assert [one.verdict for one in _records("new")] == [one.verdict for one in made]


@pytest.mark.slow
def test_repairs_are_worth_an_issue(called: Called, here: Path) -> None:
    """Of one of two replays the patch is not written to the letter."""
    chosen = ("--only", "ledger-2", "--only", "ledger-3", "--workers", "2", "--out", "new")
    code, out, _ = called("ablate", "bundled", *chosen, "--without", "hidden,repair")
    assert code == 0
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


RECORDS = (
    Record(Key("a-1", PLAIN, 1), "a/b", Verdict.RESOLVED, patch="+caf\udce9\n"),
    Record(Key("a-2", PLAIN, 1), "a/b", Verdict.CRASHED, Kind.ENDPOINT, 0, "", True, patch="+"),
    Record(Key("a-3", PLAIN, 1), "a/b", Verdict.NO_PATCH),
    Record(Key("a-4", PLAIN, 1), "a/b", Verdict.ENV_FAILED, Kind.ENVIRONMENT, 0, "", True),
    Record(Key("a-5", PLAIN, 1), "a/b", Verdict.CRASHED, Kind.WORKER, 0, "", True, patch="+x\n"),
)


def _row(number: int, model: str, patch: str) -> dict[str, str]:
    return {"instance_id": f"a-{number}", "model_name_or_path": model, "model_patch": patch}


@pytest.mark.parametrize(("arm", "model"), [(PLAIN, "m"), ("bare", "m bare")])
def test_a_patch_that_was_not_judged_is_exported_and_no_empty_one(arm: str, model: str) -> None:
    rows = predictions_of(RECORDS, Arm("m", arm))
    assert rows == [_row(1, model, "+caf\ufffd\n"), _row(3, model, ""), _row(5, model, "+x\n")]
    assert json.loads(FORMATS["preds"](rows)) == {"a-1": rows[0], "a-3": rows[1], "a-5": rows[2]}
    assert [json.loads(line) for line in FORMATS["jsonl"](rows).splitlines()] == rows
    assert (FORMATS["preds"]([]), FORMATS["jsonl"]([])) == ("{}\n", "")
