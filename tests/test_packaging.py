"""What setup.cfg promises is what the folders hold; an editable install would hide a gap."""

import configparser
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = [pytest.mark.check, pytest.mark.checkout]

ROOT = Path(__file__).parents[1]


@pytest.fixture
def settings() -> configparser.ConfigParser:
    parser = configparser.ConfigParser()
    parser.read(ROOT / "setup.cfg", encoding="utf-8")
    return parser


def _lines(text: str) -> list[str]:
    return text.strip().splitlines()


def _packages(package: str, folder: Path) -> Iterator[str]:
    yield package
    for inner in folder.glob("*/__init__.py"):
        yield from _packages(f"{package}.{inner.parent.name}", inner.parent)


def test_every_package_is_listed_once(settings: configparser.ConfigParser) -> None:
    options = settings["options"]
    roots = [line.split(" = ") for line in _lines(options["package_dir"])]
    found = [name for package, folder in roots for name in _packages(package, ROOT / folder)]
    assert sorted(_lines(options["packages"])) == sorted(found)


def test_every_dependency_has_its_reason(settings: configparser.ConfigParser) -> None:
    listed = _lines(settings["options"]["install_requires"])
    for extra in settings["options.extras_require"].values():
        listed += _lines(extra)
    reasons = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([\w-]+)`", reasons, re.MULTILINE) == list(
        dict.fromkeys(re.split("[<>=]", requirement)[0] for requirement in listed)
    )


def test_nothing_in_pyproject_hides_setup_cfg() -> None:
    tables = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert tables.keys() == {"build-system", "tool"}
    assert tables["tool"].keys() == {"ruff"}


def test_pre_commit_reads_our_hooks() -> None:
    validate = (sys.executable, "-P", "-m", "pre_commit", "validate-manifest")
    done = subprocess.run(
        [*validate, ROOT / ".pre-commit-hooks.yaml"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_tests_are_no_package() -> None:
    inits = (ROOT / "tests").rglob("__init__.py")
    assert [path for path in inits if not path.is_relative_to(ROOT / "tests/data")] == []
