"""Run the checks that a repository declares at its base, on the files that a run has changed.

Checks run in the run's sandbox, never on the host. If a formatter changes files of the run, its
first changes are kept. A check that fails also runs at the base, and problems that it finds there
are not counted.

The user's own pre-commit runs the hooks of `.pre-commit-config.yaml`. It looks for installed hooks
in its store, a folder in the user's cache. Only these commands can see the store, and only read
it; pre-commit writes to a copy of the store's table in the checkout's `.git`. Repositories of
hooks that are not in the table are left out of the configuration, because pre-commit would fetch
them before it runs any hook.

The configuration is read line by line: an item that begins with `repo:` extends to the next line
that is indented no deeper, and contains `rev:` and the `id:` of each hook. A file in another form
is treated as one block, which is kept.
"""

import re
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from react_agent.errors import ReactAgentError
from react_agent.parsers.text.counted import first_few
from react_agent.parsers.text.gist import one_line
from react_agent.parsers.text.printed import without_noise
from react_agent.parsers.transcript.quoting import escape
from react_agent.runs.run_setup import Run, checkout
from react_agent.tools import disk
from react_agent.tools.clip import clip_line
from react_agent.tools.context import Context
from react_agent.tools.git.checkout import CheckedFiles, regular_files
from react_agent.tools.git.objects import Entry
from react_agent.tools.git.repository import file_at
from react_agent.tools.sandbox.sandbox import BUBBLEWRAP, LANDLOCK, NONE
from react_agent.tools.shell import shell
from react_agent.tools.shell.shell import ended, readable

CONFIG = ".pre-commit-config.yaml"
PROGRAM = "pre-commit"
NO_STORE = "pre-commit's store is not visible in this sandbox; see `pre_commit_store`"
NOT_INSTALLED = "it is not installed; run `pre-commit install-hooks`"
_WITHOUT_STORE = ("", "local", "meta")
_TABLE = "db.db"
_LARGEST = 50_000_000  # bytes of that table
_REPOSITORY = re.compile(r"(?m)^(?P<indent>[ \t]*)-[ \t]repo:(?P<where>.*)\n?")
_REVISION = re.compile(r"(?m)^[ \t]+rev:(.*)")
_ID = re.compile(r"(?<![\w.'\"-])id:[ \t]?([^\s,}]+)")
_RESULT = re.compile(r"(?m)\.{3}(?:\([^()\n]*\))?(Passed|Failed|Skipped)$")
_ABOUT_HOOK = re.compile(r"- (?:hook id|duration|exit code): .*\n?|- files were modified by .*\n?")
_INSTALLS = re.compile(r"\[INFO\] (?:Initializing|Installing) environment for ")
_NO_HOOK = re.compile(r"No hook with id `")


@dataclass(frozen=True, slots=True)
class HookBlock:
    """A repository of hooks, and the lines of the configuration that name it."""

    start: int
    end: int
    repository: str
    revision: str
    ids: tuple[str, ...]


def hook_blocks(text: str) -> list[HookBlock]:
    found = list(_REPOSITORY.finditer(text))
    if len(found) != len(re.findall(r"\brepo:", _without_comments(text))):
        return [HookBlock(0, 0, "", "", _ids(text))]
    return [_block(text, one) for one in found]


def _block(text: str, head: re.Match[str]) -> HookBlock:
    deeper = re.compile(rf"(?:{head['indent']}[ \t].*|[ \t\r]*(?:#.*)?)(?:\n|$)")
    end = head.end()
    while end < len(text) and (line := deeper.match(text, end)):
        end = line.end()
    body = text[head.end() : end]
    revision = _REVISION.search(body)
    named = _plain(revision[1]) if revision else ""
    return HookBlock(head.start(), end, _plain(head["where"]), named, _ids(body))


def _ids(text: str) -> tuple[str, ...]:
    found = _ID.finditer(_without_comments(text))
    return tuple(dict.fromkeys(_plain(one[1]) for one in found))


def _without_comments(text: str) -> str:
    return "\n".join(line.partition("#")[0] for line in text.split("\n"))


def _plain(value: str) -> str:
    return value.partition(" #")[0].strip().strip("'\"")


def store_folder(environment: Mapping[str, str]) -> Path | None:
    """Return the folder of the user's pre-commit store, or None."""
    cache = environment.get("XDG_CACHE_HOME") or f"{environment.get('HOME', '')}/.cache"
    folder = Path(environment.get("PRE_COMMIT_HOME") or f"{cache}/pre-commit")
    with suppress(OSError):  # it may not be ours to read
        if folder.is_absolute() and (folder / _TABLE).is_file():
            return folder.resolve()
    return None


def installed_hooks(folder: Path | None, home: Path) -> frozenset[tuple[str, str]] | None:
    """Return the hook repositories in the store with their revisions, or None without a store.

    The table of the store is copied to `home`, where no command has run yet.
    """
    disk.mkdir(home)
    if folder is None:
        return None
    copy = home / _TABLE
    try:
        disk.write_bytes(copy, disk.start_of(folder / _TABLE, _LARGEST))
        with closing(sqlite3.connect(f"{copy.as_uri()}?mode=ro", uri=True)) as table:
            rows = table.execute("SELECT repo, ref FROM repos").fetchall()
    except (OSError, sqlite3.Error):
        return frozenset()
    return frozenset((str(repo), str(ref)) for repo, ref in rows)


def configuration(text: str, left_out: Collection[HookBlock]) -> str:
    for block in sorted(left_out, key=lambda one: one.start, reverse=True):
        text = text[: block.start] + text[block.end :]
    return text


SECONDS = 300.0  # for all checks together
PATH = "{path}"  # in a `lint` command: a changed file
_EACH = "failed=0; for path; do\n{{ {}\n}} || failed=1\ndone; exit $failed"
_IN_A_HOOK = {"PRE_COMMIT": "1"}  # tells checks that they run in a hook
_NO_TIME = "the time for all checks has run out"
_SHORTEST = 1.0  # seconds for a check
_CONFIGURATION = ".git/pre-commit/config.yaml"  # that pre-commit gets, in a checkout
_LINE = 200  # characters of what a command printed
_NAME, _NOTE = 60, 300  # characters
_NAMED = 3  # files
_NO_PROGRAM = (126, 127)
_LOOK = 'command -v "$0" >/dev/null || exit 127; exec "$0" "$@"'
# What commands print in a checkout without an environment, or without a network.
_LACKS = re.compile(
    r"command not found|: not found$|could not determine executable|No such command"
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


def line_of(name: str, verdict: Verdict, note: str = "") -> str:
    """Return a check on one short line, escaped because its configuration is untrusted."""
    told = f"{clip_line(escape(one_line(name)), _NAME)}: {verdict}"
    return f"{told}: {clip_line(escape(one_line(note)), _NOTE)}" if note else told


@dataclass(frozen=True, slots=True)
class Checked:
    tree: str  # with what formatters made of it
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Planned:
    name: str
    command: tuple[str, ...] = ()
    why_not: str = ""  # it can't be run here
    takes_names: bool = True  # of the changed files, behind its arguments
    hook: HookBlock | None = None  # it is one of pre-commit's, which adds the command


@dataclass(frozen=True, slots=True)
class Ran:
    """The result of a check, and the changes that it made to existing files."""

    worked: bool
    said: str = ""
    lacks: str = ""  # what it could not run without
    may_lack: str = ""  # the same, unless it runs without on other files
    changed: Mapping[str, Entry] = field(default_factory=dict)  # of the files that it may change
    others: tuple[str, ...] = ()  # that it has changed and may not; they are as before
    seconds: float = 0.0
    has_files: bool = True  # some of the files are of the kind that it looks at


def declared_checks(
    run: Run, tree: str, paths: Collection[str], seconds: float = SECONDS
) -> Checked:
    """Run the declared checks. `paths` are the files that were changed or added."""
    lint = run.project.settings.commands.get("lint", "")
    config = file_at(run.project.base, CONFIG)
    plan = dict(enumerate(planned(config, lint)))  # two may have one name
    if not plan or not paths:
        return Checked(tree)
    try:
        return _Checking(run, sorted(paths), seconds).checked(tree, plan)
    except ReactAgentError as error:
        return Checked(tree, (line_of("checks", Verdict.NOT_RUN, str(error)),))


def planned(config: str | None, lint: str) -> Iterator[Planned]:
    """Yield the checks to run. `config` is the text of CONFIG at the base, or None without it."""
    if problem := shell.problem(lint) if lint else "":
        yield Planned("lint", why_not=problem)
    elif PATH in lint:
        each = _EACH.format(lint.replace(PATH, '"$path"'))
        yield Planned("lint", (*shell.words(each), "lint"))
    elif lint:
        yield Planned("lint", tuple(shell.words(lint)), takes_names=False)
    if config is not None:
        hooks = [Planned(id, hook=one) for one in hook_blocks(config) for id in one.ids]
        yield from hooks or (Planned(CONFIG, why_not="no hook was found in it"),)


@dataclass(slots=True)
class _Checking:
    run: Run
    ours: list[str]
    seconds: float  # that are left for all checks together

    def checked(self, tree: str, plan: Mapping[int, Planned]) -> Checked:
        now, before = self._round(tree, plan), dict[int, Ran]()
        failed = [at for at, ran in now.items() if not ran.worked and not ran.lacks]
        if failing := {at: plan[at] for at in failed}:
            before = self._round(self.run.workspace.base.commit, failing)
        # Files that a check had changed at the base as well stay as they are.
        old = {path for ran in before.values() for path in ran.changed}
        fixed = {at: ran.changed.keys() - old for at, ran in now.items()}
        taken = {path: now[at].changed[path] for at, paths in fixed.items() for path in paths}
        if taken:
            with_fixes = self.run.workspace.store.with_files(tree, taken)
            again = self._round(with_fixes, plan)
            now = {at: _latest(ran, again.get(at)) for at, ran in now.items()}
            if all(taken.keys().isdisjoint(ran.changed) for ran in again.values()):
                tree = with_fixes
            else:  # a formatter that goes on changing its own output is ignored
                fixed = {}
        checks = dict[object, tuple[str, Verdict, str]]()
        for at, ran in now.items():
            verdict, note = judged(ran, before.get(at), fixed.get(at, set()))
            key = note if verdict is Verdict.NOT_RUN else at
            names = [checks[key][0]] if key in checks else []  # one line for all that lack the same
            checks[key] = ", ".join((*names, plan[at].name)), verdict, note
        return Checked(tree, tuple(line_of(*check) for check in checks.values()))

    def _round(self, tree: str, plan: Mapping[int, Planned]) -> dict[int, Ran]:
        """Run all planned checks on a tree. Checks that apply to none of the files are left out."""
        run, ran = self.run, dict[int, Ran]()
        paths = tuple(regular_files(run.workspace, tree, self.ours))
        plan = {at: one for at, one in plan.items() if paths or not one.takes_names}
        with checkout(run, tree, has_git=True) as (context, files):
            context = replace(context, environment={**context.environment, **_IN_A_HOOK})
            for_hooks, lacking = _for_hooks(run, context)
            for at, check in plan.items():
                lacks = check.why_not or (lacking.get(check.hook, "") if check.hook else "")
                if lacks or self.seconds < _SHORTEST:
                    ran[at] = Ran(False, lacks=lacks or _NO_TIME)
                    continue
                own = for_hooks if check.hook else context
                shortest = min(own.limits.command_seconds, self.seconds)
                own = replace(own, limits=replace(own.limits, command_seconds=shortest))
                ran[at] = _ran(check, own, files, paths)
                self.seconds -= ran[at].seconds
        return {at: one for at, one in ran.items() if one.has_files}


def _latest(first: Ran, second: Ran | None) -> Ran:
    """Return the second result, or the first one if there was no time for a second round."""
    if second and not second.lacks:
        return second
    return replace(first, worked=first.worked or bool(first.changed))


def _for_hooks(run: Run, context: Context) -> tuple[Context, Mapping[HookBlock, str]]:
    """Return a context in which pre-commit finds its store, and why some hooks can't run in it.

    With a sandbox other than Bubblewrap, a setting must allow access to the store.
    """
    commands, name = run.commands, run.commands.chosen.name
    is_allowed = commands.around.settings.pre_commit_store and name in (LANDLOCK, NONE)
    is_shown = name == BUBBLEWRAP or is_allowed
    shown = store_folder(commands.around.environment) if is_shown else None
    file = context.root / _CONFIGURATION
    text = file_at(run.project.base, CONFIG) or ""
    installed = installed_hooks(shown, file.parent)
    why = NO_STORE if installed is None else NOT_INSTALLED
    there = installed or ()
    lacking = {
        one: why
        for one in hook_blocks(text)
        if one.repository not in _WITHOUT_STORE and (one.repository, one.revision) not in there
    }
    disk.write_text(file, configuration(text, lacking))
    hooks = commands.in_checkout(context.root, (shown,) if shown else ())
    environment = {**context.environment, "PRE_COMMIT_HOME": str(file.parent)}
    return replace(hooks, environment=environment), lacking


def _ran(check: Planned, context: Context, files: CheckedFiles, paths: tuple[str, ...]) -> Ran:
    """Run a check on files. As in pre-commit, a check that changes files has failed."""
    command = check.command
    if check.hook:
        options = ("--config", str(context.root / _CONFIGURATION), "--color", "never", "--verbose")
        command = (PROGRAM, "run", *options, check.name, "--files")
    names = tuple(map(as_argument, paths)) if check.takes_names else ()
    total = _command((*command, *names), context, is_hook=check.hook is not None)
    changes = files.changes()
    others = [path for path, is_edit in changes.items() if not is_edit or path not in paths]
    if others:
        files.put_back(changes)
        return replace(total, worked=False, others=tuple(others))
    if changes:
        files.keep(changes)
        return replace(total, worked=False, changed=files.entries(sorted(changes)))
    return total


def as_argument(path: str) -> str:
    """Return a relative path as an argument of a command that can't take it for an option."""
    return f"./{path}" if path.startswith("-") else path


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
        found = replace(read_run(done.code or 0, said), seconds=done.seconds)
    if found.worked or found.lacks:
        return found
    return replace(found, lacks=_why(_LACKS, found.said), may_lack=_why(_MODULE, found.said))


def read_run(code: int, output: str) -> Ran:
    """Parse the output of pre-commit for one hook."""
    results = list(_RESULT.finditer(output))
    if results:
        is_skipped = all(found[1] == "Skipped" for found in results)
        said = _ABOUT_HOOK.sub("", output[results[0].end() :]).strip("\n")
        return Ran(code == 0, "" if code == 0 else said, has_files=not is_skipped)
    if _NO_HOOK.match(output):
        return Ran(code == 0, has_files=False)
    if _INSTALLS.search(output):
        return Ran(False, lacks=NOT_INSTALLED)
    lines = (line.strip() for line in output.split("\n"))
    return Ran(False, lacks=next(filter(None, lines), "pre-commit printed nothing"))


def _why(pattern: re.Pattern[str], said: str) -> str:
    """Return the first line that matches the pattern, or an empty string."""
    lines = (line for line in said.split("\n") if pattern.search(line))
    return next(lines, "").strip()[:_LINE]


def judged(now: Ran, before: Ran | None, fixed: Collection[str]) -> tuple[Verdict, str]:
    """Judge a check by its result now, its result at the base, and the files that it fixed.

    The text says why, or what it changed.
    """
    if now.worked:
        return (Verdict.FIXED, _files("changed", fixed)) if fixed else (Verdict.PASSED, "")
    if now.lacks or (now.may_lack and (before is None or before.may_lack)):
        return Verdict.NOT_RUN, now.lacks or now.may_lack
    if now.others:
        verdict = Verdict.BEFORE if before and before.others else Verdict.FAILED
        return verdict, _files("it changes", now.others) + ", which is not part of the change"
    if new := now.changed.keys() - (before.changed if before else ()):
        return Verdict.FAILED, _files("it still changes", new)
    if now.changed:
        note = _files("it would change", now.changed) + ", as it would have at the base"
        return Verdict.BEFORE, f"{note}; {_files('changed', fixed)}" if fixed else note
    is_old = before is not None and not before.worked and not _lines(now) - _lines(before)
    return Verdict.BEFORE if is_old else Verdict.FAILED, ""


def _lines(ran: Ran) -> Counter[str]:
    """Return the output lines without parts that vary, such as times and line numbers."""
    lines = _NUMBER.sub("0", without_noise(ran.said)).split("\n")
    return Counter(line.strip() for line in lines if line.strip())


def _files(what: str, paths: Collection[str]) -> str:
    return f"{what} {first_few(sorted(paths), _NAMED)}"
