"""Why an attempt is not resolved, and the step that shows it."""

import pytest
from check_rows import table_of

from react_agent.eval import task
from react_agent.eval.reading import Run, Why, fault_of, files_of, read_run, why
from react_agent.eval.task import Fault, Graded, Instance, Key, Kind, Verdict

HEAD = "%% react-agent transcript: 2\n%% run: r\nObjective: Fix it\n%% started:\n"
KEY = Key("a__b-1", "plain", 1)
FAILS = task.Tests((), ("t::x",), ("t::y",))
BREAKS = task.Tests(("t::x",), (), (), ("t::y", "t::z"))
BOTH = task.Tests((), ("t::x", "t::w"), (), ("t::y",))


def _diff(*paths: str) -> str:
    return "".join(
        f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-1\n+2\n"
        for path in paths
    )


GOLD = Instance("a__b-1", "a/b", "abc", "It fails", patch=_diff("src/f.py"))


def _step(number: int, seen: str, facts: str, action: str = "run") -> str:
    said = f"Thought: go on\nAction: {action}\nAction Input: x\n%% turn: n={number}\n"
    return f"{said}Observation: {seen}\n%% step: n={number} {facts}\n"


def _read(number: int, path: str = "src/f.py") -> str:
    return _step(number, "1| x", f"status=ok kind=read tool=read_file paths={path}")


def _wrote(number: int, path: str = "src/f.py") -> str:
    return _step(number, "done", f"status=ok kind=write tool=replace paths={path}")


def _failed(number: int) -> str:
    return _step(number, "It stands nowhere in src/f.py", "status=failed kind=write tool=replace")


def _unread(number: int) -> str:
    said = f"Thought: ???\n%% malformed: there is no action\n%% turn: n={number}\n"
    return f"{said}Observation: Your reply could not be read.\n%% step: n={number} status=failed\n"


def _end(stop: str = "concluded by the model", said: str = "It is fixed.") -> str:
    return f"Thought: done\nConclusion: {said}\n%% turn: n=9\n%% stop: {stop}\n"


def _stop(stop: str) -> str:
    return f"%% stop: {stop}\n"


def _run(*parts: str, **subs: str) -> Run:
    files = {"transcript.txt": "".join((HEAD, *parts)).encode()}
    files |= {
        f"sub/{name[1:]}/transcript.txt": (HEAD + text).encode() for name, text in subs.items()
    }
    return read_run(files)


OTHER = _read(1, "src/other.py")
ROUND = "%% stuck: pattern=cycle steps=2-3 answer=stop\n"
BACK = "%% retracted: steps=1 why=no\n"
LISTED = _step(1, "src/f.py", "status=ok kind=read tool=list_files", "list_files")
GREPPED = _step(1, "src/f.py:3: x", "status=ok kind=search tool=grep", "grep")
ALIKE = _step(1, "my-src/f.py:3: x, src/f.pyc", "status=ok kind=search tool=grep", "grep")
DIRTY = _step(1, "see ./src/f.py: line 3", "status=failed kind=run tool=run")


@table_of(
    ("run", "patch", "tests", "expected"),
    [
        pytest.param(
            _run(OTHER, _end()),
            "",
            FAILS,
            Why(Kind.NEVER_FOUND, 2, "no step shows src/f.py"),
            id="never found",
        ),
        pytest.param(
            _run(LISTED, _end()),
            "",
            FAILS,
            Why(Kind.NEVER_FOUND, 2, "no step shows src/f.py"),
            id="a name in a list is not found",
        ),
        pytest.param(
            _run(ALIKE, _end()),
            "",
            FAILS,
            Why(Kind.NEVER_FOUND, 2, "no step shows src/f.py"),
            id="a name that is a part of another is not found",
        ),
        pytest.param(
            _run(OTHER, _wrote(2, "src/other.py"), _end()),
            _diff("src/other.py"),
            FAILS,
            Why(Kind.NEVER_FOUND, 3, "no step shows src/f.py"),
            id="another file was edited",
        ),
        pytest.param(
            _run(OTHER, _read(2), _read(3), _end()),
            "",
            FAILS,
            Why(Kind.NOT_EDITED, 2, "src/f.py was not changed"),
            id="opened, not edited",
        ),
        pytest.param(
            _run(GREPPED, _end()),
            "",
            FAILS,
            Why(Kind.NOT_EDITED, 1, "src/f.py was not changed"),
            id="found by a search",
        ),
        pytest.param(
            _run(DIRTY, _wrote(2, "src/other.py"), _end()),
            _diff("src/other.py"),
            FAILS,
            Why(Kind.NOT_EDITED, 1, "src/f.py was not changed; it changed src/other.py"),
            id="found by a command, another file was edited",
        ),
        pytest.param(
            _run(_wrote(1), BACK, _end()),
            "",
            FAILS,
            Why(Kind.NOT_EDITED, 1, "src/f.py was not changed"),
            id="its edit was taken back",
        ),
        pytest.param(
            _run(_read(1), _wrote(2), OTHER, _end()),
            _diff("src/f.py"),
            FAILS,
            Why(Kind.TESTS_FAIL, 2, "t::x still fails"),
            id="the tests fail",
        ),
        pytest.param(
            _run(_read(1), _wrote(2), _end()),
            _diff("src/f.py"),
            BOTH,
            Why(Kind.TESTS_FAIL, 2, "t::x and 1 other test still fail; it broke 1 other"),
            id="and it broke others",
        ),
        pytest.param(
            _run(_wrote(1), _stop("out_of_steps after 1 steps")),
            _diff("src/f.py"),
            BREAKS,
            Why(Kind.BROKE_OTHERS, 1, "t::y and 1 other test passed before it"),
            id="fixed, and broke others, whatever ended it",
        ),
        pytest.param(
            _run(_read(1), _failed(2), _failed(3), _end()),
            "",
            FAILS,
            Why(Kind.PATCH_REFUSED, 3, "It stands nowhere in src/f.py"),
            id="edits refused",
        ),
        pytest.param(
            _run(_failed(1), _wrote(2), _end()),
            _diff("src/f.py"),
            FAILS,
            Why(Kind.TESTS_FAIL, 2, "t::x still fails"),
            id="an edit that was refused, and another that was not",
        ),
        pytest.param(
            _run(_read(1), _end("gave_up as it said", "I can't.")),
            "",
            FAILS,
            Why(Kind.GAVE_UP, 2, "I can't."),
            id="gave up",
        ),
        pytest.param(
            _run(_read(1), _stop("model_failed the model refuses to answer: policy")),
            "",
            FAILS,
            Why(Kind.GAVE_UP, 1, "the model refuses to answer: policy"),
            id="refused to answer",
        ),
        pytest.param(
            _run(_read(1), _read(2), _read(3), ROUND, _stop("stuck in a cycle")),
            "",
            FAILS,
            Why(Kind.STUCK, 2, "in a cycle"),
            id="stuck",
        ),
        pytest.param(
            _run(_read(1), _unread(2), _unread(3), _stop("stuck 2 replies could not be read")),
            "",
            FAILS,
            Why(Kind.UNREADABLE, 3, "2 replies could not be read"),
            id="unreadable",
        ),
        pytest.param(
            _run(_unread(1), _read(2), _end()),
            "",
            FAILS,
            Why(Kind.NOT_EDITED, 2, "src/f.py was not changed"),
            id="one reply that could not be read",
        ),
        pytest.param(
            _run(_read(1), _stop("prompt_exhausted 9 tokens do not fit the 8")),
            "",
            FAILS,
            Why(Kind.PROMPT_EXHAUSTED, 1, "9 tokens do not fit the 8"),
            id="prompt exhausted",
        ),
        pytest.param(
            _run(_read(1), _stop("out_of_money after 1.0000")),
            "",
            FAILS,
            Why(Kind.OUT_OF_BUDGET, 1, "out of money: after 1.0000"),
            id="out of budget",
        ),
        pytest.param(
            Run(),
            _diff("src/f.py"),
            FAILS,
            Why(Kind.TESTS_FAIL, 0, "t::x still fails"),
            id="a prediction without a run",
        ),
        pytest.param(
            Run(),
            _diff("src/other.py"),
            FAILS,
            Why(Kind.NOT_EDITED, 0, "src/f.py was not changed; it changed src/other.py"),
            id="a prediction of another file",
        ),
        pytest.param(
            Run(),
            "",
            FAILS,
            Why(Kind.NO_CHANGE, 0, "there is no change to judge"),
            id="a prediction of nothing",
        ),
    ],
)
def test_why(run: Run, patch: str, tests: task.Tests, expected: Why) -> None:
    verdict = Verdict.UNRESOLVED if patch else Verdict.NO_PATCH
    assert why(run, GOLD, Graded(KEY, verdict, tests), patch) == expected


@table_of(
    ("verdict", "fault", "expected"),
    [
        pytest.param(Verdict.RESOLVED, None, None, id="resolved"),
        pytest.param(Verdict.UNGRADED, None, None, id="ungraded"),
        pytest.param(
            Verdict.PATCH_FAILED,
            None,
            Why(Kind.PATCH_REFUSED, 2, "its patch does not apply to the base"),
            id="patch failed",
        ),
        pytest.param(
            Verdict.TIMED_OUT,
            None,
            Why(Kind.TESTS_HANG, 2, "with its changes the tests do not end"),
            id="tests hang",
        ),
        pytest.param(
            Verdict.ENV_FAILED,
            Fault(Verdict.ENV_FAILED, Kind.REPOSITORY, "no commit\nabc"),
            Why(Kind.REPOSITORY, 0, "no commit"),
            id="a fault says it itself",
        ),
        pytest.param(
            Verdict.TIMED_OUT,
            Fault(Verdict.TIMED_OUT, Kind.TESTS_HANG, "they took 9 s"),
            Why(Kind.TESTS_HANG, 2, "they took 9 s"),
            id="a fault of the model's is its edit's",
        ),
        pytest.param(
            Verdict.ENV_FAILED,
            None,
            Why(Kind.ENVIRONMENT, 0, "there is no environment for it"),
            id="no environment",
        ),
        pytest.param(Verdict.CRASHED, None, Why(Kind.OURS, 0, "it crashed"), id="crashed"),
    ],
)
def test_a_verdict_may_say_why(verdict: Verdict, fault: Fault | None, expected: Why | None) -> None:
    run = _run(_read(1), _wrote(2), _end())
    graded = Graded(KEY, verdict, task.Tests(), fault=fault)
    assert why(run, GOLD, graded, _diff("src/f.py")) == expected


@table_of(
    ("run", "expected"),
    [
        pytest.param(
            _run(_read(1), _wrote(2), OTHER, _end()),
            Why(Kind.TESTS_FAIL, 2, "exit code 3"),
            id="concluded",
        ),
        pytest.param(
            _run(_wrote(1), _stop("out_of_steps after 1 steps")),
            Why(Kind.OUT_OF_BUDGET, 1, "out of steps: after 1 steps"),
            id="what ended the run goes before it",
        ),
        pytest.param(Run(), Why(Kind.TESTS_FAIL, 0, "exit code 3"), id="a prediction"),
    ],
)
def test_a_log_that_says_nothing(run: Run, expected: Why) -> None:
    fault = Fault(Verdict.UNRESOLVED, Kind.TESTS_FAIL, "exit code 3")
    graded = Graded(KEY, Verdict.UNRESOLVED, FAILS, fault=fault)
    assert why(run, GOLD, graded, _diff("src/f.py")) == expected


def test_a_run_within_a_step_shows_what_the_step_does() -> None:
    step = "status=ok kind=none sub=sub/002"
    run = _run(OTHER, _step(2, "looked", step, "scout"), _end(), _002=_read(1) + _read(2))
    assert why(run, GOLD, Graded(KEY, Verdict.NO_PATCH, FAILS), "") == Why(
        Kind.NOT_EDITED, 2, "src/f.py was not changed"
    )


def test_a_run_within_a_step_that_was_cut_off_shows_it_too() -> None:
    begun = "Thought: go on\nAction: scout\nAction Input: x\n%% turn: n=2\n"
    run = _run(OTHER, begun, _stop("out_of_time after 9 seconds"), _002=_unread(1))
    graded = Graded(KEY, Verdict.NO_PATCH, FAILS)
    assert why(run, GOLD, graded, "") == Why(Kind.UNREADABLE, 2, "after 9 seconds")


@pytest.mark.parametrize(
    ("patch", "step", "kind"),
    [
        pytest.param("", 0, Kind.NOT_EDITED, id="nothing changed"),
        pytest.param(_diff("x.py"), 1, Kind.TESTS_FAIL, id="something changed"),
    ],
)
def test_without_a_fix_of_people(patch: str, step: int, kind: Kind) -> None:
    run = _run(_wrote(1, "x.py") if patch else "", _stop("concluded by the model"))
    found = why(run, Instance("a", "b", "c", "d"), Graded(KEY, Verdict.UNRESOLVED, FAILS), patch)
    assert found and (found.kind, found.step) == (kind, step)


NEW = """\
diff --git a/new.py b/new.py
new file mode 100644
--- /dev/null
+++ b/new.py
@@ -0,0 +1 @@
+1
"""


@table_of(
    ("patch", "expected"),
    [
        pytest.param("", (), id="none"),
        pytest.param("no patch", (), id="no patch"),
        pytest.param(_diff("a.py", "b/c.py"), ("a.py", "b/c.py"), id="two"),
        pytest.param(_diff("a.py") + NEW, ("a.py",), id="what is new can't be found"),
        pytest.param(NEW, ("new.py",), id="only new ones"),
    ],
)
def test_files_of(patch: str, expected: tuple[str, ...]) -> None:
    assert files_of(patch) == frozenset(expected)


@table_of(
    ("stop", "expected"),
    [
        pytest.param(_end(), None, id="concluded"),
        pytest.param(_stop("out_of_time after 9 seconds"), None, id="out of time"),
        pytest.param(
            _stop("model_failed it is overloaded"),
            Fault(Verdict.CRASHED, Kind.ENDPOINT, "it is overloaded"),
            id="endpoint",
        ),
        pytest.param(
            _stop("model_failed the model refuses to answer: x"), None, id="a refusal is its own"
        ),
        pytest.param(
            _stop("interrupted by a signal"),
            Fault(Verdict.CRASHED, Kind.WORKER, "it was interrupted by a signal"),
            id="interrupted",
        ),
    ],
)
def test_fault_of(stop: str, expected: Fault | None) -> None:
    assert fault_of(_run(_read(1), stop).state) == expected
