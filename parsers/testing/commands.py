"""Whether a shell line runs tests, among other things or alone, and by which runner."""

from collections.abc import Mapping, Sequence
from posixpath import basename

from react_agent.parsers.shell.line import commands
from react_agent.parsers.testing.log import Runner
from react_agent.parsers.text.late_pattern import LatePattern

_ALONE = LatePattern(
    r"(?:\w+=\S* +)*"
    r"(?:\S*python[\d.]* +-m +(?:pytest|unittest)|(?:\S*/)?pytest|tox|nox"
    r"|make +(?:test|check)|(?:npm|yarn|cargo|go) +(?:run +)?test)"
    r"(?: [^|;&<>`$()\n]*)?"
)
_RUNNERS: Mapping[str, Runner] = {
    **dict.fromkeys(("pytest", "py.test"), Runner.PYTEST),
    **dict.fromkeys(("unittest", "manage.py", "runtests.py"), Runner.UNITTEST),
    **dict.fromkeys(("npm", "yarn", "pnpm", "npx", "jest", "vitest", "mocha"), Runner.NPM),
    **{runner.value: runner for runner in (Runner.CARGO, Runner.TOX, Runner.NOX, Runner.MAKE)},
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
_STARTS = LatePattern(r"npx|bunx|bundle|php")
_BUILDER = LatePattern(
    r"g?make|npm|yarn|pnpm|bun|deno|cargo|go|mvnw?|gradlew?|dotnet|bazel|swift|zig|mix|rake|just|sbt"
    r"|hatch|pdm|poe|task|invoke|composer|meson|ninja|flutter|dart|(?:manage|setup)\.py"
)
_TARGET = LatePattern(r"(?:\w+[:_-])*(?:tests?|check|spec|nextest|runtest)(?:[:_-]\w+)*|t")


def only_runs_tests(command: str) -> bool:
    """So that its exit code is theirs, which it is not in a pipeline or a list."""
    return _ALONE.fullmatch(command.strip()) is not None


def runs_tests(line: str) -> bool:
    return any(_runs_tests(tuple(one.words)) for one in commands(line))


def runner_of(line: str) -> Runner:
    """By the first program of the line that is known to run tests, be it in a container."""
    for words in (tuple(command.words) for command in commands(line)):
        inner = next((at + 1 for at, word in enumerate(words) if word in ("run", "exec")), None)
        for start in (0, *range(inner or len(words), len(words))):
            name, rest = _started(words[start:])
            runner = _RUNNERS.get(basename(name))
            if name == "node" and "--test" in rest:
                runner = Runner.NPM
            elif name == "go" and rest[:1] == ("test",):
                runner = Runner.GO
            if runner:
                return runner
    return Runner.OTHER


def _runs_tests(words: Sequence[str]) -> bool:
    name, rest = _started(words)
    if _PROGRAM.fullmatch(name):
        return not {"--version", "--help"} & {*rest}
    if _BUILDER.fullmatch(name):
        return any(map(_TARGET.fullmatch, rest)) and not {"-n", "clean"} & {*rest}
    return (name == "node" and "--test" in rest) or bool(_SCRIPT.fullmatch(name))


def _started(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The program without its folder, or what an interpreter runs: a module, or a script."""
    name, rest = basename(words[0]) if words else "", words[1:]
    if _STARTS.fullmatch(name) and rest:
        return _started(rest[1:] if rest[0] == "exec" else rest)
    is_covered = name == "coverage" and rest[:1] == ("run",)
    if not is_covered and not _PYTHON.fullmatch(name):
        return words[0] if _SCRIPT.fullmatch("".join(words[:1])) else name, rest
    if rest[:3] == ("-m", "coverage", "run"):
        return _started(rest[1:])
    at = int(is_covered)
    while at < len(rest) and rest[at].startswith("-") and rest[at] not in ("-m", "-c"):
        at += 2 if rest[at] in ("-W", "-X") else 1
    option, what = "".join(rest[at : at + 1]), "".join(rest[at + 1 : at + 2])
    if option == "-m":
        return what, rest[at + 2 :]
    if option == "-c":
        return "unittest" if "unittest" in what else "", ()
    known = basename(option) in ("manage.py", "setup.py", "runtests.py")
    return basename(option) if known else option if _SCRIPT.fullmatch(option) else "", rest[
        at + 1 :
    ]
