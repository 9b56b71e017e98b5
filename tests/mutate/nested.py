"""A copy of the checkout in which the package lies as it is imported: mutmut sees no mapping."""

import configparser
import shutil
from collections.abc import Iterable
from pathlib import Path

SELECTED = "tests/parsers"
# xdist and randomly: mutmut orders and divides the tests itself. timeout: see repeatable.py.
# The others cost a tenth of a second, for every mutant.
WITHOUT = (
    *("xdist", "randomly", "timeout"),
    *("cacheprovider", "unraisableexception", "threadexception"),
)
# Parsing each prefix of a transcript takes seconds for each survivor; what it notices, others do.
PYTEST = (
    *("-k", "not every_prefix"),
    *("-m", "not (slow or long or live or checkout)"),
    *("-p", "repeatable", "--hypothesis-profile", "repeatable"),
    *(word for plugin in WITHOUT for word in ("-p", f"no:{plugin}")),
)


def make(root: Path, copy: Path, modules: Iterable[str]) -> Path:
    """`modules` of parsers/ are those that get mutants."""
    ignored = shutil.ignore_patterns("__pycache__")
    settings = configparser.ConfigParser()
    settings.read(root / "setup.cfg", encoding="utf-8")
    for line in settings["options"]["package_dir"].strip().splitlines():
        package, folder = line.split(" = ")
        target = copy.joinpath(*package.split("."))
        shutil.copytree(root / folder, target, ignore=ignored, dirs_exist_ok=True)
    shutil.copytree(root / "tests", copy / "tests", ignore=ignored)
    _write_settings(copy / "setup.cfg", dict(settings["tool:pytest"]), modules)
    return copy


def path(copy: Path, module: str) -> Path:
    return copy / f"react_agent/parsers/{module}.py"


def _write_settings(file: Path, pytest: dict[str, str], modules: Iterable[str]) -> None:
    pytest.pop("timeout", None)  # a setting of the plugin that is off
    pytest["filterwarnings"] += "\nignore:Module already imported"  # hypothesis, by workers.py
    mutmut = {
        "source_paths": "react_agent",
        "only_mutate": _lines(f"react_agent/parsers/{module}.py" for module in modules),
        "pytest_add_cli_args": _lines(PYTEST),
        "pytest_add_cli_args_test_selection": SELECTED,
        "use_git_change_detection": "False",
    }
    settings = configparser.ConfigParser(interpolation=None)
    settings.read_dict({"tool:pytest": pytest, "mutmut": mutmut})
    with file.open("w", encoding="utf-8") as out:
        settings.write(out)


def _lines(words: Iterable[str]) -> str:
    return "\n".join(("", *words))
