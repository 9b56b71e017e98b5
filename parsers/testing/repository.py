"""Read what a repository's files say about its tests, from the text of each file."""

import configparser
import json
import re
import tomllib
from collections.abc import Mapping

from react_agent.parsers.text.late_pattern import LatePattern

_SECTIONS = {
    "setup.cfg": ("[tool:pytest]", "[tool:pytest] in setup.cfg"),
    "tox.ini": ("[pytest]", "[pytest] in tox.ini"),
    "pyproject.toml": ("[tool.pytest", "[tool.pytest] in pyproject.toml"),
}
_NPMS_OWN = "no test specified"
_TARGETS = re.compile(r"[\w./ -]+")
_UNITTEST = re.compile(r"\b(?:unittest\.|django\.test|IsolatedAsyncio)?TestCase\b")
_NAMES = (
    LatePattern(r"\s*(?:async\s+)?def\s+(?P<name>test\w*)\s*\("),
    LatePattern(r"\s*func\s+(?P<name>Test\w+)\s*\("),
    LatePattern(r"\s*(?:it|test)\s*\(\s*(?P<quote>['\"`])(?P<name>.+?)(?P=quote)"),
    LatePattern(r"\s*(?:public\s+|private\s+)?void\s+(?P<name>test\w+)\s*\("),
)
_SKIPS = LatePattern(
    r"\s*(?:"
    r"@(?:pytest\.mark\.)?(?:skip|xfail)\b"
    r"|pytestmark\s*=.*\b(?:skip|xfail)\b"
    r"|@(?:unittest\.)?(?:skip\b|expectedFailure\b)"
    r"|@(?:Disabled|Ignore)\b"
    r"|(?:it|test|describe)\.(?:skip|only|todo)\s*\("
    r"|x(?:it|test|describe)\s*\("
    r"|#\[ignore\b"
    r"|\w.*marks\s*=\s*pytest\.mark\.(?:skip|xfail)\b"
    r")"
)
_SKIPS_NOW = LatePattern(r"\s*(?:self\.skipTest|pytest\.(?:skip|xfail)|t\.Skip(?:f|Now)?)\s*\(")


# --- files of settings


def pytest_section(name: str, text: str) -> str:
    """Return the place in a settings file that is about pytest; empty if there is none."""
    if name.endswith("pytest.ini"):
        return name
    start, place = _SECTIONS.get(name, ("\n", ""))
    return place if any(line.startswith(start) for line in text.split("\n")) else ""


def told_to_pytest(name: str, text: str) -> object:
    """Return all pytest settings of a file; nothing if the file can't be read."""
    if name.endswith(".toml"):
        tools = toml(text).get("tool")
        return tools.get("pytest") if isinstance(tools, dict) else None
    sections = ini(text)
    return sections.get("tool:pytest"), sections.get("pytest")


def npm_test_script(text: str) -> str:
    """Return `scripts.test` of a package.json; empty if it is npm's default."""
    try:
        script = json.loads(text)["scripts"]["test"]
    except (ValueError, RecursionError, LookupError, TypeError):
        return ""
    return script if isinstance(script, str) and _NPMS_OWN not in script else ""


def make_target(text: str) -> str:
    """Return the target of a Makefile that runs tests; empty if there is none."""
    found = set[str]()
    for line in text.split("\n"):
        names, colon, rest = line.partition(":")
        if colon and rest[:1] not in (":", "=") and _TARGETS.fullmatch(names.rstrip()):
            found.update(names.split())
    return next((name for name in ("test", "check", "tests") if name in found), "")


def ini(text: str) -> Mapping[str, Mapping[str, str]]:
    """Return the sections of an INI file; none if it can't be read."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return {}
    return {name: dict(parser[name]) for name in parser.sections()}


def toml(text: str) -> Mapping[str, object]:
    """Return the tables of a TOML file; none if it can't be read."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


# --- files of tests


def has_test_case(text: str) -> bool:
    return _UNITTEST.search(text) is not None


def named_test(line: str) -> str:
    """Return the name of the test that begins on this line; empty if none does."""
    found = next(filter(None, (pattern.match(line) for pattern in _NAMES)), None)
    return found["name"] if found else ""


def is_skip(line: str) -> bool:
    """Return whether the line always skips a test, without a condition."""
    return _SKIPS.match(line) is not None


def skips_now(line: str) -> bool:
    """Return whether the line skips a test when it is run."""
    return _SKIPS_NOW.match(line) is not None
