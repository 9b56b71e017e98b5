"""Find instances in a history: changes with tests that fail before the change and pass after it.

change -> candidate: base, patch, test patch, statement -> tests run before and after -> instance
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from react_agent.errors import ReactAgentError
from react_agent.eval.environment import fresh, ground_for
from react_agent.eval.grading.judging import tried
from react_agent.eval.sets.checked import NOTHING, task_for
from react_agent.eval.station import Station
from react_agent.eval.task import Conditions, Fault, Instance, Kind, Verdict
from react_agent.parsers.repo.file_roles import is_code, is_of_tests
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.tools.git.door import Git
from react_agent.tools.testing.tests_command import files_of_tests

_IGNORE_CASE = 2
_MERGE = LatePattern(r"Merge (?:pull request|branch|remote-tracking branch|branches|tag) .*")
_TRAILER = LatePattern(
    r"(?:[\w-]+-(?:by|id|on|checks)|agent|cc|git-svn-id) *: *\S.*|\(cherry picked from .*\)",
    _IGNORE_CASE,
)
_NUMBERED = LatePattern(r"\s*\((?:PR )?(?:#|!|GH-)\d+\)$")
_FIX = LatePattern(
    r"\b(?:(?:hot|bug)?fix(?:e[sd]|ing)?|bugs?|close[sd]?|resolve[sd]?|regressions?|crash\w*|errors?"
    r"|exceptions?|tracebacks?|wrong\w*|incorrect\w*|fail\w*|broken?|breaks?|mistakes?|leaks?"
    r"|hangs?|raises?|avoid\w*|correct\w*|handle[sd]?|prevent\w*|repair\w*|do(?:es)? ?n[o']t|never"
    r"|missing|invalid)\b",
    _IGNORE_CASE,
)
_WORD = LatePattern(r"[^\W\d_]{2,}")
_FEWEST = 3  # words of a statement
MOST_FILES = 30
_SHORT = 12  # digits of a commit in an id
_AT_ONCE = 500  # commits
_DEADLINE_S = 600.0
# No path begins with a slash, so a record that does is a commit.
_HEAD = "%x00/%H%n%P%n%cI%n%B%x00"
_LOG = ("log", "-z", "--first-parent", "--diff-merges=first-parent", "--name-only", "--no-renames")
# Options that make the diff independent of the repository's settings.
_DIFF = (
    *("diff", "--binary", "--full-index", "--no-color", "--no-ext-diff", "--no-textconv"),
    *("--no-renames", "--unified=3", "--inter-hunk-context=0", "--submodule=short"),
    *("--src-prefix=a/", "--dst-prefix=b/"),
)


def statement(message: str) -> str:
    """Return the commit message without trailers, merge titles and issue numbers."""
    lines = [line.rstrip() for line in message.strip().split("\n")]
    if _MERGE.fullmatch(lines[0]):
        lines = "\n".join(lines[1:]).strip().split("\n")
    title = _NUMBERED.sub("", lines[0])
    body = [line for line in lines[1:] if not _TRAILER.fullmatch(line)]
    return "\n".join((title, *body)).strip()


@dataclass(frozen=True, slots=True)
class Change:
    commit: str
    base: str  # its first parent; empty: it is the first commit
    created: str
    message: str
    paths: tuple[str, ...]


def changes(git: Git, rev: str) -> Iterator[Change]:
    """Yield the changes, newest first. A merge counts as one change."""
    skipped = 0
    while True:
        how = (f"--format={_HEAD}", f"--max-count={_AT_ONCE}", f"--skip={skipped}")
        found = list(_read(git.run(*_LOG, *how, rev, "--", deadline_s=_DEADLINE_S)))
        yield from found
        skipped += _AT_ONCE
        if len(found) < _AT_ONCE:
            return


def _read(told: bytes) -> Iterator[Change]:
    head, paths = b"", list[str]()
    for one in (*told.split(b"\0"), b"/"):
        if one.startswith(b"/"):
            if head:
                commit, parents, created, message = head.decode(errors="replace").split("\n", 3)
                base = parents.partition(" ")[0]
                yield Change(commit, base, created, message.strip(), tuple(paths))
            head, paths = one[1:], []
        elif one.strip(b"\n"):
            paths.append(os.fsdecode(one if paths else one.removeprefix(b"\n")))


def diff(git: Git, change: Change, paths: Sequence[str]) -> str | None:
    """Return the change's diff of these files, or None if it is not UTF-8 text."""
    if not paths:
        return ""
    told = git.run(*_DIFF, change.base, change.commit, "--", *paths)
    try:
        return told.decode()
    except UnicodeDecodeError:
        return None


@dataclass(frozen=True, slots=True)
class Skipped:
    commit: str
    subject: str
    reason: str
    was_tried: bool = False  # its tests were run


Try = Callable[[Instance, str], frozenset[str] | Fault]  # the tests that pass with a patch


def mined(git: Git, row: Instance, rev: str, try_: Try) -> Iterator[Instance | Skipped]:
    """Yield instances, newest first. `row` has the common values and the prefix of the ids."""
    for change in changes(git, rev):
        found = _candidate(git, change, row)
        was_tried = isinstance(found, Instance)
        if isinstance(found, Instance):
            found = _verified(found, try_)
        if isinstance(found, Instance):
            yield found
        else:
            subject = statement(change.message).partition("\n")[0]
            yield Skipped(change.commit, subject, found, was_tried)


def _candidate(git: Git, change: Change, row: Instance) -> Instance | str:
    """Return a candidate, or the reason why the change is not one. Common reasons come first."""
    tests = [path for path in change.paths if is_of_tests(path)]
    others = [path for path in change.paths if not is_of_tests(path)]
    problem = statement(change.message)
    rules = (
        (not files_of_tests(tests), "it changes no tests in Python"),
        (not any(map(is_code, others)), "it changes no code except tests"),
        (not change.base, "it has no parent commit"),
        (len(change.paths) > MOST_FILES, f"it touches more than {MOST_FILES} files"),
        (not _FIX.search(change.message), "its message does not name a fix"),
        (len(_WORD.findall(problem)) < _FEWEST, "its message says too little"),
    )
    for is_so, reason in rules:
        if is_so:
            return reason
    patch, test_patch = diff(git, change, others), diff(git, change, tests)
    if patch is None or test_patch is None:
        return "its diff is not text in UTF-8"
    return replace(
        row,
        id=f"{row.id}-{change.commit[:_SHORT]}",
        base=change.base,
        problem=problem,
        patch=patch,
        test_patch=test_patch,
        created=change.created,
    )


def _verified(instance: Instance, try_: Try) -> Instance | str:
    before, after = try_(instance, NOTHING), try_(instance, instance.patch)
    for run in (before, after):
        if isinstance(run, Fault):
            return f"its tests can't be run: {run.text}"
    assert isinstance(before, frozenset) and isinstance(after, frozenset)
    if not after:
        return "no test passes after it"
    if not after - before:
        return "no test fails before it and passes after it"
    names = tuple(sorted(after - before)), tuple(sorted(after & before))
    return replace(instance, fail_to_pass=names[0], pass_to_pass=names[1])


def trying(conditions: Conditions, station: Station) -> Try:
    """Return a function that runs an instance's tests with a patch and returns the passing ones."""

    def try_(instance: Instance, patch: str) -> frozenset[str] | Fault:
        ground = ground_for(task_for(instance, conditions), station)
        if isinstance(ground, Fault):
            return ground
        try:
            with fresh(ground, conditions, station) as one:
                trial = tried(one, instance, patch, conditions.tests_s)
        except ReactAgentError as error:
            return Fault(Verdict.CRASHED, Kind.OURS, str(error))
        return trial.fault or trial.passing

    return try_
