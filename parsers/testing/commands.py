"""Detect shell lines that run tests, alone or with other commands, and identify the runner."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from posixpath import basename

from react_agent.parsers.shell.line import commands
from react_agent.parsers.text.late_pattern import LatePattern


class Runner(StrEnum):
    """The test runners that have their own selection syntax or log format."""

    PYTEST = "pytest"
    UNITTEST = "unittest"
    GO = "go"
    MAKE = "make"
    OTHER = "other"


# The beginning of a selection: `$ FOO=1 uv run python -m pytest`.
TEST_COMMAND = LatePattern(
    r"(?:[$>] )?(?:\w+=\S*\s+|(?:uv|poetry|pipenv|hatch|pdm) run\s+|time\s+|timeout \S+\s+)*"
    r"(?:\S*python[\d.]*(?: +-[A-Zubs]+)* +-m +(?:pytest|unittest(?: discover)?)"
    r"|(?:\S*/)?(?:pytest|py\.test)|\S*python[\d.]* \S*manage\.py test|tox|nox"
    r"|(?:npx |yarn |pnpm )?(?:jest|vitest(?: run)?|mocha)|(?:npm|yarn|pnpm) +(?:run +)?test"
    r"|cargo +(?:nextest run|test)|go +test|make +(?:test|check)|node --test|run_tests)(?=\s|$)"
)
_JOINED = LatePattern(r"[|;&<>`()\n]")  # joins or embeds another command
_RUNNERS: Mapping[str, Runner] = {
    **dict.fromkeys(("pytest", "py.test"), Runner.PYTEST),
    **dict.fromkeys(("unittest", "manage.py", "runtests.py"), Runner.UNITTEST),
    "make": Runner.MAKE,
}
_PROGRAM = LatePattern(
    r"pytest|py\.test|unittest|nosetests|nose2?|tox|nox|trial|stestr|jest|vitest|mocha|ava|karma"
    r"|rspec|phpunit|ctest|prove|bats|behave|gotestsum|doctest|(?:run|do)[_-]?tests?(?:\.\w+)?"
    r"|tests?\.sh"
)
_SCRIPT = LatePattern(
    r"(?:.*/)?(?:test_\w+|\w+_tests?|tests?|run_?tests?)\.py|(?:.*/)?tests?/\w+\.py"
)
_PYTHON = LatePattern(r"(?:python|pypy)[\d.]*")
_BUILDER = LatePattern(
    r"g?make|npm|yarn|pnpm|bun|deno|cargo|go|mvnw?|gradlew?|dotnet|bazel|swift|zig|mix|rake|just|sbt"
    r"|hatch|pdm|poe|task|invoke|composer|meson|ninja|flutter|dart|(?:manage|setup)\.py"
)
_TARGET = LatePattern(r"(?:\w+[:_-])*(?:tests?|check|spec|nextest|runtest)(?:[:_-](?!clean)\w+)*|t")
_CHECKS_NO_TESTS = ("cargo", "deno", "manage.py", "setup.py")  # `check` only looks at the code


def only_runs_tests(line: str) -> bool:
    """Return whether the line only runs tests. A pipeline or list may hide the exit code."""
    return not _JOINED.search(line.strip()) and runs_tests(line)


def runs_tests(line: str) -> bool:
    return any(_runs_tests(tuple(one.words)) for one in commands(line))


def runner_of(line: str) -> Runner:
    """Return the runner for the first program in the line that is known to run tests."""
    for name, rest in (_started(tuple(one.words)) for one in commands(line)):
        if name == "go" and rest[:1] == ("test",):
            return Runner.GO
        if runner := _RUNNERS.get(basename(name)):
            return runner
    return Runner.OTHER


def _runs_tests(words: Sequence[str]) -> bool:
    name, rest = _started(words)
    if _PROGRAM.fullmatch(name):
        return not {"--version", "--help", "--collect-only", "--co"} & {*rest}
    if _BUILDER.fullmatch(name):
        is_other = "--no-run" in rest or (rest[:1] == ("check",) and name in _CHECKS_NO_TESTS)
        return any(map(_TARGET.fullmatch, rest)) and not (is_other or {"-n", "clean"} & {*rest})
    return (name == "node" and "--test" in rest) or bool(_SCRIPT.fullmatch(name))


def _started(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return the program's name without its folder, or the module or script that Python runs."""
    name, rest = basename(words[0]) if words else "", words[1:]
    if not _PYTHON.fullmatch(name):
        return words[0] if _SCRIPT.fullmatch("".join(words[:1])) else name, rest
    if rest[:3] == ("-m", "coverage", "run"):
        return _started((name, *rest[3:]))
    at = 0
    while at < len(rest) and rest[at].startswith("-") and rest[at] not in ("-m", "-c"):
        at += 2 if rest[at] in ("-W", "-X") else 1
    option, what = "".join(rest[at : at + 1]), "".join(rest[at + 1 : at + 2])
    if option == "-m":
        return what, rest[at + 2 :]
    if option == "-c":
        return "unittest" if "unittest" in what else "", ()
    if basename(option) in ("manage.py", "setup.py"):
        option = basename(option)
    elif not _SCRIPT.fullmatch(option):
        option = ""
    return option, rest[at + 1 :]
