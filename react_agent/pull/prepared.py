"""A pull request as it would be sent, made of what a run left: its folder, and its branch."""

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from react_agent.loop import transcript as transcripts
from react_agent.loop.noted import IN_CHECKOUT
from react_agent.loop.state import State, fold
from react_agent.loop.stop import Stop
from react_agent.parsers.answers.labelled import PullWords
from react_agent.parsers.forge.safe_markdown import code
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.repo.file_roles import is_code
from react_agent.parsers.repo.git_diff import FileDiff, read_git_diff
from react_agent.parsers.secrets.redaction import redacted
from react_agent.parsers.transcript.facts import read_list
from react_agent.procedure.course import as_one_run
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import check_header
from react_agent.tools.git.change import published
from react_agent.tools.git.repository import in_repository

CHECK_FAILED = ": failed"
_NOT_READY = frozenset({"failing", "not_run", "syntax", "tests_gone"})
_SETTLED = frozenset({"scratch", "left_out"})  # what was dropped, or never got in


@dataclass(frozen=True, slots=True)
class Prepared:
    title: str
    body: str
    is_draft: bool
    branch: str  # in the repository
    base: str  # the commit that it begins at
    repository: Path
    refused: tuple[str, ...] = ()  # why it must not be sent; empty: it may


def prepared(
    folder: RunFolder,
    *,
    moved: Path | None = None,
    closes: str = "",
    known: Collection[str] = (),
    steps: bool = True,
) -> Prepared:
    """`closes` is the issue as the forge writes it; `known` are secrets that nobody may see.

    `moved`: where the repository is by now, if not where the run found it.
    """
    entries = transcripts.read(folder.transcript).entries
    own = fold(entries)
    check_header(own, folder)
    state, words = as_one_run(folder, own), words_in(entries) or PullWords()
    base, branch = own.header["base"], _branch(own)
    before = own.header["repository"]
    repository = moved or Path(before)
    files, refused = _looked_at(repository, base, branch, state)
    told = replace(
        _told(state, words, files, closes or str(issue_of(state) or ""), steps=steps),
        places=(str(folder.path), str(repository), before),
        automatic=_automatic(repository, base, branch, files),
    )
    return Prepared(
        title=redacted(own.result.get("subject") or title_of(own.objective or ""), known),
        body=redacted(body(told), known),
        is_draft=_is_draft(state, told),
        branch=branch,
        base=base,
        repository=repository,
        refused=refused,
    )


def _branch(state: State) -> str:
    is_made = state.stop is Stop.CONCLUDED and "diff" in state.result
    return state.result.get("branch", "") if is_made else ""


def _looked_at(
    repository: Path, base: str, branch: str, state: State
) -> tuple[Sequence[FileDiff], tuple[str, ...]]:
    """The branch as it is now: a person may have gone on with it."""
    if not branch:
        return (), (f"the run made no branch: it ended as {state.stop or Stop.INTERRUPTED}",)
    found = published(repository, base, branch)
    if found is None:
        return (), (f"the branch {branch} is gone, or no longer holds its base",)
    files = read_git_diff(os.fsdecode(found.patch))
    if not files:
        return (), (f"the branch {branch} changes nothing",)
    keys = [str(key) for one in files for key in keys_in(one)]
    return files, (*keys, *([found.objection] if found.objection else ()))


def _automatic(
    repository: Path, base: str, branch: str, files: Sequence[FileDiff]
) -> tuple[Automatic, ...]:
    def read(commit: str, path: str) -> bytes | None:
        answer = git.ask("cat-file", "blob", f"{commit}:{path}")
        return answer.out if answer.code == 0 else None

    if not files:
        return ()
    with in_repository(repository) as git:
        return automatic(files, partial(read, base), partial(read, f"refs/heads/{branch}"))


def _told(
    state: State, words: PullWords, files: Sequence[FileDiff], closes: str, *, steps: bool
) -> Told:
    line = state.result.get("tests", "")
    verdict, is_fresh, command = line.partition(IN_CHECKOUT)
    runs = tested(state, command if is_fresh else "")
    has_code = any(is_code(one.path) for one in files)
    nothing = "no tests were run" if has_code else "no tests were run: no code was changed"
    is_told = bool(words.problem or words.change)
    return Told(
        problem=words.problem if is_told else said_of(state),
        change=words.change,
        uncertain=words.uncertain,
        tests=runs,
        checks=read_list(state.result.get("checks", "")),
        checkout=f"{code(command)} in a fresh checkout: {verdict}" if is_fresh else "",
        no_tests="" if runs or is_fresh else nothing,
        open=list(_open(state, runs)),
        closes=closes,
        number=number_of(state),
        steps=state.standing if steps else (),
    )


def _open(state: State, runs: Sequence[Compared]) -> Iterator[str]:
    points = [point for point in state.open if point.check not in _SETTLED]
    yield from (point.text for point in points)
    if not any(point.check == "failing" for point in points):
        yield from (f"`{one.command}` still fails" for one in runs if one.has_failed)


def _is_draft(state: State, told: Told) -> bool:
    """Where tests fail or did not run, and where the change itself is not whole."""
    if any(point.check in _NOT_READY for point in state.open):
        return True
    if any(line.endswith(CHECK_FAILED) for line in told.checks):
        return True
    if told.checkout:
        return not state.result.get("tests", "").startswith("passed")
    after = [one for one in told.tests if one.after]
    if told.no_tests:
        return "no code" not in told.no_tests
    return not after or any(one.has_failed for one in after)
