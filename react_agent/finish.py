"""The end of a run: its change becomes a branch, its report a file, its workspace goes."""

import textwrap
from collections.abc import Iterator
from dataclasses import replace

from react_agent.outcome import Outcome
from react_agent.parsers.entries import Event
from react_agent.parsers.facts import write_list
from react_agent.parsers.issue import title_of
from react_agent.parsers.runner import only_runs_tests
from react_agent.report import report
from react_agent.run_folder import write_whole
from react_agent.run_setup import Run
from react_agent.state import State
from react_agent.stop import Stop
from react_agent.tools import changes, workspace
from react_agent.tools.observation import Status
from react_agent.tools.registry import Kind
from react_agent.tools.removal import remove_tree
from react_agent.tools.run import RUN

_WIDTH = 72  # of a line of a commit message


def finish(run: Run, *, publish: bool, keep: bool) -> Outcome:
    state = run.transcript.state
    stop = state.stop or Stop.INTERRUPTED
    write_whole(run.folder.patch, changes.diff(run.workspace))
    outcome = Outcome(
        stop,
        run.folder,
        state,
        diff=changes.diff_stat(run.workspace),
        tests=_last_tests(state),
        kept=keep or not stop.is_final,
    )
    if stop is Stop.CONCLUDED:
        outcome = _branch(run, outcome, publish=publish)
    write_whole(run.folder.report, report(outcome).encode())
    run.transcript.append(*_results(outcome))
    if not outcome.kept:
        workspace.remove(run.workspace)
        remove_tree(run.folder.home)
    return outcome


def _branch(run: Run, outcome: Outcome, *, publish: bool) -> Outcome:
    state = outcome.state
    message = _message(title_of(state.objective or ""), state.conclusion)
    committed = changes.commit(run.workspace, message, state.wrote)
    tests = _configured_tests(run) or outcome.tests
    outcome = replace(outcome, left_out=committed.left_out, tests=tests)
    if committed.commit is None or not publish:
        return outcome
    return replace(outcome, branch=workspace.publish(run.workspace))


def _message(title: str, conclusion: str) -> str:
    paragraphs = (_filled(part) for part in conclusion.split("\n\n"))
    return "\n\n".join((title, *paragraphs)) + "\n"


def _filled(paragraph: str) -> str:
    """Prose is filled anew; lists and code keep their lines."""
    lines = paragraph.split("\n")
    if all(line[:1].isalnum() or line[:1] in "`\"'(" for line in lines):
        return textwrap.fill(paragraph, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return paragraph


def _configured_tests(run: Run) -> str:
    """The repository's own test command, run once more on what was committed."""
    command = run.project.settings.commands.get("test", "")
    if not command:
        return ""
    seen = RUN.call(command, run.agent.context)
    return f"{_VERDICT[seen.status]}: {command}"


_VERDICT = {Status.OK: "passed", Status.EMPTY: "passed", Status.FAILED: "failed"}


def _last_tests(state: State) -> str:
    """What the agent's own last run of tests said, where its exit code can tell."""
    changed = ""
    for step in reversed(state.steps):
        facts, command = step.seen.facts, step.said.turn.input.strip()
        if facts.get("kind") == Kind.RUN and only_runs_tests(command):
            verdict = _VERDICT[Status(facts["status"])]
            return f"{verdict} at step {step.number}{changed}: {command}"
        if facts.get("kind") == Kind.WRITE and step.is_ok:
            changed = ", before the last change"
    return "not known: no command of the agent did nothing but run tests"


def _results(outcome: Outcome) -> Iterator[Event]:
    if outcome.branch:
        yield Event("branch", outcome.branch)
    if outcome.diff:
        yield Event("diff", outcome.diff.strip().split("\n")[-1].strip())
    if outcome.left_out:
        yield Event("left out", write_list(outcome.left_out))
    yield Event("tests", outcome.tests)
