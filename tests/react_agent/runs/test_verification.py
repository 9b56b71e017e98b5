"""The tests at the end of a run, of projects that say nothing of how they are tested."""

import shutil
import subprocess
import sys
from html import escape
from pathlib import Path
from typing import Any

import pytest
from by_hand import plain_git, save
from check_rows import each_of
from replies import DONE, call, run

from react_agent.issue_to_pr.pull_request import prepared
from react_agent.page.run import read_run, run_page
from react_agent.parsers.secrets.redaction import Redaction
from react_agent.runs.report import Outcome
from react_agent.runs.verification import Verdict
from react_agent.state.findings import Point
from react_agent.state.state import Ending

WITHOUT_PLUGINS = " ".join(  # of ours: pytest starts in half the time
    f"-p no:{name}" for name in ("anyio", "hypothesispytest", "randomly", "timeout", "xdist")
)
PYTHON = {
    "pyproject.toml": f"[tool.pytest.ini_options]\naddopts = '{WITHOUT_PLUGINS}'\n",
    "minutes.py": "def minutes(text):\n    return int(text[:-1])\n",
    "tests/test_minutes.py": (
        "from minutes import minutes\n\n\ndef test_short():\n    assert minutes('5m') == 5\n"
    ),
    "tests/test_other.py": (
        "import minutes\n\n\ndef test_other():\n    assert minutes.minutes('7m')\n"
    ),
}
UNITTEST = {
    "setup.py": "",
    "minutes.py": PYTHON["minutes.py"],
    "tests/__init__.py": "",
    "tests/test_minutes.py": (
        "import unittest\nfrom minutes import minutes\n\n\nclass TestMinutes(unittest.TestCase):\n"
        "    def test_short(self):\n        self.assertEqual(minutes('5m'), 5)\n"
    ),
}
NODE = {
    "package.json": '{"name": "x", "scripts": {"test": "node --test"}}\n',
    "minutes.js": "exports.minutes = (text) => parseInt(text.slice(0, -1));\n",
    "minutes.test.js": (
        "const {minutes} = require('./minutes'); const test = require('node:test');\n"
        "const assert = require('node:assert');\n"
        "test('short', () => assert.equal(minutes('5m'), 5));\n"
    ),
}
GO = {
    "go.mod": "module example.org/minutes\n\ngo 1.18\n",
    "minutes.go": (
        'package minutes\n\nimport "strconv"\n\nfunc Minutes(text string) int {\n'
        "\tfound, _ := strconv.Atoi(text[:len(text)-1])\n\treturn found\n}\n"
    ),
    "minutes_test.go": (
        'package minutes\n\nimport "testing"\n\nfunc TestShort(t *testing.T) {\n'
        '\tif Minutes("5m") != 5 {\n\t\tt.Error("not 5")\n\t}\n}\n'
    ),
}
CARGO = {
    "Cargo.toml": '[package]\nname = "minutes"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": (
        "pub fn minutes(text: &str) -> u32 {\n    text[..text.len() - 1].parse().unwrap_or(0)\n}\n"
    ),
    "tests/minutes.rs": ('#[test]\nfn short() {\n    assert_eq!(minutes::minutes("5m"), 5);\n}\n'),
}


def wrote(path: str, text: str) -> str:
    return run(f"mkdir -p $(dirname {path}); cat > {path} <<'END'\n{text}END\ngit add {path}")


def project(folder: Path, files: dict[str, str]) -> Path:
    place = folder / "project"
    plain_git(folder, "init", "-q", str(place))
    save(place, files)
    return place


def solved(desk: Any, files: dict[str, str], *replies: str, **settings: Any) -> Outcome:
    desk.settings = settings
    solved: Outcome = desk.solve(*replies, DONE, repository=project(desk.folder, files))
    return solved


def in_pytest(desk: Any, *replies: str) -> Outcome:
    return solved(desk, PYTHON, *replies, python=sys.executable)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python without pytest."""
    place = tmp_path_factory.mktemp("bare") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    return str(place)


SPACES = "def minutes(text):\n    return int(text[:-1].replace(' ', ''))\n"
LONG = "def minutes(text):\n    return int(text.removesuffix('in')[:-1])\n"
TESTS = PYTHON["tests/test_minutes.py"]
NEW_TEST = f"{TESTS}\n\ndef test_long():\n    assert minutes('5min') == 5\n"

WITH_LONG = (
    f"{UNITTEST['tests/test_minutes.py']}\n    def test_long(self):\n"
    "        self.assertEqual(minutes('5min'), 5)\n"
)
PROVED = "fails without the change, passes with it"
HOURS = "\n\ndef hours(text):\n    return 60 * minutes(text)\n"
OF_HOURS = "from minutes import hours\n" + "".join(
    f"\n\ndef test_hours_{n}():\n    assert hours('{n}h') == {60 * n}\n" for n in (1, 2, 3)
)


@pytest.mark.slow  # each runs its tests five times
@each_of(
    ("path", "text", "said"),
    {
        "one": ("tests/test_minutes.py", NEW_TEST, f"1 new test (test_long): {PROVED}"),
        "a file that can't be imported without it": (
            "tests/test_hours.py",
            OF_HOURS,
            "3 new tests: all fail without the change, pass with it",
        ),
        "one of two": (
            "tests/test_minutes.py",
            f"{NEW_TEST}\n\ndef test_six():\n    assert minutes('6m') == 6\n",
            "2 new tests (test_long, test_six): 1 fails without the change, passes with it; "
            "test_six passes with and without the change",
        ),
        "changed": (
            "tests/test_minutes.py",
            TESTS.replace("5", "6"),
            "1 new or changed test (test_short): passes with and without the change",
        ),
    },
)
def test_run_tests_says_whether_new_tests_fail_without_the_change(
    desk: Any, path: str, text: str, said: str
) -> None:
    replies = (wrote("minutes.py", LONG + HOURS), wrote(path, text))
    outcome = in_pytest(desk, *replies, call("run_tests", ""))
    *_, last = outcome.state.steps[2].seen.text.split("\n")
    assert last == f"[{said}]"
    assert ("with and without" in said) or said in outcome.tests


def test_a_fake_fix_ends_as_tests_failed(desk: Any, bare: str) -> None:
    replies = (wrote("minutes.py", "def minutes(text):\n    return 7\n"),)
    outcome = solved(desk, UNITTEST, *replies, python=bare)
    said = "1 failed; test_minutes.TestMinutes.test_short fails only with the change"
    assert (outcome.ending, outcome.is_success) == (Ending.TESTS_FAILED, False)
    assert outcome.tests == said
    assert outcome.branch
    assert "\n%% outcome: tests_failed\n" in outcome.folder.transcript.read_text()
    outcome.state.open += [Point("not_run", "no test was run"), Point("no_test", "no test")]
    assert [point.check for point in outcome.open] == ["no_test"]  # they were run at the end
    made = prepared(outcome.folder)
    assert made.is_draft
    assert made.body.startswith("**With this change, tests fail that do not fail without it.**\n\n")
    assert "Ended as `tests_failed`: " in outcome.folder.report.read_text()


def test_a_test_that_was_there_is_one_for_the_change(desk: Any, bare: str) -> None:
    files = {**UNITTEST, "tests/test_minutes.py": WITH_LONG}
    outcome = solved(desk, files, wrote("minutes.py", LONG), python=bare)
    outcome.state.open += [Point("no_test", "minutes.py changed, but no test")]
    assert outcome.tests.endswith("TestMinutes.test_long failed before and passes now")
    assert [point.check for point in outcome.open] == []
    assert "but no test" not in prepared(outcome.folder).body


def test_a_change_that_keeps_pytest_from_starting(desk: Any) -> None:
    files = PYTHON | {"conftest.py": "import minutes\n\nminutes.minutes\n"}
    assert solved(desk, files, wrote("minutes.py", "X = 1\n"), python=sys.executable).tests == (
        "no tests ran; error only with the change: pytest could not run "
        "(AttributeError: module 'minutes' has no attribute 'minutes')"
    )


SEVEN = "def minutes(text):\n    return 7\n"
WEAKER = TESTS.replace("== 5", "is not None")
ONLY_SHORT = "[tool.pytest.ini_options]\naddopts = '-k short'\n"
ALL_SKIPPED = """import pytest

def pytest_collection_modifyitems(items):
    for one in items:
        one.add_marker(pytest.mark.skip)
"""
SLEEPS = "import time\n\n\ndef minutes(text):\n    time.sleep(3600)\n"


SUBTESTS = UNITTEST["tests/test_minutes.py"].replace(
    "self.assertEqual(minutes('5m'), 5)",
    "for n in (5, 6):\n"
    "            with self.subTest(n=n):\n"
    "                self.assertEqual(minutes(f'{n}m'), n)",
)


def test_subtests_that_fail_again_are_not_unstable(desk: Any, bare: str) -> None:
    files = {**UNITTEST, "tests/test_minutes.py": SUBTESTS}
    outcome = solved(desk, files, wrote("minutes.py", SEVEN), python=bare)
    assert outcome.ending == Ending.TESTS_FAILED
    assert outcome.tests.endswith("TestMinutes.test_short fails only with the change")


@pytest.mark.slow  # it waits for the limit
def test_a_change_that_keeps_the_tests_from_ending(desk: Any, bare: str) -> None:
    limits = "[profile]\nbased on = issue\ngate = off\n[limits]\nfinal_tests_seconds = 12\n"
    (desk.profiles / "issue.cfg").write_text(limits)
    outcome = solved(desk, UNITTEST, wrote("minutes.py", SLEEPS), python=bare)
    assert outcome.ending == Ending.TESTS_FAILED
    said = "time ran out before all tests had run; without the change, they ended in "
    assert outcome.tests.startswith(said)
    assert "ended by the time limit of 5.2 s" in outcome.folder.report.read_text()


HIDING = {
    "a file that all tests load": (
        [wrote("conftest.py", "import nosuch\n")],
        Verdict.FAILED,
        "no tests ran; error only with the change: pytest could not run (ModuleNotFoundError: "
        "No module named 'nosuch')",
    ),
    "all are skipped": (
        [wrote("conftest.py", ALL_SKIPPED)],
        Verdict.UNKNOWN,
        "not known: no tests ran; 2 skipped; 2 passed with the tests as they were before",
    ),
    "a weaker test": (
        [wrote("minutes.py", SEVEN), wrote("tests/test_minutes.py", WEAKER)],
        Verdict.PASSED,
        "2 passed; test_minutes.py::test_short, as it was before the change, fails with it",
    ),
    "a test that only its own change breaks": (
        [wrote("minutes.py", SPACES), wrote("tests/test_minutes.py", TESTS.replace("5m", "5x x"))],
        Verdict.FAILED,
        "1 failed, 1 passed; test_minutes.py::test_short fails only with the change",
    ),
    "settings that select some": (
        [wrote("minutes.py", SPACES), wrote("pyproject.toml", ONLY_SHORT)],
        Verdict.UNKNOWN,
        "not known: 1 passed, 1 deselected; 2 passed without the change",
    ),
    "tests that need another file of tests": (
        [
            wrote("tests/test_minutes.py", f"{TESTS}\n\nassert minutes.seen\n"),
            wrote("tests/conftest.py", "import minutes\n\nminutes.minutes.seen = True\n"),
        ],
        Verdict.PASSED,
        "2 passed",
    ),
}


@pytest.mark.parametrize(("replies", "verdict", "tests"), HIDING.values(), ids=HIDING)
def test_tests_of_the_change_that_hide_something(
    desk: Any, replies: list[str], verdict: Verdict, tests: str
) -> None:
    outcome = in_pytest(desk, *replies)
    assert (outcome.verified.verdict, outcome.tests) == (verdict, tests)
    assert prepared(outcome.folder).is_draft is (verdict is not Verdict.PASSED)


def test_a_real_fix_has_its_figures_everywhere(desk: Any) -> None:
    outcome = in_pytest(desk, wrote("minutes.py", LONG), wrote("tests/test_minutes.py", NEW_TEST))
    said = f"3 passed; 1 new test (test_long): {PROVED}"
    assert (outcome.tests, outcome.is_success) == (said, True)
    assert desk.checked == ["running pytest in a fresh checkout, which may take a while"]
    made = prepared(outcome.folder)
    assert not made.is_draft
    assert f"- `tests: {said}`\n- run in a fresh checkout: `pytest`\n" in made.body
    assert said in outcome.folder.report.read_text()
    assert said in run_page(read_run(outcome.folder, Redaction()))


@pytest.mark.parametrize(
    ("files", "replies", "tests"),
    [
        pytest.param(
            UNITTEST,
            [wrote("minutes.py", LONG), wrote("tests/test_minutes.py", WITH_LONG)],
            f"2 passed; 1 new test (test_long): {PROVED}",
            id="unittest",
        ),
        pytest.param(
            NODE,
            [
                wrote("minutes.js", "exports.minutes = (text) => parseInt(text);\n"),
                wrote(
                    "minutes.test.js",
                    f"{NODE['minutes.test.js']}"
                    "test('long', () => assert.equal(minutes('10'), 10));\n",
                ),
            ],
            "2 passed; long failed before and passes now",
            id="npm",
            marks=[pytest.mark.slow, pytest.mark.needs("npm", "npm")],
        ),
        pytest.param(
            GO,
            [
                wrote("minutes.go", GO["minutes.go"].replace("text[:len(text)-1]", "text")),
                wrote(
                    "minutes_test.go",
                    GO["minutes_test.go"].replace("Short", "Long").replace("5m", "5"),
                ),
            ],
            f"1 passed; 1 new test (TestLong): {PROVED}; TestShort (example.org/minutes), as it "
            "was before the change, fails with it",
            id="go",
            marks=[pytest.mark.slow, pytest.mark.needs("go", "golang-go")],
        ),
        pytest.param(
            GO,
            [
                wrote("minutes.go", f"{GO['minutes.go']}\nfunc Hours() int {{ return 1 }}\n"),
                wrote(
                    "minutes_test.go",
                    f"{GO['minutes_test.go']}\nfunc TestHours(t *testing.T) {{\n\tHours()\n}}\n",
                ),
            ],
            "2 passed; error only without the change: minutes (./minutes_test.go:12:2: undefined: "
            "Hours)",
            id="go that can't be built without the change",
            marks=[pytest.mark.slow, pytest.mark.needs("go", "golang-go")],
        ),
        pytest.param(
            CARGO,
            [
                wrote("src/lib.rs", CARGO["src/lib.rs"].replace("text.len() - 1", "1")),
                wrote(
                    "tests/minutes.rs",
                    f"{CARGO['tests/minutes.rs']}\n#[test]\nfn long() {{\n"
                    '    assert_eq!(minutes::minutes("5 minutes"), 5);\n}\n',
                ),
            ],
            "2 passed; long failed before and passes now",
            id="cargo",
            marks=[pytest.mark.slow, pytest.mark.needs("cargo", "cargo")],
        ),
    ],
)
def test_each_runner_without_any_setting(
    desk: Any, bare: str, files: dict[str, str], replies: list[str], tests: str
) -> None:
    outcome = solved(desk, files, *replies, python=bare)
    assert (outcome.tests, outcome.is_success) == (tests, True)
    assert f"- `tests: {tests}`" in prepared(outcome.folder).body
    assert tests in outcome.folder.report.read_text()
    assert escape(tests) in run_page(read_run(outcome.folder, Redaction()))


@pytest.mark.slow
@pytest.mark.needs("npm", "npm")
def test_packages_of_npm_are_offered_and_made(desk: Any) -> None:
    needed = desk.folder / "needed"
    needed.mkdir()
    (needed / "package.json").write_text('{"name": "needed", "version": "1.0.0", "bin": "it.js"}\n')
    (needed / "it.js").write_text("#!/usr/bin/env node\nconsole.log('ok 1 - short\\n1..1');\n")
    subprocess.run(["npm", "pack", "-s", "--pack-destination", desk.folder], cwd=needed, check=True)
    archive = f"file:{desk.folder}/needed-1.0.0.tgz"
    scripts = '{"test": "needed", "prepare": "exit 7"}'
    manifest = (
        f'{{"name": "x", "scripts": {scripts}, "devDependencies": {{"needed": "{archive}"}}}}'
    )
    (desk.folder / "package.json").write_text(manifest)
    locking = ["npm", "install", "-s", "--package-lock-only", "--ignore-scripts"]
    subprocess.run(locking, cwd=desk.folder, check=True)
    lock = (desk.folder / "package-lock.json").read_text()
    files = {"package.json": manifest, "package-lock.json": lock, "minutes.js": NODE["minutes.js"]}
    replies = wrote("minutes.js", "exports.minutes = parseInt;\n"), call("run_tests", "")
    outcome = solved(desk, files, *replies)
    assert outcome.verified.prepare.startswith('mkdir "$VENV" && cp package.json')
    shutil.rmtree(desk.folder / "project")
    outcome = solved(desk, files, *replies, prepare="auto")
    assert (outcome.tests, outcome.is_success) == ("1 passed", True)
    assert outcome.state.steps[1].seen.text.startswith("1 passed")


CASE = (
    "import unittest\n\n\nclass Test{0}(unittest.TestCase):\n    def test_{1}(self):\n        {2}\n"
)
OLD = UNITTEST | {"tests/test_old.py": CASE.format("Old", "old", "self.fail()")}
SEEN = "os.path.expanduser('~/seen')"
AT_FIRST = f"""import os
        is_new = os.path.exists('new.txt') and not os.path.exists({SEEN})
        open({SEEN}, 'w').close()
        self.assertFalse(is_new)"""
AT_WILL = "import minutes; hasattr(minutes, 'NO') and self.skipTest(1); self.fail()"
SKIPPED = UNITTEST | {
    "tests/test_minutes.py": f"{UNITTEST['tests/test_minutes.py']}"
    f"    def test_it(self):\n        {AT_WILL}\n"
}
WRITES = "open('seen.txt', 'x').close()"
ORDERED = UNITTEST | {
    "tests/test_first.py": CASE.format("First", "first", "import minutes; minutes.seen = 1"),
    "tests/test_then.py": CASE.format("Then", "then", "import minutes; minutes.seen"),
}
UNSTABLE = UNITTEST | {"tests/test_first.py": CASE.format("First", "first", AT_FIRST)}


TRUE = {
    "what failed before is not blamed on it": (
        OLD,
        [wrote("minutes.py", SPACES)],
        Verdict.PASSED,
        "1 failed, 1 passed; test_old.TestOld.test_old fails without the change, too",
    ),
    "a new test that fails": (
        UNITTEST,
        [wrote("tests/test_new.py", OLD["tests/test_old.py"])],
        Verdict.FAILED,
        "1 failed, 1 passed; test_new.TestOld.test_old is new and fails",
    ),
    "an unstable one": (
        UNSTABLE,
        [wrote("new.txt", "x\n")],
        Verdict.PASSED,
        "1 failed, 1 passed; test_first.TestFirst.test_first is unstable",
    ),
    "what is skipped now does not pass": (
        SKIPPED,
        [wrote("minutes.py", f"{SPACES}\n\nNO = 1\n")],
        Verdict.PASSED,
        "1 passed, 1 skipped; test_minutes.TestMinutes.test_it failed before and now neither",
    ),
    "what passed and is skipped now": (
        SKIPPED | {"tests/test_minutes.py": SKIPPED["tests/test_minutes.py"].replace("fail", "id")},
        [wrote("minutes.py", f"{SPACES}\n\nNO = 1\n")],
        Verdict.UNKNOWN,
        "not known: 1 passed, 1 skipped; 2 passed without the change",
    ),
    "one that runs only once in a checkout": (
        UNITTEST | {"tests/test_writes.py": CASE.format("Writes", "writes", WRITES)},
        [wrote("tests/test_writes.py", CASE.format("Writes", "writes", f"{WRITES};"))],
        Verdict.PASSED,
        "2 passed",
    ),
    "one that passes only after another": (
        ORDERED,
        [wrote("tests/test_then.py", f"{ORDERED['tests/test_then.py']}\n\nX = 1\n")],
        Verdict.PASSED,
        "3 passed",
    ),
    "a program that ends them": (
        UNITTEST,
        [wrote("minutes.py", "import os\n\nos._exit(0)\n")],
        Verdict.UNKNOWN,
        "not known: the tests exited with code 0 before they had all run",
    ),
    "another module is tested": (
        UNITTEST | {"lib/textwrap.py": "X = 1\n"},
        [wrote("lib/textwrap.py", "X = 2\n")],
        Verdict.UNKNOWN,
        "not known: the tests import textwrap from ",
    ),
    "a package that prints a place": (
        UNITTEST | {"units/__init__.py": 'print("@@ units /a\\0b")\n', "units/short.py": "X = 1\n"},
        [wrote("units/short.py", "X = 2\n")],
        Verdict.PASSED,
        "1 passed",
    ),
    "none": (
        {"a.py": "X = 1\n", "README.md": "x\n"},
        [wrote("a.py", "X = 2\n")],
        Verdict.UNKNOWN,
        "not known: the tests can't be run: no test command was found",
    ),
    "the command that the agent ran, without what is around it": (
        {"a.py": "X = 1\n", "check.py": OLD["tests/test_old.py"].replace("fail()", "id()")},
        [wrote("a.py", "X = 2\n"), run("cd . && python3 -m unittest check 2>&1 | tail -1")],
        Verdict.PASSED,
        "1 passed",
    ),
    "a configured command that hides the exit code": (
        OLD | {".react-agent.cfg": "[react_agent]\ntest = python3 -m unittest 2>&1 | tail -9\n"},
        [wrote("minutes.py", "def minutes(text):\n    return 7\n")],
        Verdict.UNKNOWN,
        "not known: exit code 0, although the output reports 2 failed",
    ),
}


@pytest.mark.parametrize(("files", "replies", "verdict", "tests"), TRUE.values(), ids=TRUE)
def test_what_is_true_of_them(
    desk: Any, bare: str, files: dict[str, str], replies: list[str], verdict: Verdict, tests: str
) -> None:
    outcome = solved(desk, files, *replies, python=bare)
    assert outcome.verified
    assert (outcome.verified.verdict, outcome.tests[: len(tests)]) == (verdict, tests)
    assert outcome.is_success == (verdict is not Verdict.FAILED)
    were_run = not tests.startswith(("not known: the tests import", "not known: the tests can't"))
    assert bool(outcome.verified.command) == were_run


def test_tests_that_the_change_alters_or_removes_are_listed(desk: Any, bare: str) -> None:
    short = UNITTEST["tests/test_minutes.py"].replace("5)", "int(5))")
    replies = (
        wrote("tests/test_minutes.py", short),
        wrote("tests/test_old.py", "X = 1\n"),
        run("git mv tests/__init__.py tests/test_none.py"),
    )
    outcome = solved(desk, OLD | {"tests/__init__.py": "# empty\n"}, *replies, python=bare)
    changed = (
        "tests/test_minutes.py: alters test_short",
        "tests/__init__.py: is moved to tests/test_none.py",
        "tests/test_old.py: removes test_old",
    )
    assert outcome.changed_tests == changed
    body = prepared(outcome.folder).body
    assert all(f"- changed {line}\n" in body for line in changed)


NEEDS = UNITTEST | {
    "requirements.txt": "nosuch\n",
    "tests/test_needed.py": CASE.format("Needed", "needed", "import nosuch"),
}


def test_an_environment_is_offered_where_tests_lack_something(desk: Any, bare: str) -> None:
    outcome = solved(desk, NEEDS, wrote("minutes.py", SPACES), python=bare)
    line = 'python3 -m venv "$VENV" && "$VENV/bin/pip" install --quiet -r requirements.txt . pytest'
    assert outcome.verified
    assert outcome.verified.prepare == line
    assert f"    prepare = {line}\n" in outcome.folder.report.read_text()


@pytest.mark.slow
def test_an_environment_is_made_for_tests(desk: Any) -> None:
    files = {"requirements.txt": "# nothing\n", "a.py": "X = 1\n"}
    outcome = solved(desk, files, wrote("a.py", "X = 2\n"), prepare="auto")
    assert outcome.state.about[0].endswith(" (made by the prepare command).")
