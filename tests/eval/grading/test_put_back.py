"""A patch does not say by what it is judged."""

from collections.abc import Callable
from dataclasses import replace

from check_rows import table_of
from graded_shop import FIXED, TOTAL, UNIT, Shop
from made_repository import Files

from react_agent.eval.grading.applied import judges
from react_agent.eval.task import Graded, Instance, Verdict
from react_agent.tools.git.objects import objects_in

BREAKS = FIXED.replace("len(prices)", "0")
COUNT_ID = "test_count (tests.test_shop.TestShop)"
FORGED = "print('test_total (tests.test_shop.TestShop) ... ok')\n"


@table_of(
    ("files", "fields", "expected"),
    {
        "others": ({"a.py": "", "tests/util.py": "", "b/test_own.py": ""}, {}, []),
        "configuration": (
            {"a/conftest.py": "", "pytest.ini": "x"},
            {},
            ["a/conftest.py", "pytest.ini"],
        ),
        "setup.cfg": ({"setup.cfg": "[tool:pytest]\nx = 1\n"}, {}, ["setup.cfg"]),
        "nothing to pytest": ({"setup.cfg": "[metadata]\nname = x\n"}, {}, []),
        "module": ({"unittest.py": "", "src/unittest.py": ""}, {}, ["unittest.py"]),
        "package": ({"_pytest/a.py": ""}, {}, ["_pytest/a.py"]),
        "a module of its own": ({"pluggy/a.py": "1"}, {}, []),
        "unittest's": ({"tests/test_shop.py": None}, {}, ["tests/test_shop.py"]),
        "pytest's, but no code with doctests": (
            {"tests/test_a.py": "1", "lib/a.py": "1"},
            {"pass_to_pass": ("tests/test_a.py::test", "lib/a.py::lib.a")},
            ["tests/test_a.py"],
        ),
        "its command": ({"run": "x", "all": "y"}, {"test_command": "cd . && ./run -v"}, ["run"]),
        "fix not known": ({"run": "x"}, {"test_command": "./run", "patch": ""}, []),
    },
)
def test_files_that_a_patch_is_judged_by(
    shop: Shop, files: Files, fields: dict[str, object], expected: list[str]
) -> None:
    instance: Instance = replace(shop.instance, **fields)  # type: ignore[arg-type]
    assert _judges(shop, instance, files) == expected


def test_the_fix_of_people_changes_them_too(shop: Shop) -> None:
    fix = shop.patch({"shop.py": FIXED, "conftest.py": "x\n"})
    instance = replace(shop.instance, patch=fix)
    assert _judges(shop, instance, {"conftest.py": "y\n", "pytest.ini": "z\n"}) == ["pytest.ini"]


def _judges(shop: Shop, instance: Instance, files: Files) -> list[str]:
    before = shop.head
    base = shop.save({"pluggy/a.py": "", "tests/test_a.py": "", "setup.cfg": "[metadata]\n"})
    found = judges(objects_in(shop.root / ".git"), base, shop.save(files), instance)
    shop.git("reset", "--quiet", "--hard", before)
    return found


def test_they_are_as_at_the_base(shop: Shop, grade: Callable[..., Graded]) -> None:
    weak = UNIT.replace("[1]), 1", "[]), 0") + TOTAL.replace("[1, 2]), 3", "[]), 0")
    files = {"shop.py": BREAKS, "tests/test_shop.py": weak, "unittest.py": FORGED}
    done = grade(shop.patch(files))
    assert (done.verdict, done.tests.broken) == (Verdict.UNRESOLVED, (COUNT_ID,))
    assert done.log.decode().split("\n")[:3] == [
        "[as it is at the base: tests/test_shop.py]",
        "[as it is at the base: unittest.py]",
        "$ python -m unittest -v tests.test_shop",
    ]
