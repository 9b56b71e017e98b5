"""Read a repository's test settings and Python project metadata from the texts of its files.

package = a folder with `__init__.py`, at the top of `src`, the repository, `lib` or `python`
"""

import ast
import configparser
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from react_agent.parsers.repo.outline import parse
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
    LatePattern(r"\s*(?:pub\s+)?(?:async\s+)?fn\s+(?P<name>(?!main\b)\w+)\s*\(\s*\)"),
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


def pytest_section(name: str, text: str) -> str:
    """Return the name of the pytest section in a settings file, or "" if there is none."""
    if name.endswith("pytest.ini"):
        return name
    start, place = _SECTIONS.get(name, ("\n", ""))
    return place if any(line.startswith(start) for line in text.split("\n")) else ""


def told_to_pytest(name: str, text: str) -> object:
    """Return all pytest settings of a file, or none if the file can't be read."""
    if name.endswith(".toml"):
        tools = toml(text).get("tool")
        return tools.get("pytest") if isinstance(tools, dict) else None
    sections = ini(text)
    return sections.get("tool:pytest"), sections.get("pytest")


def npm_test_script(text: str) -> str:
    """Return `scripts.test` of a package.json, or "" if it is npm's default."""
    try:
        script = json.loads(text)["scripts"]["test"]
    except (ValueError, RecursionError, LookupError, TypeError):
        return ""
    return script if isinstance(script, str) and _NPMS_OWN not in script else ""


def make_target(text: str) -> str:
    """Return the Makefile target that runs tests, or "" if there is none."""
    found = set[str]()
    for line in text.split("\n"):
        names, colon, rest = line.partition(":")
        if colon and rest[:1] not in (":", "=") and _TARGETS.fullmatch(names.rstrip()):
            found.update(names.split())
    return next((name for name in ("test", "check", "tests") if name in found), "")


def ini(text: str) -> Mapping[str, Mapping[str, str]]:
    """Return the sections of an INI file, or none if it can't be read."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return {}
    return {name: dict(parser[name]) for name in parser.sections()}


def toml(text: str) -> Mapping[str, object]:
    """Return the tables of a TOML file, or none if it can't be read."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def has_test_case(text: str) -> bool:
    return _UNITTEST.search(text) is not None


def named_test(line: str) -> str:
    """Return the name of the test that begins on this line, or "" if no test does."""
    found = next(filter(None, (pattern.match(line) for pattern in _NAMES)), None)
    return found["name"] if found else ""


def is_skip(line: str) -> bool:
    """Return whether the line skips a test unconditionally."""
    return _SKIPS.match(line) is not None


def skips_now(line: str) -> bool:
    """Return whether the line skips a test while the test is running."""
    return _SKIPS_NOW.match(line) is not None


_NO_PROJECT = frozenset(
    {"test", "tests", "testing", "doc", "docs", "example", "examples", "scripts", "tools"}
    | {"benchmark", "benchmarks", "build", "dist", "ci", "bin", "eval"}
)


@dataclass(frozen=True, slots=True)
class PythonProject:
    packages: tuple[str, ...] = ()  # top-level packages, as they are imported
    folder: str = "."  # the folder of the packages, such as `.` or `src`
    mapped: tuple[str, ...] = ()  # sub-packages in a folder that does not match their names


def read_project(texts: Mapping[str, str], files: Sequence[str]) -> PythonProject:
    """Read setup.cfg and pyproject.toml, if they exist, and use the list of files."""
    cfg, project = ini(texts.get("setup.cfg", "")), toml(texts.get("pyproject.toml", ""))
    table = project.get("project")
    name = str(table.get("name") or "") if isinstance(table, dict) else ""
    name = name or cfg.get("metadata", {}).get("name", "")
    folders = cfg.get("options", {}).get("package_dir", "").split("\n")
    mapped = (line.partition("=")[0].strip() for line in folders if "=" in line)
    folder, packages = _packages(re.sub(r"[-.]", "_", name), files)
    return PythonProject(packages, folder, tuple(one for one in mapped if "." in one))


def _packages(name: str, files: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the folder and its packages. The package named after the project comes first."""
    inits = [file.split("/")[:-1] for file in files if file.endswith("/__init__.py")]
    for folder in ("src", ".", "lib", "python"):
        above = [] if folder == "." else [folder]
        tops = {parts[-1] for parts in inits if parts[:-1] == above and parts[-1].isidentifier()}
        found = [top for top in tops if top.casefold() not in _NO_PROJECT]
        if found:
            ordered = sorted(found, key=lambda one: (one.casefold() != name.casefold(), one))
            return folder, tuple(ordered)
    return ".", (name,) if name and f"{name}.py" in files else ()


def imported(text: str) -> frozenset[str]:
    """Return the packages that a module always imports. Imports within a `try` don't count."""
    found = set[str]()
    tree = parse(text)
    for one in tree.body if tree else ():
        if isinstance(one, ast.Import):
            found |= {name.name.partition(".")[0] for name in one.names}
        elif isinstance(one, ast.ImportFrom) and not one.level and one.module:
            found.add(one.module.partition(".")[0])
    return frozenset(found)
