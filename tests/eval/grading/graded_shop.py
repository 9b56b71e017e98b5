"""A small shop with a fault, its fix and its tests."""

from functools import cached_property

from made_repository import Repository

from react_agent.eval.task import Instance

SHOP = """\
def total(prices):
    return sum(prices[1:])


def count(prices):
    return len(prices)
"""
FIXED = SHOP.replace("prices[1:]", "prices")
UNIT = """\
import unittest

from shop import count, total


class TestShop(unittest.TestCase):
    def test_count(self):
        self.assertEqual(count([1]), 1)
"""
TOTAL = """\

    def test_total(self):
        self.assertEqual(total([1, 2]), 3)
"""


class Shop(Repository):
    def open(self) -> None:
        self.make()
        self.save({"shop.py": SHOP, "tests/test_shop.py": UNIT, "README": "a shop\n"})

    @cached_property
    def instance(self) -> Instance:
        return Instance(
            id="shop-1",
            repo=str(self.root),
            base=self.head,
            problem="The first price is not counted.",
            patch=self.patch({"shop.py": FIXED}),
            test_patch=self.patch({"tests/test_shop.py": UNIT + TOTAL}),
            fail_to_pass=("test_total (tests.test_shop.TestShop)",),
            pass_to_pass=("test_count (tests.test_shop.TestShop)",),
        )
