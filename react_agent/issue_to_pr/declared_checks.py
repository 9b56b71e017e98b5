"""Run the checks that a repository declares at its base, on the files that a run has changed.

They run in the run's sandbox, never on the host. What a formatter changes in files of the run is
taken, once. A check that fails also runs at the base: what it finds there is not the run's fault.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from react_agent.errors import ReactAgentError
from react_agent.issue_to_pr import pre_commit
from react_agent.parsers.text.gist import one_line
from react_agent.parsers.text.printed import without_noise
from react_agent.parsers.transcript.quoting import escape
from react_agent.runs.run_setup import Run, checkout
from react_agent.tools import disk
from react_agent.tools.clip import clip, clip_line
from react_agent.tools.context import Context, Limits
from react_agent.tools.git.checkout import CheckedFiles, regular_files
from react_agent.tools.git.objects import Entry
from react_agent.tools.git.repository import file_at
from react_agent.tools.sandbox.sandbox import BUBBLEWRAP, LANDLOCK, NONE
from react_agent.tools.shell import shell
from react_agent.tools.shell.shell import ended, readable

SECONDS = 300.0  # for all checks together
MOST_FILES = 1_000
SCRIPTS = (".husky/pre-commit", ".githooks/pre-commit")
_FILES = (
    *(pre_commit.CONFIG, *SCRIPTS),
    *("lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".overcommit.yml"),
)
_PATH = "{path}"
_EACH = "failed=0; for path; do\n{{ {}\n}} || failed=1\ndone; exit $failed"
_IN_A_HOOK = {"PRE_COMMIT": "1"}  # tells checks that they run in a hook
_NO_TIME = "the time for all checks has run out"
_SHORTEST = 1.0  # seconds for a check
_SHOWN, _LINE = 1_500, 200  # characters of what a command printed
_NAME, _NOTE = 60, 300  # characters
_NAMED = 3  # files
_NO_PROGRAM = (126, 127)
_LOOK = 'command -v "$0" >/dev/null || exit 127; exec "$0" "$@"'
# What commands print in a checkout without an environment, or without a network.
_LACKS = re.compile(
    r"command not found|: not found$|could not determine executable|No such command|husky\.sh"
    r"|Could not resolve|name resolution|Network is unreachable|ENOTFOUND|EAI_AGAIN"
    r"|Failed to establish a new connection|^Executable `.*` not found$",
    re.MULTILINE,
)
_MODULE = re.compile(r"No module named|ModuleNotFoundError|Cannot find (?:module|package)")
_NUMBER = re.compile(r"\d+")


class Verdict(StrEnum):
    PASSED = "passed"
    FIXED = "fixed"  # it has changed files, and that was taken
    FAILED = "failed"
    BEFORE = "failed before too"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    verdict: Verdict
    note: str = ""  # on one line: why, or what it changed
    said: str = ""  # in its own words, a few lines, where it failed

    @property
    def line(self) -> str:
        """The check in one short, escaped line: anybody may have written its configuration."""
        name, note = (
            clip_line(escape(one_line(text)), most)
            for text, most in ((self.name, _NAME), (self.note, _NOTE))
        )
        return f"{name}: {self.verdict}" + (f": {note}" if note else "")


@dataclass(frozen=True, slots=True)
class Checked:
    tree: str  # with what formatters made of it
    checks: tuple[Check, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(check.line for check in self.checks)

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that fail because of the change."""
        return tuple(check for check in self.checks if check.verdict is Verdict.FAILED)


@dataclass(frozen=True, slots=True)
class Planned:
    name: str
    command: tuple[str, ...] = ()
    why_not: str = ""  # it can't be run here
    takes_names: bool = True  # of the changed files, behind its arguments
    hook: pre_commit.HookBlock | None = None  # it is one of pre-commit's, which adds the command


@dataclass(frozen=True, slots=True)
class Ran:
    """The result of a check, and its changes to files that exist without it, too."""

    worked: bool
    said: str = ""
    lacks: str = ""  # what it could not run without
    may_lack: str = ""  # the same, unless it runs without on other files
    changed: frozenset[str] = frozenset()  # of the files that it may change
    others: tuple[str, ...] = ()  # that it has changed and may not; they are as before
    seconds: float = 0.0
    has_files: bool = True  # some of the files are of the kind that it looks at


@dataclass(frozen=True, slots=True)
class _Round:
    """One run of all checks. A check without files of its kind is left out."""

    ran: Mapping[int, Ran]
    entries: Mapping[str, Entry] = field(default_factory=dict)  # of the files that were changed


def declared_checks(
    run: Run, tree: str, paths: Collection[str], seconds: float = SECONDS
) -> Checked:
    """Run the declared checks. `paths` are the files that are changed or new in the tree."""
    base, lint = run.project.base, run.project.settings.commands.get("lint", "")
    texts = {
        name: file_at(base, name) or ""
        for name in sorted(run.workspace.store.at(run.workspace.base.commit, _FILES))
    }
    plan = dict(enumerate(planned(texts, lint, paths)))  # two may have one name
    if not plan or not paths:
        return Checked(tree)
    if len(paths) > MOST_FILES:
        why = f"more than {MOST_FILES:,} files are changed"
        return Checked(tree, (Check("checks", Verdict.NOT_RUN, why),))
    try:
        return _Checking(run, sorted(paths), seconds).checked(tree, plan)
    except ReactAgentError as error:
        return Checked(tree, (Check("checks", Verdict.NOT_RUN, str(error)),))


def planned(texts: Mapping[str, str], lint: str, changed: Collection[str]) -> Iterator[Planned]:
    """Yield the checks to run. `texts` holds the files that declare checks, as at the base."""
    if lint:
        yield _lint(lint)
    for name, text in texts.items():
        if name == pre_commit.CONFIG:
            blocks = pre_commit.hook_blocks(text)
            hooks = [Planned(id, hook=one) for one in blocks for id in one.ids]
            yield from hooks or (Planned(name, why_not="no hook was found in it"),)
        elif name not in SCRIPTS:
            yield Planned(name, why_not="its format is not supported")
        elif name in changed:
            yield Planned(name, why_not="this change modifies it")
        else:
            first = re.match(r"#!(.*)", text)
            program = first[1].split() if first else ["sh", "-e"]
            yield Planned(name, (*program, name), takes_names=False)


def _lint(command: str) -> Planned:
    """Return the check of a lint command, for each file or for the whole tree."""
    if problem := shell.problem(command):
        return Planned("lint", why_not=problem)
    if _PATH not in command:
        return Planned("lint", tuple(shell.words(command)), takes_names=False)
    each = _EACH.format(command.replace(_PATH, '"$path"'))
    return Planned("lint", (*shell.words(each), "lint"))


@dataclass(slots=True)
class _Checking:
    run: Run
    ours: list[str]
    seconds: float  # that are left for all checks together

    def checked(self, tree: str, plan: Mapping[int, Planned]) -> Checked:
        now, before = self._round(tree, plan), _Round({})
        failed = [at for at, ran in now.ran.items() if not ran.worked and not ran.lacks]
        if failing := {at: plan[at] for at in failed}:
            before = self._round(self.run.workspace.base.commit, failing)
        # Files that a check had changed at the base as well stay as they are.
        old = {path for ran in before.ran.values() for path in ran.changed}
        fixed = {at: ran.changed - old for at, ran in now.ran.items()}
        taken = {path: now.entries[path] for paths in fixed.values() for path in paths}
        if taken:
            with_fixes = self.run.workspace.store.with_files(tree, taken)
            again = self._round(with_fixes, plan)
            now = _Round({at: _latest(ran, again.ran.get(at)) for at, ran in now.ran.items()})
            if taken.keys().isdisjoint(again.entries):
                tree = with_fixes
            else:  # a formatter that goes on changing its own output is ignored
                fixed = {}
        checks, not_run = list[Check](), dict[str, Check]()
        for at, ran in now.ran.items():
            check = judged(plan[at].name, ran, before.ran.get(at), fixed.get(at, frozenset()))
            if check.verdict is Verdict.NOT_RUN and check.note in not_run:  # on one line
                first = not_run[check.note]
                both = replace(first, name=f"{first.name}, {check.name}")
                checks[checks.index(first)] = not_run[check.note] = both
                continue
            checks.append(check)
            if check.verdict is Verdict.NOT_RUN:
                not_run[check.note] = check
        return Checked(tree, tuple(checks))

    def _round(self, tree: str, plan: Mapping[int, Planned]) -> _Round:
        """Run all checks of the plan on the files of a tree."""
        run = self.run
        paths = tuple(regular_files(run.workspace, tree, self.ours))
        with checkout(run, tree, has_git=True) as (context, files):
            context = replace(context, environment={**context.environment, **_IN_A_HOOK})
            room = _room(run, context, files, paths)
            ran = {at: self._ran(check, room) for at, check in plan.items() if paths}
            changed = {path for one in ran.values() for path in one.changed}
            kept = {at: one for at, one in ran.items() if one.has_files}
            return _Round(kept, files.entries(sorted(changed)) if changed else {})

    def _ran(self, check: Planned, room: "_Room") -> Ran:
        lacks = check.why_not
        if check.hook and not lacks:
            lacks = pre_commit.missing(check.hook, room.store)
        if lacks or self.seconds < _SHORTEST:
            return Ran(False, lacks=lacks or _NO_TIME)
        context = room.hooks if check.hook else room.context
        shortest = min(context.limits.command_seconds, self.seconds)
        limits = replace(context.limits, command_seconds=shortest)
        ran = room.run(check, replace(context, limits=limits))
        self.seconds -= ran.seconds
        return ran


def _latest(first: Ran, second: Ran | None) -> Ran:
    """Return the second result, or the first one if there was no time for a second round."""
    if second and not second.lacks:
        return second
    return replace(first, worked=first.worked or bool(first.changed))


@dataclass(frozen=True, slots=True)
class _Room:
    """The place in which checks run, and the files that they may change."""

    context: Context
    hooks: Context  # of pre-commit, which finds its store
    store: pre_commit.Store
    configuration: Path
    files: CheckedFiles
    paths: tuple[str, ...]

    def run(self, check: Planned, context: Context) -> Ran:
        """Run a check. As in pre-commit, a check that changes files has failed."""
        command = check.command
        if check.hook:
            command = pre_commit.command(check.name, self.configuration)
        paths = self.paths if check.takes_names else ()
        total = _command((*command, *paths), context, is_hook=check.hook is not None)
        limits = Limits(output_chars=_SHOWN, line_chars=_LINE)
        total = replace(total, said=escape(clip(total.said, limits, "run it to see them")))
        changes = self.files.changes()
        others = [
            path for path, is_edit in changes.items() if not is_edit or path not in self.paths
        ]
        if others:
            self.files.put_back(changes)
            return replace(total, worked=False, others=tuple(others))
        if changes:
            self.files.keep(changes)
            return replace(total, worked=False, changed=frozenset(changes))
        return total


def _room(run: Run, context: Context, files: CheckedFiles, paths: tuple[str, ...]) -> _Room:
    """Return the room of checks. Outside Bubblewrap, a setting must allow pre-commit's store."""
    commands, name = run.commands, run.commands.chosen.name
    is_allowed = commands.outer.settings.pre_commit_store and name in (LANDLOCK, NONE)
    is_shown = name == BUBBLEWRAP or is_allowed
    shown = pre_commit.store_folder(commands.outer.environment) if is_shown else None
    home = context.root / ".git/pre-commit"
    text = file_at(run.project.base, pre_commit.CONFIG) or ""
    store = pre_commit.prepared_store(shown, home)
    lacking = [one for one in pre_commit.hook_blocks(text) if pre_commit.missing(one, store)]
    configuration = home / "config.yaml"
    disk.write_text(configuration, pre_commit.configuration(text, lacking))
    hooks = commands.in_checkout(context.root, (shown,) if shown else ())
    environment = {**context.environment, "PRE_COMMIT_HOME": str(home)}
    hooks = replace(hooks, environment=environment)
    return _Room(context, hooks, store, configuration, files, paths)


def _command(argv: Sequence[str], context: Context, *, is_hook: bool) -> Ran:
    limit = context.limits.command_seconds
    done = shell.run_sandboxed(("sh", "-c", _LOOK, *argv), context, timeout_s=limit)
    said = readable(done.printed, context)
    found = Ran(done.code == 0 and not done.timed_out and not done.hit, said, seconds=done.seconds)
    if done.timed_out:
        return replace(found, lacks=f"it took more than {limit:.0f} s")
    if done.hit:
        return replace(found, lacks=ended(done.code, done.hit, context.resource_limits))
    if done.code in _NO_PROGRAM:
        return replace(found, lacks=_why(_LACKS, said) or f"{argv[0]} is not here")
    if is_hook:
        hook = pre_commit.read_run(done.code or 0, said)
        found = replace(found, said=hook.said, lacks=hook.lacks, has_files=hook.has_files)
    if found.worked or found.lacks:
        return found
    return replace(found, lacks=_why(_LACKS, found.said), may_lack=_why(_MODULE, found.said))


def _why(pattern: re.Pattern[str], said: str) -> str:
    """Return the first line that matches the pattern, or an empty text."""
    lines = (line for line in said.split("\n") if pattern.search(line))
    return next(lines, "").strip()[:_LINE]


def judged(name: str, now: Ran, before: Ran | None, fixed: frozenset[str]) -> Check:
    """Judge a check by its result now, its result at the base, and the files that it has fixed."""
    if now.worked:
        note = _files("changed", fixed) if fixed else ""
        return Check(name, Verdict.FIXED if fixed else Verdict.PASSED, note)
    if now.lacks or (now.may_lack and (before is None or before.may_lack)):
        return Check(name, Verdict.NOT_RUN, now.lacks or now.may_lack)
    if now.others:
        verdict = Verdict.BEFORE if before and before.others else Verdict.FAILED
        note = _files("it changes", now.others) + ", which is not part of the change"
        return Check(name, verdict, note, now.said)
    if new := now.changed - (before.changed if before else frozenset()):
        return Check(name, Verdict.FAILED, _files("it still changes", new), now.said)
    if now.changed:
        note = _files("it would change", now.changed) + ", as it would have at the base"
        more = f"; {_files('changed', fixed)}" if fixed else ""
        return Check(name, Verdict.BEFORE, f"{note}{more}")
    is_old = before is not None and not before.worked and not _lines(now) - _lines(before)
    return Check(name, Verdict.BEFORE if is_old else Verdict.FAILED, said=now.said)


def _lines(ran: Ran) -> Counter[str]:
    """Return the lines without what differs in each run, such as times and line numbers."""
    lines = _NUMBER.sub("0", without_noise(ran.said)).split("\n")
    return Counter(line.strip() for line in lines if line.strip())


def _files(what: str, paths: Collection[str]) -> str:
    named = sorted(paths)
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return f"{what} {', '.join(named[:_NAMED])}{more}"
