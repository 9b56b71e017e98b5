"""A selection of tests as each runner takes it."""

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from posixpath import dirname

from react_agent.parsers.tests_log import Runner
from react_agent.parsers.tests_selection import Selection
from react_agent.tools.context import Context
from react_agent.tools.files.file_list import file_list
from react_agent.tools.shell import programs
from react_agent.tools.testing.tests_command import (
    Command,
    files_of_tests,
    is_importable_folder,
    shell_words,
)
from react_agent.tools.testing.tests_targets import NoTarget, Target, targets

SELECTION = "{selection}"  # in a configured command: where the selection goes
_HANGS_AFTER = 0.7  # of the time there is: then pytest says where it stands
_NO_WORD = re.compile(r"[^\w.]+")


@dataclass(frozen=True, slots=True)
class Wanted:
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
    found = targets(selection.targets, context)
    if isinstance(found, NoTarget):
        return found
    given = _GIVEN.get(command.runner, _given_as_is)(command, Wanted(found, selection), context)
    if isinstance(given, NoTarget):
        return given
    shown = f"{command.shown} {shlex.join(given)}".strip()
    if command.is_shell:
        return _configured(command, given, bool(found), context)
    return Started((*command.argv, *_ours(command, selection, context), *given), shown)


def _configured(
    command: Command, given: Sequence[str], has_targets: bool, context: Context
) -> Started | NoTarget:
    line, more = command.argv[0], shlex.join(given)
    shell = programs.found("bash") or "/bin/sh"
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
    return [word for word in quiet if not (word.startswith("--tb") and "--tb" in line)]


def _ours(command: Command, selection: Selection, context: Context) -> list[str]:
    """Options that make the log short, and keep caches out of the work tree."""
    if command.runner is Runner.GO:
        return ["-v"]
    if command.runner is not Runner.PYTEST:
        return []
    home = context.environment.get("HOME")
    seconds = context.limits.command_seconds * _HANGS_AFTER
    cache = ["-o", f"cache_dir={home}/.pytest_cache"] if home else ["-p", "no:cacheprovider"]
    loud = sum(option.count("v") for option in selection.options if option.startswith("-v"))
    return [
        f"--verbosity={loud or -1}",
        *("--tb=short", "-rfE", "--color=no"),
        *cache,
        *("-o", f"faulthandler_timeout={seconds:.1f}"),
    ]


def _for_pytest(command: Command, wanted: Wanted, context: Context) -> list[str] | NoTarget:
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


def _for_unittest(command: Command, wanted: Wanted, context: Context) -> list[str] | NoTarget:
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


def _for_go(command: Command, wanted: Wanted, context: Context) -> list[str] | NoTarget:
    folders = dict.fromkeys(
        f"./{target.path}/..." if target.is_folder else f"./{dirname(target.path)}".rstrip("/")
        for target in wanted.placed
    )
    names = [f"^{'/'.join(target.names)}$" for target in wanted.targets if target.names]
    pattern = wanted.selection.keyword or "|".join(names)
    return [*(folders or ["./..."]), *(("-run", pattern) if pattern else ())]


def _for_cargo(command: Command, wanted: Wanted, context: Context) -> list[str] | NoTarget:
    arguments, filters = list[str](), list[str]()
    for target in wanted.targets:
        folder, name = dirname(target.path), target.path.removesuffix(".rs").split("/")
        if folder == "tests":
            arguments += ["--test", name[-1]]
            filters += ["::".join(target.names)] if target.names else []
        elif target.is_folder:
            filters.append("::".join((*name, *target.names)))
        else:
            module = name[1:] if name[0] == "src" else []
            inner = [part for part in module if part not in ("lib", "main", "mod")]
            filters.append("::".join((*inner, *target.names)))
    filters += [wanted.selection.keyword]
    chosen = [one for one in filters if one]
    return [*arguments, *(("--", *chosen) if chosen else ())]


def _for_npm(command: Command, wanted: Wanted, context: Context) -> list[str] | NoTarget:
    names = [" ".join(target.names) for target in wanted.targets if target.names]
    keyword = wanted.selection.keyword or "|".join(names)
    paths = [target.path for target in wanted.placed]
    script = command.script or command.shown
    by_name = "-g" if "mocha" in script else "-t"
    by_name = "--test-name-pattern" if "node --test" in script else by_name
    given = [*paths, *((by_name, keyword) if keyword else ())]
    separator = ["--"] if given and command.argv[0].split()[0] == "npm" else []
    return [*separator, *given]


def _behind_dashes(command: Command, wanted: Wanted, context: Context) -> list[str] | NoTarget:
    given = _for_pytest(command, wanted, context)
    return ["--", *given] if isinstance(given, list) and given else given


def _of_make(command: Command, wanted: Wanted, context: Context) -> list[str] | NoTarget:
    if wanted.selection.is_all:
        return []
    return NoTarget(f"{command.shown} takes no selection: leave the input empty to run all tests")


def _given_as_is(command: Command, wanted: Wanted, context: Context) -> list[str] | NoTarget:
    return _for_pytest(command, wanted, context)


_Given = Callable[[Command, Wanted, Context], list[str] | NoTarget]
_GIVEN: dict[Runner, _Given] = {
    Runner.PYTEST: _for_pytest,
    Runner.UNITTEST: _for_unittest,
    Runner.GO: _for_go,
    Runner.CARGO: _for_cargo,
    Runner.NPM: _for_npm,
    Runner.TOX: _behind_dashes,
    Runner.NOX: _behind_dashes,
    Runner.MAKE: _of_make,
}
