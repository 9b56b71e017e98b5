"""Instances out of a history: changes that came with tests, which fail before them and pass after.

change -> candidate: base, patch, test patch, statement -> tests run before and after -> instance
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import PurePosixPath

from react_agent.errors import ReactAgentError
from react_agent.eval.environment import fresh, ground_for
from react_agent.eval.grading.trial import tried
from react_agent.eval.sets.checked import NOTHING, Checked, task_for
from react_agent.eval.station import Station
from react_agent.eval.task import Conditions, Fault, Instance, Kind, Verdict
from react_agent.parsers.repo.file_roles import is_code, is_of_tests
from react_agent.parsers.settings.front_matter import read_front_matter
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
_NUMBER = LatePattern(r"(?<![\w/&])(?:#|gh-|issue[ -]#?)(\d{1,9})\b", _IGNORE_CASE)
_PATH = LatePattern(r"[\w./-]+\.(?:md|markdown|txt|rst)\b")
_STARTS_WITH_NUMBER = LatePattern(r"(?:issue[-_])?0*(\d{1,9})(?:[-_. ].*)?", _IGNORE_CASE)
_WORD = LatePattern(r"[^\W\d_]{2,}")
_FOLDERS = frozenset(("issue", "issues", "bugs", "tickets"))
_SUFFIXES = (".md", ".markdown", ".txt", ".rst")
_FEWEST = 3  # words


def statement(message: str) -> str:
    """Without what git, forges and people add for other readers."""
    lines = [line.rstrip() for line in message.strip().split("\n")]
    if _MERGE.fullmatch(lines[0]):
        lines = "\n".join(lines[1:]).strip().split("\n")
    title = _NUMBERED.sub("", lines[0])
    body = [line for line in lines[1:] if not _TRAILER.fullmatch(line)]
    return "\n".join((title, *body)).strip()


def says_enough(text: str) -> bool:
    return len(_WORD.findall(text)) >= _FEWEST


def is_fix(message: str) -> bool:
    """Of what is wrong, and not of what is new, as far as its words tell."""
    return _FIX.search(message) is not None


def linked_issue(message: str, paths: Sequence[str]) -> str | None:
    """The file of the issue that a message names: by its path, or its number."""
    issues = [path for path in paths if _is_issue(path)]
    named = set(_PATH.findall(message))
    numbers = {int(one) for one in _NUMBER.findall(message)}
    by_path = (path for path in issues if path in named)
    by_number = (path for path in issues if _number(path) in numbers)
    return next(chain(by_path, by_number), None)


def _is_issue(path: str) -> bool:
    name = PurePosixPath(path)
    return name.suffix.lower() in _SUFFIXES and not _FOLDERS.isdisjoint(name.parts[:-1])


def _number(path: str) -> int | None:
    found = _STARTS_WITH_NUMBER.fullmatch(PurePosixPath(path).stem)
    return int(found[1]) if found else None


_AT_ONCE = 500  # commits
_DEADLINE_S = 600.0
# No path begins with a slash, so what does is a commit.
_HEAD = "%x00/%H%n%P%n%cI%n%B%x00"
_LOG = ("log", "-z", "--first-parent", "--diff-merges=first-parent", "--name-only", "--no-renames")
# Whatever the repository's own settings say, the same as anywhere.
_DIFF = (
    *("diff", "--binary", "--full-index", "--no-color", "--no-ext-diff", "--no-textconv"),
    *("--no-renames", "--unified=3", "--inter-hunk-context=0", "--submodule=short"),
    *("--src-prefix=a/", "--dst-prefix=b/"),
)


@dataclass(frozen=True, slots=True)
class Change:
    commit: str
    base: str  # its first parent; empty: it is the first commit
    created: str
    message: str
    paths: tuple[str, ...]


def changes(git: Git, rev: str, since: str | None = None) -> Iterator[Change]:
    """`since`: a day."""
    when = (f"--since={since}T00:00:00Z",) if since else ()  # of a day alone git takes this hour
    skipped = 0
    while True:
        how = (*when, f"--format={_HEAD}", f"--max-count={_AT_ONCE}", f"--skip={skipped}")
        found = list(_read(git.run(*_LOG, *how, rev, "--", deadline_s=_DEADLINE_S)))
        yield from found
        skipped += _AT_ONCE
        if len(found) < _AT_ONCE:
            return


def diff(git: Git, change: Change, paths: Sequence[str]) -> str | None:
    """What it did to these files; None where that is not text in UTF-8."""
    if not paths:
        return ""
    told = git.run(*_DIFF, change.base, change.commit, "--", *paths)
    try:
        return told.decode()
    except UnicodeDecodeError:
        return None


def _read(told: bytes) -> Iterator[Change]:
    head, paths = b"", list[str]()
    for one in told.split(b"\0"):
        if one.startswith(b"/"):
            if head:
                yield _change(head, paths)
            head, paths = one, []
        elif one.strip(b"\n"):
            paths.append(os.fsdecode(one if paths else one.removeprefix(b"\n")))
    if head:
        yield _change(head, paths)


def _change(head: bytes, paths: Sequence[str]) -> Change:
    commit, parents, created, message = head[1:].decode(errors="replace").split("\n", 3)
    return Change(commit, parents.partition(" ")[0], created, message.strip(), tuple(paths))


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


def trying(conditions: Conditions, station: Station) -> Try:
    """Those of its test patch, with a patch on its base: which pass."""

    def try_(instance: Instance, patch: str) -> Passing | Fault:
        ground = ground_for(task_for(instance, conditions), station)
        if isinstance(ground, Fault):
            return ground
        try:
            with fresh(ground, conditions, station) as one:
                trial = tried(one, instance, patch, conditions.tests_s)
        except ReactAgentError as error:
            return Fault(Verdict.CRASHED, Kind.OURS, str(error))
        return trial.fault or Passing(trial.passing)

    return try_
