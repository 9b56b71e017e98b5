"""Instances out of a history: changes that came with tests, which fail before them and pass after.

change -> candidate: base, patch, test patch, statement -> tests run before and after -> instance
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from react_agent.eval.instance import Instance
from react_agent.eval.sets.checked import NOTHING, Checked
from react_agent.eval.sets.history import Change, changes, diff
from react_agent.eval.sets.statement import is_fix, linked_issue, says_enough, statement
from react_agent.eval.task import Fault
from react_agent.parsers.repo.file_roles import is_code, is_of_tests
from react_agent.parsers.settings.front_matter import read_front_matter
from react_agent.tools.git.door import Git
from react_agent.tools.testing.tests_command import files_of_tests

MOST_FILES = 30
_SHORT = 12  # digits of a commit in an id


@dataclass(frozen=True, slots=True)
class Wanted:
    name: str  # the ids begin with it
    row: Instance  # what all rows say: repo, install, test_command, python
    rev: str = "HEAD"
    since: str | None = None
    not_only_fixes: bool = False


@dataclass(frozen=True, slots=True)
class Skipped:
    commit: str
    subject: str
    reason: str
    was_tried: bool = False  # its tests were run


@dataclass(frozen=True, slots=True)
class Passing:
    """Of the tests that ran, those that passed."""

    names: frozenset[str]


Try = Callable[[Instance, str], Passing | Fault]
Check = Callable[[Instance], Checked]


def mined(git: Git, wanted: Wanted, try_: Try, check: Check) -> Iterator[Instance | Skipped]:
    """The newest first; each is said, with what came of it."""
    for change in changes(git, wanted.rev, wanted.since):
        found = _candidate(git, change, wanted)
        was_tried = isinstance(found, Instance)
        if isinstance(found, Instance):
            found = _verified(found, try_, check)
        if isinstance(found, str):
            yield Skipped(change.commit, _subject(change), found, was_tried)
        else:
            yield found


def _subject(change: Change) -> str:
    return statement(change.message).partition("\n")[0]


def _candidate(git: Git, change: Change, wanted: Wanted) -> Instance | str:
    tests = [path for path in change.paths if is_of_tests(path)]
    others = [path for path in change.paths if not is_of_tests(path)]
    if reason := _unfit(change, tests, others, wanted):
        return reason
    patch, test_patch = diff(git, change, others), diff(git, change, tests)
    if patch is None or test_patch is None:
        return "its diff is not text in UTF-8"
    problem = _problem(git, change)
    if not says_enough(problem):
        return "its message says too little"
    return replace(
        wanted.row,
        id=f"{wanted.name}-{change.commit[:_SHORT]}",
        base=change.base,
        problem=problem,
        patch=patch,
        test_patch=test_patch,
        created=change.created,
    )


def _unfit(change: Change, tests: Sequence[str], others: Sequence[str], wanted: Wanted) -> str:
    """Why it is no candidate: what most are not, first."""
    rules = (
        (not files_of_tests(tests), "it touches no tests in Python"),
        (not any(map(is_code, others)), "it touches no code but tests"),
        (not change.base, "nothing was before it"),
        (len(change.paths) > MOST_FILES, f"it touches more than {MOST_FILES} files"),
        (not wanted.not_only_fixes and not is_fix(change.message), "it is no fix by its message"),
    )
    return next((reason for is_so, reason in rules if is_so), "")


def _problem(git: Git, change: Change) -> str:
    """As it was before the change, where the issue was there by then."""
    for commit in (change.base, change.commit):
        listed = git.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit)
        path = linked_issue(change.message, listed.decode(errors="surrogateescape").split("\0"))
        if path:
            text = git.run("cat-file", "blob", f"{commit}:{path}").decode(errors="replace")
            return _of_file(text)
    return statement(change.message)


def _of_file(text: str) -> str:
    found = read_front_matter(text.replace("\r\n", "\n"))
    title, body = found.value("title"), found.body.strip()
    return f"# {title}\n\n{body}".strip() if title and title not in body else body


def _verified(instance: Instance, try_: Try, check: Check) -> Instance | str:
    runs = list[Passing]()
    for patch in (NOTHING, instance.patch):
        run = try_(instance, patch)
        if isinstance(run, Fault):
            return f"its tests can't be run: {run.text}"
        runs.append(run)
    before, after = (run.names for run in runs)
    if not after:
        return "no test passes after it"
    if not after - before:
        return "no test fails before it and passes after it"
    named = replace(
        instance,
        fail_to_pass=tuple(sorted(after - before)),
        pass_to_pass=tuple(sorted(after & before)),
    )
    found = check(named)
    return named if found.is_good else ": ".join(filter(None, (found.finding, found.note)))
