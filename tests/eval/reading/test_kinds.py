"""Why an attempt is not resolved, and the step that shows it."""

from collections.abc import Callable
from dataclasses import replace

from check_rows import EachRow
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


def _run(words: str, sub: str = "") -> Run:
    """Of the words above, where the last may be `=` and why it stopped; `sub` is a run within."""
    said, _, stop = words.partition("=")
    files = {"transcript.txt": _text(said) + (f"%% stop: {stop}\n" if stop else "")}
    if sub:
        files["sub/002/transcript.txt"] = _text(sub)
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


NEW = (
    "diff --git a/n.py b/n.py\nnew file mode 100644\n--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+\n"
)
CHANGES = {"MINE": MINE, "OTHERS": OTHERS, "NEW": NEW, "MINE and NEW": MINE + NEW, "": ""}
TESTS = {"FAILS": FAILS, "BREAKS": BREAKS, "BOTH": BOTH}


def _why(words: str | None, change: str, tests: str, sub: str = "") -> Why | None:
    patch = CHANGES[change]
    verdict = Verdict.UNRESOLVED if patch else Verdict.NO_PATCH
    run = Run() if words is None else _run(words, sub)
    return why(run, GOLD, Graded(KEY, verdict, TESTS[tests]), patch)


def _of_fix(fix: str, change: str) -> Why | None:
    run, instance = _run("grepped =concluded by the model"), replace(GOLD, patch=CHANGES[fix])
    return why(run, instance, Graded(KEY, Verdict.UNRESOLVED, FAILS), CHANGES[change])


def _of_verdict(name: str, kind: str = "", text: str = "") -> Why | None:
    verdict = Verdict[name]
    fault = Fault(verdict, Kind[kind], text) if kind else None
    return why(_run("read wrote end"), GOLD, Graded(KEY, verdict, fault=fault), MINE)


FUNCTIONS: dict[str, Callable[..., object]] = {
    "why": _why,
    "of_fix": _of_fix,
    "of_verdict": _of_verdict,
}


def test_why(each_row: EachRow) -> None:
    """A name in a list is not found, nor is one that is a part of another."""
    each_row(read_rows(FOLDER / "own/kinds.txt"), lambda row: row.check(FUNCTIONS))
