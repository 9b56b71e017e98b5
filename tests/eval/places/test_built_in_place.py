"""A repository that builds in place: what it built is in each checkout, and in no patch."""

from typing import Any

import pytest
from made_repository import Repository

from react_agent.eval.environment import fresh, ground_for
from react_agent.eval.station import Ground
from react_agent.eval.task import Conditions, Fault, Verdict
from react_agent.eval.work import grade_task, solve_task
from react_agent.tools.shell import shell

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("bwrap", "bubblewrap"),
    pytest.mark.needs("gcc", "gcc"),
]
IN_IT = Conditions(sandbox="bubblewrap")
FILES = {
    "shop/_fast.c": "long add(long one, long two) { return one + two; }\n",
    "shop/fast.py": (
        "import ctypes\nfrom pathlib import Path\n\nfrom shop._version import version\n\n"
        "add = ctypes.CDLL(str(Path(__file__).with_name('_fast.so'))).add\n"
    ),
    "shop/price.py": (
        "from shop.fast import add\n\n\ndef total(prices):\n    whole = 1\n"
        "    for price in prices:\n        whole = add(whole, price)\n    return whole\n"
    ),
    "tests/test_price.py": (
        "import unittest\n\nfrom shop.price import total\n\n\n"
        "class TestPrice(unittest.TestCase):\n"
        "    def test_two(self):\n        self.assertEqual(total([1, 2]), 3)\n"
    ),
    "Makefile": (
        "shop/_fast.so: shop/_fast.c\n\tgcc -shared -fPIC -o $@ $<\n\techo once >> made.log\n"
    ),
    ".gitignore": "*.so\n*.log\n",
}
INSTALL = """\
make
echo "version = '1'" > shop/_version.py
mkdir shop.egg-info && echo Name: shop > shop.egg-info/PKG-INFO
"""
PATCH = """\
--- a/shop/price.py
+++ b/shop/price.py
@@ -4,3 +4,3 @@
 def total(prices):
-    whole = 1
+    whole = 0
     for price in prices:
"""
TASK = {
    "install": INSTALL,
    "fail_to_pass": ("test_two (tests.test_price.TestPrice)",),
    "test_command": "python3 -m unittest -v",
}


@pytest.fixture
def built(world: Any, uv: None) -> Any:
    """A base with an extension in C, and one more commit."""
    shop = Repository(world.repository)
    world.base = shop.save(FILES)
    world.fix = shop.save({"shop/_fast.c": "long add(long one, long two) { return 7; }\n"})
    return world


def _task(built: Any, model: str = "replay/none", **fields: Any) -> Any:
    return built.task(model, IN_IT, **{**TASK, **fields})


def test_a_fix_is_graded_with_it(built: Any) -> None:
    graded = grade_task(_task(built), PATCH, built.root)
    assert graded.verdict is Verdict.RESOLVED, graded
    without = grade_task(_task(built, install="true"), PATCH, built.root)
    assert without.verdict is Verdict.UNRESOLVED
    assert b"_version" in without.log


def test_a_run_has_it_and_its_patch_has_not(built: Any) -> None:
    says = "python3 -c 'from shop.price import total; print(total([1, 2]), \"is said\")'"
    model = built.model(
        built.edit("    whole = 1", "    whole = 0"),
        ("run", "make && git add --all --force && git commit -qm all && git status --short"),
        ("run", says),
    )
    solved = solve_task(_task(built, model), built.root)
    transcript = solved.files["transcript.txt"].decode()
    assert solved.fault is None
    assert "3 is said" in transcript
    assert "'shop/_fast.so' is up to date" in transcript
    changed = [line for line in solved.patch.split("\n") if line.startswith(("+", "-"))]
    assert changed == [
        "--- a/shop/price.py",
        "+++ b/shop/price.py",
        "-    whole = 1",
        "+    whole = 0",
    ]


def _said(built: Any, command: str, **fields: str) -> str:
    ground = ground_for(_task(built, **fields), built.station)
    assert isinstance(ground, Ground), ground
    with fresh(ground, IN_IT, built.station) as given:
        done = shell.run_sandboxed(["sh", "-c", command], given.context, timeout_s=60)
    return done.output.decode()


def test_what_one_checkout_does_to_it_the_next_does_not_see(built: Any) -> None:
    spoil = "chmod -R u+w . && echo spoilt > shop/_fast.so && echo spoilt > shop/_version.py"
    assert _said(built, f"git status --short && {spoil}") == ""
    assert _said(built, "cat shop/_version.py made.log") == "version = '1'\nonce\n"


def test_of_an_earlier_commit_it_is_older_and_of_a_later_one_nothing_is_told(built: Any) -> None:
    library, commits = "ls shop/*.so; make -n | grep -c shared", (built.base, built.fix)
    for environment, base in (commits, commits[::-1]):
        said = _said(built, library, environment_commit=environment, base=base)
        assert ("shop/_fast.so\n" in said) is (environment == built.base)
        assert said.endswith("\n1\n") or environment == built.fix


def test_lines_that_leave_too_much(built: Any) -> None:
    fault = ground_for(_task(built, install="seq 10001 | xargs touch"), built.station)
    assert isinstance(fault, Fault)
    told = (
        "no environment: the install lines failed, they leave more than 10,000 files or 1,024 MiB "
        "in the checkout: have them remove the rest; its output is in "
    )
    assert fault.text.startswith(told)
    assert isinstance(ground_for(_task(built, install="true"), built.station), Ground)
