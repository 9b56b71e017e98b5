"""Determine from transcripts what a run used, and why it did not resolve its issue.

The first matching rule determines the reason. Rules check the actions of the run, the files that
the human fix changes, and the tests. Rules on how a run ended come before those on its omissions.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path

from react_agent.eval.task import Fault, Graded, Instance, Kind, Used, Verdict
from react_agent.parsers.repo.git_diff import read_git_diff
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.text.counted import counted, first_few
from react_agent.parsers.text.gist import headline
from react_agent.parsers.transcript.entries import Entry, Event
from react_agent.parsers.transcript.reader import read_transcript
from react_agent.parsers.turn.turn import Kind as Reply
from react_agent.runs.history import Call, calls
from react_agent.runs.report import wishes
from react_agent.state.findings import STUCK
from react_agent.state.state import OUTCOME, REFUSES, Ending, State, Stop, fold
from react_agent.state.steps import RETRACTED, Spent, Step
from react_agent.state.transcript import NAME, next_sub
from react_agent.tools import disk
from react_agent.tools.observation import Status
from react_agent.tools.registry import How
from react_agent.tools.registry import Kind as ToolKind

SUB = "sub"  # the fact of a step, and the folder
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Run:
    entries: tuple[Entry, ...] = ()
    state: State = field(default_factory=State)
    subs: Mapping[str, "Run"] = field(default_factory=dict)  # sub-runs, by folder

    @property
    def every(self) -> list["Run"]:
        """Return this run and all its sub-runs."""
        return [self, *chain.from_iterable(sub.every for sub in self.subs.values())]

    @property
    def cut_off(self) -> "Run | None":
        """Return the sub-run of an unfinished last step. No step includes it in its totals."""
        return self.subs.get(next_sub(self.state)) if self.state.pending else None

    @property
    def steps(self) -> list[tuple[int, Step]]:
        """Return all steps. The steps of a sub-run get the number of the step that started it."""
        found = list[tuple[int, Step]]()
        for step in self.state.steps:
            sub = self.subs.get(step.seen.facts.get(SUB, ""))
            found += [(step.number, inner) for _, inner in sub.steps] if sub else []
            found.append((step.number, step))
        if last := self.cut_off:
            found += [(len(self.state.steps) + 1, inner) for _, inner in last.steps]
        return found


def run_in(folder: Path) -> Run:
    found = sorted(folder.rglob(NAME)) if folder.is_dir() else []
    return read_run({path.relative_to(folder).as_posix(): disk.read_bytes(path) for path in found})


def read_run(files: Mapping[str, bytes], below: str = "", depth: int = 0) -> Run:
    """Read a run from its files, given by relative names. It never raises an exception."""
    try:
        text = files.get(f"{below}{NAME}", b"").decode(errors="surrogateescape")
        entries = read_transcript(text).entries if text else ()
    except ParseError:
        return Run()
    state = fold(entries)
    names = {step.seen.facts.get(SUB, "") for step in state.steps}
    names |= {next_sub(state)} if state.pending else set()
    subs = {
        name: read_run(files, f"{below}{name}/", depth + 1)
        for name in sorted(names)
        if depth < _DEEPEST and name and f"{below}{name}/{NAME}" in files
    }
    return Run(entries, state, subs)


_BY = "by"  # the fact of a step that no model wrote
_REPAIRED = "mended"  # the fact of a step whose input was repaired


def _hidden(step: Step) -> str:
    """Return the name of a tool that answered without being offered, and how it did."""
    facts = step.seen.facts
    is_one = facts.get("how") in (How.ALIAS, How.REDIRECT, How.PROTOCOL, How.UNOFFERED)
    return f"{facts.get('entry') or step.said.turn.action} {facts['how']}" if is_one else ""


def used(run: Run) -> Used:
    """Return the resources that the run used. Step totals already include finished sub-runs."""
    runs = run.every
    states = [one.state for one in runs]
    steps = [step for state in states for step in state.steps]
    ran = [step for step in steps if step.tool]
    entries = chain.from_iterable(one.entries for one in runs)
    events = Counter(entry.name for entry in entries if isinstance(entry, Event))
    spent = run.state.spent + (run.cut_off.state.spent if run.cut_off else Spent())
    return Used(
        steps=sum(_BY not in step.said.facts for step in steps),
        prompt_tokens=spent.prompt_tokens,
        reply_tokens=spent.reply_tokens,
        cached=spent.cached,
        cost=spent.money,
        seconds=spent.seconds,
        calls=dict(Counter(step.tool for step in ran)),
        failed=dict(Counter(step.tool for step in ran if step.status is Status.FAILED)),
        hidden=dict(Counter(filter(None, map(_hidden, steps)))),
        wishes={wish.name: wish.times for wish in wishes(states)},
        repairs=sum(bool(step.said.turn.repairs) or _REPAIRED in step.seen.facts for step in steps)
        + sum(bool(state.pending and state.pending.turn.repairs) for state in states),
        unreadable=sum(step.said.turn.kind is Reply.MALFORMED for step in steps),
        compressions=sum(len(state.compressed) for state in states),
        backtracks=events[RETRACTED],
        retracted=sum(not step.stands for step in steps),
        stuck=events[STUCK],
        parts=_parts(chain.from_iterable(calls(one.entries) for one in runs)),
    )


def _parts(made: Iterable[Call]) -> dict[str, int]:
    found = Counter[str]()
    for call in made:
        found.update({part.value: tokens for part, tokens in call.parts.items()})
    return {part: tokens for part, tokens in found.items() if tokens > 0}


# Reasons that follow from how the run ended.
ENDED: Mapping[Stop, Kind] = {
    Stop.STUCK: Kind.STUCK,
    Stop.PROMPT_EXHAUSTED: Kind.PROMPT_EXHAUSTED,
    Stop.OUT_OF_STEPS: Kind.OUT_OF_BUDGET,
    Stop.OUT_OF_TOKENS: Kind.OUT_OF_BUDGET,
    Stop.OUT_OF_TIME: Kind.OUT_OF_BUDGET,
    Stop.OUT_OF_MONEY: Kind.OUT_OF_BUDGET,
    Stop.GAVE_UP: Kind.GAVE_UP,
    Stop.MODEL_FAILED: Kind.GAVE_UP,  # it refused to answer; other failures are faults
}
UNEXPLAINED = (Verdict.RESOLVED, Verdict.UNGRADED)
_UNTOLD: Mapping[Verdict, Fault] = {  # for a verdict without a fault of its own
    fault.verdict: fault
    for fault in (
        Fault(Verdict.ENV_FAILED, Kind.ENVIRONMENT, "there is no environment for it"),
        Fault(Verdict.CRASHED, Kind.OURS, "it crashed"),
        Fault(Verdict.TIMED_OUT, Kind.TESTS_HANG, "with its changes the tests do not end"),
    )
}
_LINE = 160
_LISTS = ("list_files", "repo_map", "outline")  # a name in a list of all files is not found yet
_SEARCHES = (ToolKind.SEARCH, ToolKind.RUN, ToolKind.TEST)
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Why:
    kind: Kind
    step: int  # the step that shows it, or 0
    text: str  # one line


def why(run: Run, instance: Instance, graded: Graded, patch: str) -> Why | None:
    """Return the reason for a failure, or None if the attempt is resolved or was not judged."""
    if graded.verdict in UNEXPLAINED:
        return None
    known = Known(run, files_of(instance.patch), graded, patch)
    fault = graded.fault or _UNTOLD.get(graded.verdict)
    if fault and fault.kind is not Kind.TESTS_FAIL:
        step = 0 if fault.kind.is_infrastructure else known.last_edit
        return Why(fault.kind, step, headline(fault.text, _LINE))
    return next(found for rule in RULES if (found := rule(known)))


def fault_of(state: State) -> Fault | None:
    """Return the external fault that ended a run. A refusal is the model's own failure."""
    reason = headline(state.stop_reason, _LINE)
    if state.stop is Stop.MODEL_FAILED and not state.stop_reason.startswith(REFUSES):
        return Fault(Verdict.CRASHED, Kind.ENDPOINT, reason)
    if state.stop is Stop.INTERRUPTED:
        return Fault(Verdict.CRASHED, Kind.WORKER, f"it was interrupted {reason}")
    return None


def files_of(patch: str) -> frozenset[str]:
    """Return the changed files by their old names, or the new files if no old file changed."""
    files = read_git_diff(patch)
    return frozenset(file.old for file in files if file.old) or frozenset(
        file.path for file in files
    )


@dataclass(frozen=True)
class Known:
    """The facts that the rules check."""

    run: Run
    gold: frozenset[str]  # files that the fix touches, as they are called at the base
    graded: Graded
    patch: str

    @cached_property
    def steps(self) -> list[tuple[int, Step]]:
        return self.run.steps

    @property
    def last(self) -> int:
        """Return the number of the last step. An unfinished step or a Conclusion also counts."""
        state = self.run.state
        return len(state.steps) + (state.pending is not None)

    @cached_property
    def edits(self) -> list[int]:
        """Return the steps with a successful edit that was not undone."""
        return [at for at, step in self.steps if step.has_written and step.stands]

    @property
    def last_edit(self) -> int:
        return self.edits[-1] if self.edits else 0

    @cached_property
    def found(self) -> int:
        """Return the first step that opened a file of the fix or found it in a search, or 0."""
        return next((at for at, step in self.steps if _shows(step, self.gold)), 0)

    @cached_property
    def touched(self) -> frozenset[str]:
        return files_of(self.patch)

    @property
    def files(self) -> str:
        """Return the files of the fix as a short text."""
        return first_few(sorted(self.gold), _SHOWN)


def _shows(step: Step, files: Iterable[str]) -> bool:
    if step.tool in _LISTS:
        return False
    if any(path.removeprefix("./") in files for path in step.paths):
        return True
    return step.kind in _SEARCHES and any(_names(step.seen.text, path) for path in files)


def _names(text: str, path: str) -> bool:
    """Return whether the text contains this path, and not only as part of a longer path."""
    return path in text and bool(re.search(rf"(?<![\w.-]){re.escape(path)}(?!\w)", text))


def _broke_others(known: Known) -> Why | None:
    """Match a run that fixed the required tests but broke others."""
    tests = known.graded.tests
    if not tests.broken or tests.not_fixed:
        return None
    return Why(Kind.BROKE_OTHERS, known.last_edit, f"{_some(tests.broken)} passed before it")


def _end(known: Known) -> Why | None:
    """Match a run that ended before it reached a conclusion."""
    state = known.run.state
    last = known.steps[-1][1] if known.steps else None
    is_unread = last is not None and last.said.turn.kind is Reply.MALFORMED
    if is_unread and state.stop and not state.stop.is_final:
        return Why(Kind.UNREADABLE, known.last, headline(state.stop_reason, _LINE))
    kind = ENDED.get(state.stop) if state.stop else None
    if kind is None:
        return None
    step, words = known.last, state.stop_reason
    if kind is Kind.STUCK:  # where the loop began
        step = min((min(one.steps) for one in state.troubles if one.steps), default=step)
    elif kind is Kind.OUT_OF_BUDGET:
        words = f"{str(state.stop).replace('_', ' ')}: {words}"
    elif kind is Kind.GAVE_UP:
        words = state.conclusion or words
    return Why(kind, step, headline(words, _LINE))


def _not_believed(known: Known) -> Why | None:
    """Match a test log with a fault, because such a log says nothing about individual tests."""
    if not (fault := known.graded.fault):
        return None
    return Why(fault.kind, known.last_edit or known.last, headline(fault.text, _LINE))


def _refused(known: Known) -> Why | None:
    if known.graded.verdict is Verdict.PATCH_FAILED:
        return Why(Kind.PATCH_REFUSED, known.last_edit, "its patch does not apply to the base")
    refused = [
        (at, step.seen.text)
        for at, step in known.steps
        if step.kind == ToolKind.WRITE and step.status is Status.FAILED
    ]
    if known.edits or not refused or known.touched & known.gold:
        return None
    at, said = refused[-1]
    return Why(Kind.PATCH_REFUSED, at, headline(said, _LINE))


def _not_edited(known: Known) -> Why | None:
    """Match a run that changed no file of the fix, or no file at all if the fix is unknown."""
    if known.touched & known.gold or (known.touched and not known.gold):
        return None
    if known.gold and known.steps and not known.found:
        return Why(Kind.NEVER_FOUND, known.last, f"no step shows {known.files}")
    if known.run.state.result.get(OUTCOME) == Ending.TESTS_FAILED:  # so its change is no patch
        return None
    if not known.run.entries and not known.patch.strip():
        return Why(Kind.NO_CHANGE, 0, "there is no change to judge")  # an external prediction
    if not known.gold:
        return Why(Kind.NOT_EDITED, known.last, "nothing was changed")
    others = f"; it changed {_some(sorted(known.touched), 'file')}" if known.touched else ""
    return Why(Kind.NOT_EDITED, known.found, f"{known.files} was not changed{others}")


def _tests_fail(known: Known) -> Why:
    tests = known.graded.tests
    also = f"; it broke {counted(len(tests.broken), 'other')}" if tests.broken else ""
    fail = "fails" if len(tests.not_fixed) == 1 else "fail"
    failing = f"{_some(tests.not_fixed)} still {fail}" if tests.not_fixed else "the tests fail"
    return Why(Kind.TESTS_FAIL, known.last_edit or known.last, headline(failing + also, _LINE))


def _some(names: Sequence[str], what: str = "test") -> str:
    first = headline(names[0], _LINE // 2)
    return first if len(names) == 1 else f"{first} and {counted(len(names) - 1, f'other {what}')}"


Rule = Callable[[Known], Why | None]
RULES: tuple[Rule, ...] = (
    *(_broke_others, _end, _not_believed, _refused, _not_edited, _tests_fail),
)
