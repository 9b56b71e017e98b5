"""What the files of a repository say about its tests: their text, not where they lie."""

import configparser
import json
import re
import tomllib
from collections.abc import Mapping

_PLACEHOLDER = "no test specified"
_TARGET = re.compile(r"(?P<names>[\w./ -]+?)\s*:(?![=:])")
_WANTED_TARGETS = ("test", "check", "tests")
_UNITTEST = re.compile(r"\b(?:unittest\.|django\.test|IsolatedAsyncio)?TestCase\b")


def pytest_section(name: str, text: str) -> str:
    """The place in a file of settings that speaks of pytest; empty where none does."""
    sections = {
        "pytest.ini": "[pytest]",
        ".pytest.ini": "[pytest]",
        "setup.cfg": "[tool:pytest]",
        "tox.ini": "[pytest]",
        "pyproject.toml": "[tool.pytest",
    }
    section = sections.get(name, "")
    found = section and any(line.startswith(section) for line in text.split("\n"))
    if name.endswith("pytest.ini"):
        return name
    return f"{section.rstrip(']')}] in {name}".replace("]]", "]") if found else ""


def told_to_pytest(name: str, text: str) -> object:
    """All that a file says to pytest; nothing of what can't be read."""
    if name.endswith(".toml"):
        tools = toml(text).get("tool")
        return tools.get("pytest") if isinstance(tools, dict) else None
    sections = ini(text)
    return sections.get("tool:pytest"), sections.get("pytest")


def has_test_case(text: str) -> bool:
    return _UNITTEST.search(text) is not None


def npm_test_script(text: str) -> str:
    """`scripts.test` of a package.json, unless it is the one that npm makes up."""
    try:
        package = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    scripts = package.get("scripts") if isinstance(package, dict) else None
    script = scripts.get("test") if isinstance(scripts, dict) else None
    return script if isinstance(script, str) and _PLACEHOLDER not in script else ""


def make_target(text: str) -> str:
    """The target of a Makefile that runs tests."""
    found = {
        name
        for line in text.split("\n")
        if (target := _TARGET.match(line))
        for name in target["names"].split()
    }
    return next((name for name in _WANTED_TARGETS if name in found), "")


def ini(text: str) -> Mapping[str, Mapping[str, str]]:
    """Its sections; none of what can't be read."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return {}
    return {name: dict(parser[name]) for name in parser.sections()}


def toml(text: str) -> Mapping[str, object]:
    """Its tables; none of what can't be read."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}
