"""Which files the tests are in that a set names."""

from collections.abc import Iterator, Sequence

from react_agent.eval.grading.naming import OF_UNITTEST
from react_agent.eval.instance import Instance
from react_agent.tools.testing.tests_command import files_of_tests


def test_files(instance: Instance, paths: Sequence[str]) -> set[str]:
    """Of these. Code that holds tests of itself, in its documentation, is none."""
    named = frozenset(_named(instance))
    return {path for path in files_of_tests(paths) if named & {*_spellings(path)}}


def _named(instance: Instance) -> Iterator[str]:
    """Files, and modules of unittest: before the class, and the method that may stand behind it."""
    for name in (*instance.fail_to_pass, *instance.pass_to_pass):
        if "::" in name:
            yield name.partition("::")[0]
        elif found := OF_UNITTEST.fullmatch(name):
            parts = found["of"].split(".")
            yield from (".".join(parts[:end]) for end in (-1, -2) if parts[:end])


def _spellings(path: str) -> Iterator[str]:
    yield path
    if path.endswith(".py"):
        parts = path.removesuffix(".py").split("/")
        yield from (".".join(parts[start:]) for start in range(len(parts)))
