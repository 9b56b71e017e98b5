"""Why an attempt is not resolved, and the step that shows it."""

from dataclasses import replace

from check_rows import EachRow, table_of
from reader_rows import FOLDER, read_rows

from react_agent.eval import task
from react_agent.eval.reading import Run, Why, read_run, why
from react_agent.eval.task import Fault, Graded, Instance, Key, Kind, Verdict

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
MINE, OTHERS = _diff("src/f.py"), _diff("src/other.py")
# What a step saw, its facts, and the tool that was called.
STEPS = {
    "read": ("1| x", "status=ok kind=read tool=read_file paths=src/f.py", "run"),
    "other": ("1| x", "status=ok kind=read tool=read_file paths=src/other.py", "run"),
    "wrote": ("done", "status=ok kind=write tool=replace paths=src/f.py", "run"),
    "wrote-other": ("done", "status=ok kind=write tool=replace paths=src/other.py", "run"),
    "refused": ("It stands nowhere in src/f.py", "status=failed kind=write tool=replace", "run"),
    "listed": ("src/f.py", "status=ok kind=read tool=list_files", "list_files"),
    "grepped": ("src/f.py:3: x", "status=ok kind=search tool=grep", "grep"),
    "alike": ("my-src/f.py:3: x, src/f.pyc", "status=ok kind=search tool=grep", "grep"),
    "ran": ("see ./src/f.py: line 3", "status=failed kind=run tool=run", "run"),
    "helper": ("looked", "status=ok kind=none sub=sub/002", "scout"),
}
EVENTS = {
    "unread": "Thought: ???\n%% malformed: there is no action\n%% turn: n={n}\n"
    "Observation: Your reply could not be read.\n%% step: n={n} status=failed\n",
    "back": "%% retracted: steps=1 why=no\n",
    "round": "%% stuck: pattern=cycle steps=2-3 answer=stop\n",
    "scout": "Thought: go on\nAction: scout\nAction Input: x\n%% turn: n={n}\n",
    "end": "Thought: ok\nConclusion: Fixed.\n%% turn: n=9\n%% stop: concluded by the model\n",
    "no": "Thought: no\nConclusion: I can't.\n%% turn: n=9\n%% stop: gave_up as it said\n",
    "failed": "%% outcome: tests_failed\n",
}


def _run(words: str, **subs: str) -> Run:
    """Of the words above; the last one may be `=` and why it stopped."""
    said, _, stop = words.partition("=")
    files = {"transcript.txt": _text(said) + (f"%% stop: {stop}\n" if stop else "")}
    files |= {f"sub/{name[1:]}/transcript.txt": _text(text) for name, text in subs.items()}
    return read_run({name: text.encode() for name, text in files.items()})


def _text(words: str) -> str:
    text, n = "%% react-agent transcript: 2\n%% run: r\nObjective: Fix it\n%% started:\n", 0
    for word in words.split():
        n += word in STEPS or word in ("unread", "scout")
        if word in STEPS:
            seen, facts, action = STEPS[word]
            said = f"Thought: go on\nAction: {action}\nAction Input: x\n%% turn: n={n}\n"
            text += f"{said}Observation: {seen}\n%% step: n={n} {facts}\n"
        else:
            text += EVENTS[word].replace("{n}", str(n))
    return text


CHANGES = {"MINE": MINE, "OTHERS": OTHERS, "": ""}
TESTS = {"FAILS": FAILS, "BREAKS": BREAKS, "BOTH": BOTH}


def _why(words: str, change: str, tests: str) -> Why | None:
    patch = CHANGES[change]
    verdict = Verdict.UNRESOLVED if patch else Verdict.NO_PATCH
    return why(_run(words), GOLD, Graded(KEY, verdict, TESTS[tests]), patch)


def test_why(each_row: EachRow) -> None:
    """A name in a list is not found, nor is one that is a part of another."""
    each_row(read_rows(FOLDER / "own/kinds.txt"), lambda row: row.check({"why": _why}))


NO_STEP, UNCHANGED = "no step shows src/f.py", "src/f.py was not changed"


@table_of(
    ("patch", "expected"),
    [
        (MINE, Why(Kind.TESTS_FAIL, 0, "t::x still fails")),
        (OTHERS, Why(Kind.NOT_EDITED, 0, f"{UNCHANGED}; it changed src/other.py")),
        ("", Why(Kind.NO_CHANGE, 0, "there is no change to judge")),
    ],
)
def test_without_a_transcript(patch: str, expected: Why) -> None:
    graded = Graded(KEY, Verdict.UNRESOLVED if patch else Verdict.NO_PATCH, FAILS)
    assert why(Run(), GOLD, graded, patch) == expected


NEW = (
    "diff --git a/n.py b/n.py\nnew file mode 100644\n--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+\n"
)
NEW_TOO = "src/f.py was not changed; it changed n.py"  # what is new can't be found


@table_of(
    ("fix", "patch", "expected"),
    [
        (_diff("src/f.py") + NEW, NEW, Why(Kind.NOT_EDITED, 1, NEW_TOO)),
        (NEW, NEW, Why(Kind.TESTS_FAIL, 1, "t::x still fails")),
        ("", "", Why(Kind.NOT_EDITED, 1, "nothing was changed")),
        ("", OTHERS, Why(Kind.TESTS_FAIL, 1, "t::x still fails")),
    ],
)
def test_files_of_a_fix_that_are_new_or_not_known(fix: str, patch: str, expected: Why) -> None:
    graded = Graded(KEY, Verdict.UNRESOLVED, FAILS)
    found = why(_run("grepped =concluded by the model"), replace(GOLD, patch=fix), graded, patch)
    assert found == expected


NO_COMMIT = Fault(Verdict.ENV_FAILED, Kind.REPOSITORY, "no commit\nabc")
TOO_LONG = Fault(Verdict.TIMED_OUT, Kind.TESTS_HANG, "they took 9 s")
NO_LOG = Fault(Verdict.UNRESOLVED, Kind.TESTS_FAIL, "exit code 3")
DOES_NOT_APPLY = Why(Kind.PATCH_REFUSED, 2, "its patch does not apply to the base")


@table_of(
    ("verdict", "fault", "expected"),
    [
        (Verdict.RESOLVED, None, None),
        (Verdict.UNGRADED, None, None),
        (Verdict.PATCH_FAILED, None, DOES_NOT_APPLY),
        (Verdict.TIMED_OUT, None, Why(Kind.TESTS_HANG, 2, "with its changes the tests do not end")),
        (Verdict.ENV_FAILED, NO_COMMIT, Why(Kind.REPOSITORY, 0, "no commit")),
        (Verdict.TIMED_OUT, TOO_LONG, Why(Kind.TESTS_HANG, 2, "they took 9 s")),
        (Verdict.UNRESOLVED, NO_LOG, Why(Kind.TESTS_FAIL, 2, "exit code 3")),
        (Verdict.ENV_FAILED, None, Why(Kind.ENVIRONMENT, 0, "there is no environment for it")),
        (Verdict.CRASHED, None, Why(Kind.OURS, 0, "it crashed")),
    ],
)
def test_a_verdict_may_say_why(verdict: Verdict, fault: Fault | None, expected: Why | None) -> None:
    graded = Graded(KEY, verdict, task.Tests(), fault=fault)
    assert why(_run("read wrote end"), GOLD, graded, MINE) == expected


@table_of(
    ("run", "expected"),
    [
        (_run("other helper end", _002="read read"), Why(Kind.NOT_EDITED, 2, UNCHANGED)),
        (
            _run("other scout =out_of_time after 9 seconds", _002="unread"),
            Why(Kind.UNREADABLE, 2, "after 9 seconds"),
        ),
    ],
)
def test_a_run_within_a_step_shows_what_the_step_does(run: Run, expected: Why) -> None:
    """Also one that was cut off."""
    assert why(run, GOLD, Graded(KEY, Verdict.NO_PATCH, FAILS), "") == expected
