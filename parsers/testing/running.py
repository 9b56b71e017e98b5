"""Whether a shell line runs tests, among other things perhaps."""

from collections.abc import Sequence
from posixpath import basename

from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.shell.line import commands

_PROGRAM = LatePattern(
    r"pytest|py\.test|nosetests|nose2|tox|nox|jest|vitest|mocha|ava|karma|rspec|phpunit|pest|ctest"
    r"|prove|bats|behave|trial|ginkgo|gotestsum|stestr|green|ward|(?:run|do)[_-]?tests?(?:\.\w+)?"
    r"|tests?\.sh"
)
_PYTHON = LatePattern(r"(?:python|pypy)[\d.]*")
_MODULE = LatePattern(r"pytest|unittest|nose2?|tox|nox|ward|testtools\.run|twisted\.trial|doctest")
_SCRIPT = LatePattern(
    r"(?:.*/)?(?:test_\w+|\w+_tests?|tests?|run_?tests?)\.py|(?:.*/)?tests?/\w+\.py"
)
_STARTS = LatePattern(r"npx|bunx|node|deno|bundle|php")
_BUILDER = LatePattern(
    r"make|gmake|npm|yarn|pnpm|bun|deno|cargo|go|mvnw?|gradlew?|dotnet|bazel|swift|zig|mix|rake|just"
    r"|sbt|hatch|pdm|poe|task|invoke|composer|stack|cabal|meson|ninja|flutter|dart|rails|lein|dune"
)
_TARGET = LatePattern(r"(?:\w+[:_-])*(?:tests?|check|spec|nextest|runtest)(?:[:_-]\w+)*|t")
_COVERED = 3  # words of `-m coverage run`
_MANAGED = ("manage.py", "setup.py")


def runs_tests(line: str) -> bool:
    return any(_is_of_tests(one.words) for one in commands(line))


def _is_of_tests(words: Sequence[str]) -> bool:
    if not words:
        return False
    name, rest = basename(words[0]), words[1:]
    if _PROGRAM.fullmatch(name):
        return "--version" not in rest and "--help" not in rest
    if _PYTHON.fullmatch(name) or (name == "coverage" and rest[:1] == ("run",)):
        return _python_runs_tests(rest)
    if _BUILDER.fullmatch(name):
        return any(map(_TARGET.fullmatch, rest)) and not {"-n", "clean"} & {*rest}
    if _STARTS.fullmatch(name):
        return "--test" in rest or _is_of_tests([one for one in rest if one != "exec"][:1])
    return bool(_SCRIPT.fullmatch(words[0]))


def _python_runs_tests(rest: Sequence[str]) -> bool:
    """`coverage run` takes what Python takes."""
    for at, word in enumerate(rest):
        if word in ("coverage", "run") and at < _COVERED:
            continue
        if word == "-m" and rest[at + 1 : at + 2] == ("coverage",):
            continue
        if word == "-m":
            return any(map(_MODULE.fullmatch, rest[at + 1 : at + 2]))
        if word == "-c":
            return "unittest" in "".join(rest[at + 1 : at + 2])
        if not word.startswith("-"):
            is_managed = basename(word) in _MANAGED and "test" in rest[at + 1 :]
            return is_managed or _SCRIPT.fullmatch(word) is not None
    return False
