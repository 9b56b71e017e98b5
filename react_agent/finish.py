"""The end of a run: its change becomes a branch, its report a file, its workspace goes."""

import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from react_agent.commands import no_git
from react_agent.errors import ReactAgentError
from react_agent.outcome import Outcome
from react_agent.parsers.entries import Event
from react_agent.parsers.facts import write_list
from react_agent.parsers.issue import title_of
from react_agent.parsers.quoting import escape
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


def finish(run: Run, *, publish: bool, keep: bool, tell: Callable[[str], None]) -> Outcome:
    """Everything shown and said is about what the branch gets, or would get."""
    state = run.transcript.state
    stop = state.stop or Stop.INTERRUPTED
    proposal = changes.propose(run.workspace, state.wrote)
    write_whole(run.folder.patch, changes.diff(run.workspace, proposal.tree))
    outcome = Outcome(
        stop,
        run.folder,
        state,
        diff=changes.diff_stat(run.workspace, proposal.tree),
        left_out=proposal.left_out,
        tests=_last_tests(state),
        kept=keep or not stop.is_final,
    )
    if stop is Stop.CONCLUDED and publish:
        outcome = _published(run, outcome, proposal.tree)
    write_whole(run.folder.report, report(outcome).encode())
    run.transcript.append(*_results(outcome))
    return outcome if outcome.kept else _cleared(run, outcome, tell)


def _cleared(run: Run, outcome: Outcome, tell: Callable[[str], None]) -> Outcome:
    try:
        workspace.remove(run.workspace)
        for place in (run.folder.home, *run.folder.of_commands):
            remove_tree(place)
    except ReactAgentError as error:
        tell(str(error))
        return replace(outcome, kept=True)
    return outcome


def _published(run: Run, outcome: Outcome, tree: str) -> Outcome:
    state = outcome.state
    message = _message(title_of(state.objective or ""), escape(state.conclusion))
    if changes.commit(run.workspace, message, tree) is None:
        return outcome
    outcome = _tested(run, outcome, tree)
    return replace(outcome, branch=workspace.publish(run.workspace))


def _tested(run: Run, outcome: Outcome, tree: str) -> Outcome:
    """By the repository's own test command, in a fresh checkout of what was committed."""
    command = run.project.settings.commands.get("test", "")
    if not command:
        return outcome
    place = run.folder.checkout
    _removed(place)
    try:
        changes.check_out(run.workspace, tree, place)
        seen = RUN.call(command, run.commands.in_checkout(place))
    finally:
        _removed(place)
    verdict = f"{_VERDICT[seen.status]} in a fresh checkout: {command}"
    return replace(outcome, tests=verdict, tests_said=seen.text)


def _removed(checkout: Path) -> None:
    for place in (checkout, no_git(checkout)):
        remove_tree(place)


def _message(title: str, conclusion: str) -> str:
    paragraphs = (_filled(part) for part in conclusion.split("\n\n"))
    return "\n\n".join((title, *paragraphs)) + "\n"


def _filled(paragraph: str) -> str:
    """Prose is filled anew; lists and code keep their lines."""
    lines = paragraph.split("\n")
    if all(line[:1].isalnum() or line[:1] in "`\"'(" for line in lines):
        return textwrap.fill(paragraph, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return paragraph


_VERDICT = {Status.OK: "passed", Status.EMPTY: "passed", Status.FAILED: "failed"}


def _last_tests(state: State) -> str:
    """What the agent's own last run of tests said, where its exit code can tell."""
    changed = ""
    for step in reversed(state.steps):
        facts, command = step.seen.facts, step.said.turn.input.strip()
        if facts.get("kind") == Kind.TEST and "tests" in facts:
            return f"{facts['tests']}, at step {step.number}{changed}"
        if facts.get("kind") == Kind.RUN and only_runs_tests(command):
            return f"{_VERDICT[step.status]} at step {step.number}{changed}: {command}"
        if facts.get("kind") == Kind.WRITE and step.status is Status.OK:
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
