"""Classify a file by its name: code, a test, data, a scratch file, or a by-product of a tool."""

from pathlib import PurePosixPath

from react_agent.parsers.text.late_pattern import LatePattern

_CODE = LatePattern(
    r"\.(?:pyx?|[jt]sx?|[cm]js|vue|svelte|go|rs|java|kt|scala|c|h|cc|[ch]pp|cxx|cs|rb|php|swift|m|lua"
    r"|p[lm]|exs?|[eh]rl|hs|ml|clj|dart|r|jl|sh|bash|zig|nim|sql)"
)
_TEST_FOLDERS = frozenset({"test", "tests", "__tests__", "spec", "specs", "e2e", "testing"})
_TEST = LatePattern(
    r"test_.*|.*_tests?|.*[.-](?:test|spec)s?|.*_spec|tests?|conftest|.*[a-z0-9]Tests?|Test[A-Z].*"
)
_DATA = frozenset({"data", "fixtures", "fixture", "testdata", "test_data", "samples", "scenarios"})
_SCRATCH = LatePattern(r"(?:tmp|temp|scratch|debug|foo|xxx)(?:[_\-.\d].*)?")
_SCRATCH_AT_ROOT = LatePattern(r"test\.py|repro(?:duc\w*)?[_\-\d.].*|(?:my|quick|manual)_?test\..*")
_LEFT_BEHIND = (".orig", ".rej", ".bak", ".log", ".swp", "~")
_MADE = LatePattern(
    r"__pycache__|\..*_cache|\.hypothesis|\.coverage.*|htmlcov|node_modules|target|dist|build|out"
    r"|.*\.egg-info|\.tox|\.nox|\.?venv|\.cache|coverage|.*\.py[co]|.*\.o|.*\.class|\.DS_Store"
)


def is_code(path: str) -> bool:
    return _CODE.fullmatch(PurePosixPath(path).suffix.lower()) is not None


def is_of_tests(path: str) -> bool:
    name = PurePosixPath(path)
    in_folder = not _TEST_FOLDERS.isdisjoint(name.parts[:-1])
    return in_folder or (is_code(path) and _TEST.fullmatch(name.stem) is not None)


def is_data(path: str) -> bool:
    """Return whether the file is in a test data folder, where a file may be broken on purpose."""
    return not _DATA.isdisjoint(PurePosixPath(path).parts)


def is_scratch(path: str) -> bool:
    """Return whether the name is that of a scratch file, which was made to try something out."""
    name = PurePosixPath(path).name
    at_root = "/" not in path and _SCRATCH_AT_ROOT.fullmatch(name)
    return bool(at_root or _SCRATCH.fullmatch(name)) or name.endswith(_LEFT_BEHIND)


def is_by_product(path: str) -> bool:
    """Return whether the path is a by-product of a tool, such as a cache or a build."""
    return any(map(_MADE.fullmatch, PurePosixPath(path).parts))
