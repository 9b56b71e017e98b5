"""A selection of tests as each runner takes it: files and folders, and names inside of them."""

import os
import posixpath
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from posixpath import dirname

from react_agent.parsers.file_request import readings
from react_agent.parsers.tests_log import Runner
from react_agent.parsers.tests_selection import Selection
from react_agent.tools.context import Context
from react_agent.tools.files.file_list import file_list, is_glob
from react_agent.tools.files.paths import Place, Refused, inside
from react_agent.tools.files.suggestions import near_paths
from react_agent.tools.shell import process
from react_agent.tools.testing.tests_command import (
    Command,
    files_of_tests,
    is_importable_folder,
    shell_words,
)
from react_agent.tools.testing.tests_output import results_path

SELECTION = "{selection}"  # in a configured command: where the selection goes
_HANGS_AFTER = 0.7  # of the time there is: then pytest says where it stands
_MOST_OF_A_GLOB = 50
_NO_WORD = re.compile(r"[^\w.]+")


@dataclass(frozen=True, slots=True)
class Target:
    path: str  # empty: only names
    names: tuple[str, ...] = ()
    is_folder: bool = False


@dataclass(frozen=True, slots=True)
class NoTarget:
    reason: str


@dataclass(frozen=True, slots=True)
class _Wanted:
    targets: Sequence[Target]
    selection: Selection

    @property
    def names(self) -> list[Target]:
        return [target for target in self.targets if not target.path]

    @property
    def placed(self) -> list[Target]:
        return [target for target in self.targets if target.path]


@dataclass(frozen=True, slots=True)
class Started:
    argv: tuple[str, ...]
    shown: str  # the command as a person would type it


def started(command: Command, selection: Selection, context: Context) -> Started | NoTarget:
    """The command that runs what is selected."""
    found = _targets(selection.targets, context)
    if isinstance(found, NoTarget):
        return found
    given = _GIVEN.get(command.runner, _for_pytest)(command, _Wanted(found, selection), context)
    if isinstance(given, NoTarget):
        return given
    words = command.argv[0].split()
    if given and words[0] in _AFTER_DASHES and "--" not in words:
        given = ["--", *given]
    shown = f"{command.shown} {shlex.join(given)}".strip()
    if command.is_shell:
        return _configured(command, given, bool(found), context)
    return Started((*command.argv, *_ours(command, selection, context), *given), shown)


def _targets(texts: Sequence[str], context: Context) -> list[Target] | NoTarget:
    found = list[Target]()
    for text in texts:
        answer = _target(text, context)
        if isinstance(answer, NoTarget):
            return answer
        found += answer
    return found


def _target(text: str, context: Context) -> list[Target] | NoTarget:
    head, names = _parted(text)
    for request in readings(head):
        if found := _existing(request.path, names, context):
            return [found]
    if is_glob(head) and "/" in head + "/" and not names:
        matching = [name for name in file_list(context.root) if fnmatchcase(name, head)]
        if matching:
            return [Target(name) for name in matching[:_MOST_OF_A_GLOB]]
    if dotted := _dotted(head, names, context):
        return [dotted]
    place = inside(context.root, head)
    if isinstance(place, Refused):
        return NoTarget(place.reason)
    if "/" in head or head.endswith((".py", ".go", ".rs", ".js", ".ts", ".tsx", ".jsx", ".mjs")):
        return NoTarget(_missing(place.name, context))
    return [Target("", (head, *names))]


def _parted(text: str) -> tuple[str, tuple[str, ...]]:
    """At `::`, but not in parameters."""
    start, bracket, parameters = text.partition("[")
    head, *names = start.split("::")
    if names and bracket:
        names[-1] += bracket + parameters
        return head, tuple(names)
    return head + (bracket + parameters if not names else ""), tuple(filter(None, names))


def _existing(head: str, names: tuple[str, ...], context: Context) -> Target | None:
    for path in dict.fromkeys((head, posixpath.join(context.cwd, head))):
        place = inside(context.root, path)
        if isinstance(place, Place) and head.strip() and os.path.lexists(place.full):
            return Target(place.name, names, place.full.is_dir())
    return None


def _dotted(head: str, names: tuple[str, ...], context: Context) -> Target | None:
    """`tests.test_x.TestA.test_b`: the longest beginning that is a file, or a folder."""
    parts = head.split(".")
    if not all(part.isidentifier() for part in parts):
        return None
    for end in range(len(parts), 0, -1):
        path, rest = "/".join(parts[:end]), tuple(parts[end:])
        if (context.root / f"{path}.py").is_file():
            return Target(f"{path}.py", (*rest, *names))
        if not rest and end > 1 and (context.root / path).is_dir():
            return Target(path, names, is_folder=True)
    return None


def _missing(name: str, context: Context) -> str:
    near = near_paths(name, file_list(context.root))
    hint = f"; near it: {', '.join(near)}" if near else ""
    return f"{name} does not exist{hint}"


def _configured(
    command: Command, given: Sequence[str], has_targets: bool, context: Context
) -> Started | NoTarget:
    line, more = command.argv[0], shlex.join(given)
    shell = process.find_program("bash") or "/bin/sh"
    if SELECTION in line:
        line = line.replace(SELECTION, more).strip()
        return Started((shell, "-c", line), line)
    words = shell_words(command)
    if given and not words:
        return NoTarget(f"the configured test command takes no selection: {line}")
    if given and has_targets:  # what it runs by itself would be run as well
        words = [words[0], *(word for word in words[1:] if not (context.root / word).exists())]
    shown = f"{shlex.join(words)} {more}" if given else line
    ours = _missing_options(line, command, context) if words else []
    return Started((shell, "-c", f"{shown} {shlex.join(ours)}".strip()), shown)


def _missing_options(line: str, command: Command, context: Context) -> list[str]:
    if command.runner is not Runner.PYTEST:
        return []
    ours = _ours(command, Selection(), context)
    quiet = [word for word in ours if not word.startswith("--verbosity")]
    theirs = tuple(option for option in ("--tb", "--junit") if option in line)
    return [word for word in quiet if not word.startswith(theirs)]


def _ours(command: Command, selection: Selection, context: Context) -> list[str]:
    """Options that make the log short, and keep caches out of the work tree."""
    if command.runner is Runner.GO:
        return ["-json"]
    if command.runner is not Runner.PYTEST:
        return []
    home = context.environment.get("HOME")
    seconds = context.limits.command_seconds * _HANGS_AFTER
    cache = ["-o", f"cache_dir={home}/.pytest_cache"] if home else ["-p", "no:cacheprovider"]
    loud = sum(option.count("v") for option in selection.options if option.startswith("-v"))
    results = results_path(context)
    return [
        f"--verbosity={loud or -1}",
        *("--tb=short", "-rfE", "--color=no"),
        *((f"--junitxml={results}", "-o", "junit_family=xunit1") if results else ()),
        *cache,
        *("-o", f"faulthandler_timeout={seconds:.1f}"),
    ]


def _for_pytest(command: Command, wanted: _Wanted, context: Context) -> list[str] | NoTarget:
    selection = wanted.selection
    named = [" and ".join(map(_word, target.names)) for target in wanted.names]
    names = " or ".join(f"({one})" for one in named) if len(named) > 1 else "".join(named)
    both = [part for part in (selection.keyword, names) if part]
    keyword = " and ".join(f"({part})" for part in both) if len(both) > 1 else "".join(both)
    kept = [one for one in selection.options if not one.startswith(("-v", "--v", "-q", "--q"))]
    return [
        *("::".join((target.path, *target.names)) for target in wanted.placed),
        *(("-k", keyword) if keyword else ()),
        *(("-m", selection.marker) if selection.marker else ()),
        *kept,
    ]


def _word(name: str) -> str:
    """A name as -k takes it: parameters can hold what is no word there."""
    bare = name.partition("[")[0]
    return bare if not _NO_WORD.search(bare) else " and ".join(_NO_WORD.sub(" ", bare).split())


def _for_unittest(command: Command, wanted: _Wanted, context: Context) -> list[str] | NoTarget:
    selection, files = wanted.selection, file_list(context.root)
    names = [".".join(target.names) for target in wanted.names]
    keywords = re.split(r"\s+or\s+", selection.keyword) if selection.keyword else []
    if any(re.search(r"\b(?:and|not)\b|[()]", one) for one in keywords):
        return NoTarget("unittest's -k takes no 'and', 'not' or brackets: name the tests")
    patterns = [part for one in (*names, *keywords) for part in ("-k", one)]
    quiet = ["-f"] if {"-x", "--exitfirst"} & set(selection.options) else []
    if not wanted.placed:
        return [*_discovery(command, files), *quiet, *patterns]
    dotted = [one for target in wanted.placed for one in _modules(target, files)]
    return [*dotted, *quiet, *patterns]


def _discovery(command: Command, files: Sequence[str]) -> list[str]:
    """By itself it finds only what is in packages."""
    if command.is_shell:
        return []
    lost = [one for one in files_of_tests(files) if not is_importable_folder(one, frozenset(files))]
    if not lost:
        return ["discover"]
    top = dirname(lost[0]).split("/")[0]
    return ["discover", "-s", top]


def _modules(target: Target, files: Sequence[str]) -> list[str]:
    if not target.is_folder:
        return [".".join((_module(target.path), *target.names))]
    below = [name for name in files_of_tests(files) if name.startswith(f"{target.path}/")]
    return [_module(name) for name in below] or [_module(target.path)]


def _module(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".")


def _for_go(command: Command, wanted: _Wanted, context: Context) -> list[str] | NoTarget:
    folders = dict.fromkeys(
        f"./{target.path}/..." if target.is_folder else f"./{dirname(target.path)}".rstrip("/")
        for target in wanted.placed
    )
    names = [f"^{'/'.join(target.names)}$" for target in wanted.targets if target.names]
    pattern = wanted.selection.keyword or "|".join(names)
    return [*(folders or ["./..."]), *(("-run", pattern) if pattern else ())]


def _of_make(command: Command, wanted: _Wanted, context: Context) -> list[str] | NoTarget:
    if wanted.selection.is_all:
        return []
    return NoTarget(f"{command.shown} takes no selection: leave the input empty to run all tests")


_AFTER_DASHES = ("npm", "tox", "nox")  # what they hand on to the runner that they start
_Given = Callable[[Command, _Wanted, Context], list[str] | NoTarget]
_GIVEN: dict[Runner, _Given] = {
    Runner.PYTEST: _for_pytest,
    Runner.UNITTEST: _for_unittest,
    Runner.GO: _for_go,
    Runner.MAKE: _of_make,
}
