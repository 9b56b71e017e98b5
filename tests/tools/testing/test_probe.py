"""Real environments: a checkout with an editable install, and a workspace of the same files."""

import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from by_hand import plain_git, program, save

from react_agent.tools.context import Context, Limits
from react_agent.tools.sandbox.sandbox import unconfined
from react_agent.tools.testing.probe import Environment, Surroundings, folder_for, preparing, probe
from react_agent.tools.testing.run_tests import RUN_TESTS

BASE = Path(sys.base_prefix, "bin", f"python{sys.version_info.major}")
VERSION = ".".join(map(str, sys.version_info[:3]))
LIBRARY = Path("lib", f"python{sys.version_info.major}.{sys.version_info.minor}", "site-packages")
TEST = (
    "import unittest, thing\nclass TestIt(unittest.TestCase):\n    def test_it(self): thing.it()\n"
)
SETTINGS = "[metadata]\nname = thing\n[options]\n"
FLAT = {"setup.cfg": SETTINGS, "thing/__init__.py": "def it(): pass\n", "tests/test_it.py": TEST}
SRC = {name.replace("thing/", "src/thing/"): text for name, text in FLAT.items()}
MakePlace = Callable[[dict[str, str]], Context]


@pytest.fixture
def place(tmp_path: Path) -> MakePlace:
    """A checkout of these files, and a workspace beside it."""

    def make(files: dict[str, str]) -> Context:
        plain_git(tmp_path, "init", "--quiet", "checkout")
        save(tmp_path / "checkout", files)
        shutil.copytree(tmp_path / "checkout", tmp_path / "workspace")
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin/python3").symlink_to(BASE)
        environment = {"PATH": f"{tmp_path}/bin:/usr/bin:/bin", "HOME": str(tmp_path)}
        # without what the base Python has installed
        environment |= {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1"}
        return Context(tmp_path / "workspace", Limits(command_seconds=20), environment)

    return make


def environment_at(folder: Path, editable: Path | None = None) -> Path:
    """A virtual environment by hand, where `editable` is installed in place."""
    (folder / "bin").mkdir(parents=True)
    (folder / "bin/python").symlink_to(BASE)
    (folder / "pyvenv.cfg").write_text(
        f"home = {BASE.parent}\ninclude-system-site-packages = false\n"
    )
    (folder / LIBRARY).mkdir(parents=True)
    if editable:
        (folder / LIBRARY / "thing.pth").write_text(f"{editable}\n")
    return folder


@pytest.mark.parametrize(
    ("files", "inner"), [pytest.param(FLAT, ".", id="flat"), pytest.param(SRC, "src", id="src")]
)
def test_the_workspaces_files_win_over_an_editable_install(
    place: MakePlace, tmp_path: Path, files: dict[str, str], inner: str
) -> None:
    context = place(files)
    checkout = tmp_path / "checkout"
    venv = environment_at(checkout / ".venv", checkout / inner)
    (context.root / inner / "thing/__init__.py").write_text("def it(): raise ValueError('new')\n")
    before = sorted(checkout.rglob("*"))
    found = probe(context, Surroundings(checkout))
    assert sorted(checkout.rglob("*")) == before  # nothing is written to theirs
    assert found == Environment(
        lines=(
            f"Python {VERSION} (the checkout's .venv).",
            "thing is imported from the workspace.",
            "Tests: python -m unittest (there are unittest test cases, and pytest is not "
            "installed).",
        ),
        changes={
            "PATH": f"{venv}/bin:{context.environment['PATH']}",
            "VIRTUAL_ENV": str(venv),
            "PYTHONPATH": str((context.root / inner).resolve() if inner != "." else context.root),
        },
        python=f"{venv}/bin/python",
        is_usable=True,
    )
    seen = Context(context.root, context.limits, {**context.environment, **found.changes})
    assert "    ValueError: new" in RUN_TESTS.call("", seen).text.split("\n")


def test_several_packages_are_named(place: MakePlace) -> None:
    found = probe(place({**FLAT, "other/__init__.py": ""}), Surroundings())
    assert any(line.endswith(" are imported from the workspace.") for line in found.lines)


def test_test_modules_that_can_not_be_imported_are_named(place: MakePlace) -> None:
    tests = {
        "tests/test_lock.py": "import os, nosuchlock\nfrom . import helper\nimport thing.it\n",
        "tests/test_soft.py": "try:\n    import nosuchlock\nexcept ImportError:\n    pass\n",
    }
    found = probe(place({**FLAT, **tests}), Surroundings())
    assert found.lines[-1] == (
        "Can't be imported here: tests/test_lock.py: No module named 'nosuchlock'."
    )


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        pytest.param("import gone", "ModuleNotFoundError: No module named 'gone'", id="broken"),
        pytest.param("raise SystemExit('a\\nb')", "SystemExit: a b", id="leaves"),
        pytest.param("print('x' * 9)\n1 / 0", "ZeroDivisionError: division by zero", id="prints"),
        ("import os; os._exit(3)", "the interpreter does not work (exit code 3)"),
    ],
)
def test_a_package_that_can_not_be_imported(place: MakePlace, code: str, problem: str) -> None:
    found = probe(place({**FLAT, "thing/__init__.py": code}), Surroundings())
    said = f"Tests can't run: thing can't be imported from the workspace ({problem})."
    assert (said in found.lines, found.is_usable, found.changes) == (True, False, {})


def test_a_hanging_import_is_given_up(place: MakePlace) -> None:
    context = place({**FLAT, "thing/__init__.py": "import time; time.sleep(60)"})
    limited = Context(context.root, Limits(command_seconds=1), context.environment)
    found = probe(limited, Surroundings())
    assert found.lines[0] == (
        "Tests can't run: thing can't be imported from the workspace (importing it took more than "
        "1 s)."
    )


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param("#!/nonexistent/python\n", id="its base is gone"),
        pytest.param("#!/bin/sh\nexit 1\n", id="it fails"),
        pytest.param("#!/bin/sh\necho '@@probe@@[1]'\n", id="it lies"),
    ],
)
def test_a_broken_interpreter_is_passed_over(place: MakePlace, tmp_path: Path, broken: str) -> None:
    context = place(FLAT)
    program(tmp_path / "checkout/.venv/bin/python", broken)
    found = probe(context, Surroundings(tmp_path / "checkout"))
    assert (found.lines[0], found.is_usable) == (f"Python {VERSION} (the Python on PATH).", True)


def test_a_place_that_leads_to_itself_is_no_failure(place: MakePlace, tmp_path: Path) -> None:
    context, told = place(FLAT), r"{\"version\": \"1\", \"files\": {\"thing\": \"$PWD/loop\"}}"
    lies = f'#!/bin/sh\nln -s loop loop\necho "@@probe@@{told}"\n'
    program(tmp_path / "checkout/.venv/bin/python", lies)
    found = probe(context, Surroundings(tmp_path / "checkout"))
    assert found.lines[0] == "Python 1 (the checkout's .venv)."


def test_the_configured_environment_comes_first(place: MakePlace, tmp_path: Path) -> None:
    context = place(FLAT)
    own = environment_at(tmp_path / "own")
    active = environment_at(tmp_path / "active")
    around = Surroundings(None, str(active), f"{own}/bin/python")
    assert probe(context, around).changes["VIRTUAL_ENV"] == str(own)
    (own / "pyvenv.cfg").unlink()  # as in an environment of conda
    path = f"{own}/bin:{context.environment['PATH']}"
    assert probe(context, around).changes == {"PATH": path, "PYTHONPATH": str(context.root)}


def test_sub_packages_that_only_the_checkout_has_in_place_are_seen(
    place: MakePlace, tmp_path: Path
) -> None:
    mapped = f"{SETTINGS}package_dir =\n    thing = thing\n    thing.more = more\n"
    context = place({**FLAT, "setup.cfg": mapped, "more/__init__.py": ""})
    found = probe(context, Surroundings())
    assert found.lines[1].startswith(
        "Tests can't run: thing can't be imported from the workspace (ModuleNotFoundError: No "
        "module named 'thing.more')"
    )


def test_a_package_whose_file_is_a_link_in_a_circle(place: MakePlace) -> None:
    code = "import os\nos.symlink('it', 'it')\n__file__ = os.path.abspath('it')\ndef it(): pass\n"
    assert probe(place({**FLAT, "thing/__init__.py": code}), Surroundings()).is_usable


def test_an_environment_is_made_once_for_a_base(place: MakePlace, tmp_path: Path) -> None:
    context = place({**FLAT, "thing/__init__.py": "import needed\ndef it(): pass\n"})
    folder = folder_for(tmp_path / "cache", "base", "command")
    made = environment_at(tmp_path / "made")
    (made / LIBRARY / "needed.py").touch()
    command = f'echo once >>{tmp_path}/count; cp -a {made} "$VENV"'
    around = Surroundings(prepare=preparing(command, folder, unconfined))
    first, second = probe(context, around), probe(context, around)
    assert (first.lines[0], first.is_usable) == (
        f"Python {VERSION} (made by the prepare command).",
        True,
    )
    assert (second, (tmp_path / "count").read_text()) == (first, "once\n")
    (folder / "venv/bin/python").unlink()  # or the Python that it leads to is gone
    third = probe(context, around)
    assert (third, (tmp_path / "count").read_text()) == (first, "once\nonce\n")


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        pytest.param(
            "echo 'no network' >&2; exit 2",
            "The prepare command ended with exit code 2: no network.",
            id="failed",
        ),
        pytest.param(
            "true",
            "The prepare command made no $VENV/bin/python and no $VENV/node_modules.",
            id="made nothing",
        ),
        pytest.param("sleep 9", "The prepare command took more than 0.3 s.", id="too slow"),
    ],
)
def test_what_can_not_be_prepared_is_said(
    place: MakePlace, tmp_path: Path, command: str, reason: str
) -> None:
    context = place({**FLAT, "thing/__init__.py": "import needed\n"})
    prepare = preparing(command, tmp_path / "cache", unconfined, timeout_s=0.3)
    found = probe(context, Surroundings(prepare=prepare))
    assert (reason in found.lines, found.is_usable) == (True, False)


@pytest.mark.parametrize(
    ("files", "lines"),
    [
        pytest.param(
            {"README": "x\n"},
            (
                "Tests can't run: no test command was found (no configured command, no pytest, "
                "unittest, tox, nox, npm, cargo, go or make tests).",
            ),
            id="nothing",
        ),
        ({"go.mod": "module x\n"}, ("Tests can't run: there is go.mod, and go is not installed.",)),
        pytest.param(
            {"Makefile": "test:\n\ttrue\n"},
            ("Tests: make test (Makefile has the target test).",),
            id="make",
            marks=pytest.mark.needs("make", "make"),
        ),
    ],
)
def test_other_repositories_have_no_lines_of_python(
    place: MakePlace, files: dict[str, str], lines: tuple[str, ...]
) -> None:
    context = place(files)
    if "go.mod" in files:  # the machine may have one
        context = replace(context, environment={**context.environment, "PATH": "/nonexistent"})
    assert probe(context, Surroundings()).lines == lines


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        pytest.param("raise SystemExit", "pytest", id="pytest, which is not imported"),
        pytest.param(None, "python -m unittest", id="no pytest"),
    ],
)
def test_python_is_asked_once(
    place: MakePlace, tmp_path: Path, text: str | None, answer: str
) -> None:
    context, asked = place(FLAT), list[Sequence[str]]()
    venv = environment_at(tmp_path / "venv", context.root)
    if text:
        (venv / LIBRARY / "pytest.py").write_text(text)

    def watched(argv: Sequence[str], _: Path) -> Sequence[str]:
        asked.append(argv)
        return argv

    found = probe(replace(context, sandbox=watched), Surroundings(active=str(venv)))
    assert found.lines[-1].startswith(f"Tests: {answer} (")
    assert (found.is_usable, len(asked)) == (True, 1)


def test_no_failure_of_the_probe_is_raised(tmp_path: Path) -> None:
    found = probe(Context(tmp_path / "gone"), Surroundings())
    assert (len(found.lines), found.is_usable) == (1, False)
