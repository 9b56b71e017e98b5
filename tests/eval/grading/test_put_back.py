"""A patch does not say by what it is judged."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from check_rows import EachRow
from graded_shop import FIXED, TOTAL, UNIT, Shop
from made_repository import Files
from reader_rows import FOLDER, read_rows

from react_agent.eval.grading.applied import judges
from react_agent.eval.task import Graded, Instance, Verdict
from react_agent.tools.git.objects import objects_in

BREAKS = FIXED.replace("len(prices)", "0")
COUNT_ID = "test_count (tests.test_shop.TestShop)"
FORGED = "print('test_total (tests.test_shop.TestShop) ... ok')\n"


def test_files_that_a_patch_is_judged_by(shop: Shop, each_row: EachRow) -> None:
    def files(changed: Files, fields: dict[str, Any]) -> list[str]:
        return _judges(shop, replace(shop.instance, **fields), changed)

    each_row(read_rows(FOLDER / "own/put-back.txt"), lambda row: row.check({"judges": files}))


def test_the_fix_of_people_changes_them_too(shop: Shop) -> None:
    instance = replace(shop.instance, patch=shop.patch({"shop.py": FIXED, "conftest.py": "x\n"}))
    assert _judges(shop, instance, {"conftest.py": "y\n", "pytest.ini": "z\n"}) == ["pytest.ini"]


def _judges(shop: Shop, instance: Instance, files: Files) -> list[str]:
    before = shop.head
    base = shop.save({"pluggy/a.py": "", "tests/test_a.py": "", "setup.cfg": "[metadata]\n"})
    found = judges(objects_in(shop.root / ".git"), base, shop.save(files), instance)
    shop.git("reset", "--quiet", "--hard", before)
    return found


def test_they_are_as_at_the_base(shop: Shop, grade: Callable[..., Graded]) -> None:
    weak = UNIT.replace("[1]), 1", "[]), 0") + TOTAL.replace("[1, 2]), 3", "[]), 0")
    done = grade(shop.patch({"shop.py": BREAKS, "tests/test_shop.py": weak, "unittest.py": FORGED}))
    assert (done.verdict, done.tests.broken) == (Verdict.UNRESOLVED, (COUNT_ID,))
    assert done.log.decode().split("\n")[:3] == [
        "[as it is at the base: tests/test_shop.py]",
        "[as it is at the base: unittest.py]",
        "$ python -m unittest -v tests.test_shop",
    ]
