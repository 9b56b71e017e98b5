"""Finish a run: commit its change to a branch, write its report, and remove its workspace."""

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from react_agent.errors import ReactAgentError
from react_agent.guards.means import Asking
from react_agent.issue_to_pr.change import Chosen, automatic, chosen, dropped_line, with_tree
from react_agent.issue_to_pr.declared_checks import declared_checks
from react_agent.issue_to_pr.pull_request import PULL, ask_for_words, message, person, words_in
from react_agent.issue_to_pr.target import is_pull_wanted
from react_agent.parsers.answers.labelled import PullWords
from react_agent.parsers.repo.git_diff import read_git_diff
from react_agent.parsers.testing.commands import only_runs_tests
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import write_facts, write_list
from react_agent.procedure.course import as_one_run
from react_agent.profiles.settings import Settings
from react_agent.runs.commands import Surroundings
from react_agent.runs.report import Outcome, report
from react_agent.runs.run_folder import write_whole
from react_agent.runs.run_setup import Run
from react_agent.runs.verification import Verdict, changed_tests, verify
from react_agent.runs.work_tree import keep_changes
from react_agent.state import transcript as transcripts
from react_agent.state.events import COMMIT, SPENT, WROTE
from react_agent.state.state import OUTCOME, PREPARE, TESTED, State, Stop
from react_agent.state.steps import spent_text
from react_agent.tools.git import change, workspace
from react_agent.tools.git.past import past
from react_agent.tools.git.tree_diffs import line_counts
from react_agent.tools.observation import Status
from react_agent.tools.registry import Kind

_FILTERED = "is stored by a filter such as Git LFS, and filters are not run here"
_IGNORED = "is ignored by git, or is in a submodule"


def finish(run: Run, around: Surroundings, *, publish: bool, keep: bool) -> Outcome:
    """Finish the run, and return an outcome that describes the change as committed to the branch.
    For a pull request, also run the declared checks and let the model write the description.
    """
    folder, own = run.folder, run.transcript.state
    store, base = run.workspace.store, run.workspace.base.commit
    state = as_one_run(folder, own)
    stop, seen = state.stop or Stop.INTERRUPTED, _last_tests(state)
    proposal = change.propose(run.workspace, state.wrote)
    made = chosen(run.workspace, state, proposal.tree)
    is_made = stop is Stop.CONCLUDED and publish and bool(made.paths)
    is_pull, checks = is_pull_wanted(own.header), tuple[str, ...]()
    if is_made and is_pull:
        checked = declared_checks(run, made.tree, made.there)
        checks, made = checked.lines, with_tree(made, run.workspace, checked.tree)
    write_whole(folder.patch, made.patch)
    keep_changes(folder, own, run.transcript.redact)
    wrote, files = line_counts(store, base, made.tree), read_git_diff(os.fsdecode(made.patch))
    outcome = Outcome(
        stop,
        folder,
        state,
        branch=own.result.get("branch", ""),  # made before, of the same change
        diff=made.stat,
        wrote=None if wrote is None else tuple(wrote),
        left_out=proposal.left_out,
        dropped=(
            *made.dropped,
            *(dropped_line(path, _FILTERED) for path in proposal.filtered),
            *(dropped_line(path, _IGNORED) for path in proposal.ignored),
        ),
        refused=made.refused,
        automatic=automatic(files),
        changed_tests=tuple(changed_tests(files, partial(store.file, base))),
        checks=checks,
        tests=seen or "not known: no test run was found in this transcript",
        kept=keep or not stop.is_final,
    )
    when = run.project.profile.final_tests
    if made.patch and (when == "always" or (is_made and when == "branch")):
        verified = verify(run, made.tree, files, state, around)
        is_enough = verified.verdict is not Verdict.UNKNOWN or not seen
        tests = verified.line if is_enough else f"{verified.line}; the agent saw: {seen}"
        outcome = replace(outcome, verified=verified, tests=tests)
    if is_made:
        outcome = _published(run, outcome, made, around.settings, is_pull=is_pull)
    write_whole(folder.report, run.transcript.redact(report(outcome)).encode())
    run.transcript.append(*_results(outcome))
    return outcome if outcome.kept else _removed(run, outcome, around)


def _removed(run: Run, outcome: Outcome, around: Surroundings) -> Outcome:
    """Remove the workspace, or tell why it stays."""
    try:
        workspace.remove(run.workspace, *run.folder.temporary)
    except ReactAgentError as error:
        around.tell(str(error))
        return replace(outcome, kept=True)
    return outcome


def _published(
    run: Run, outcome: Outcome, made: Chosen, settings: Settings, *, is_pull: bool
) -> Outcome:
    history = past(run.commands.places.cut, run.workspace.base.commit)
    words, when = None, run.project.profile.words
    if PULL in run.transcript.state.asked:  # a process that was killed since may have asked
        words = words_in(transcripts.read(run.folder.transcript).entries)
    if words is None and (when == "always" or (is_pull and when == "wanted")):
        agent = run.agent
        ask = Asking(agent.model, run.transcript, agent.budget, agent.clock, is_over=True)
        state = replace(outcome.state, result={"tests": outcome.tests})
        subjects = [one.partition("\n")[0] for one in history]
        words = ask_for_words(state, made.patch, subjects, ask)
    words = words or PullWords()
    subject, text = message(outcome.state, words, history, made.paths, settings)
    commit = change.commit(run.workspace, text, made.tree, person(settings.author))
    if commit is None:
        return outcome
    branch = workspace.publish(run.workspace, commit)
    return replace(outcome, subject=subject, commit=commit, branch=branch)


_VERDICT = {Status.OK: "passed", Status.EMPTY: "passed", Status.FAILED: "failed"}


def _last_tests(state: State) -> str:
    """Return the result of the agent's last test run, or "" if no exit code is conclusive."""
    changed = ""
    for step in reversed(state.standing):
        facts, ran = step.seen.facts, step.ran
        command = ran.said.turn.input.strip()
        if ran.kind == Kind.TEST and "tests" in facts:
            return f"{facts['tests']}, at step {step.number}{changed}"
        if ran.kind == Kind.RUN and only_runs_tests(command) and "background" not in facts:
            return f"{_VERDICT[ran.status]} at step {step.number}{changed}: {command}"
        if step.has_written:
            changed = ", before the last change"
    return ""


def _results(outcome: Outcome) -> Iterator[Event]:
    diff = outcome.diff.strip().split("\n")[-1].strip()
    texts = {"subject": outcome.subject, "branch": outcome.branch, "diff": diff}
    yield from (Event(name, text) for name, text in texts.items() if text)
    if outcome.wrote is not None:
        yield Event(WROTE, write_list(outcome.wrote))
    if outcome.commit:
        yield Event(COMMIT, outcome.commit)
    lists = {
        "left out": outcome.left_out,
        "dropped": outcome.dropped,
        "refused": outcome.refused,
        "checks": outcome.checks,
    }
    yield from (Event(name, write_list(found)) for name, found in lists.items() if found)
    yield Event("tests", outcome.tests)
    if verified := outcome.verified:
        facts = {
            "verdict": verified.verdict.value,
            "same": str(verified.same or ""),
            "fixed": str(verified.fixed or ""),
            "command": verified.command,
        }
        yield Event(TESTED, write_facts({name: text for name, text in facts.items() if text}))
        if verified.prepare:
            yield Event(PREPARE, verified.prepare)
    if outcome.ending is not outcome.stop:
        yield Event(OUTCOME, outcome.ending)
    yield Event(SPENT, spent_text(outcome.state.spent, len(outcome.state.steps)))
