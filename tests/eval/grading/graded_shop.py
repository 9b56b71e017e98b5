"""A small shop with a fault, its fix and its tests."""

import subprocess
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from react_agent.eval.task import Instance

Files = Mapping[str, str | None]

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


def _git(folder: Path, *args: str) -> str:
    done = subprocess.run(["git", *args], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


class Shop:
    """A repository; patches are what git makes of files."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def open(self) -> None:
        _git(self.root.parent, "init", "--quiet", str(self.root))
        self.save({"shop.py": SHOP, "tests/test_shop.py": UNIT, "README": "a shop\n"})

    @property
    def base(self) -> str:
        return _git(self.root, "rev-parse", "HEAD").strip()

    def save(self, files: Files) -> str:
        self.write(files)
        _git(self.root, "add", "--all")
        _git(self.root, "commit", "--quiet", "-m", "Sell")
        return self.base

    def write(self, files: Files) -> None:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                path.unlink()
            else:
                path.write_bytes(text.encode())

    def patch(self, files: Files) -> str:
        self.write(files)
        _git(self.root, "add", "--all")
        text = _git(self.root, "diff", "--cached", "--binary")
        _git(self.root, "reset", "--quiet", "--hard")
        return text

    @cached_property
    def instance(self) -> Instance:
        return Instance(
            id="shop-1",
            repo=str(self.root),
            base=self.base,
            problem="The first price is not counted.",
            patch=self.patch({"shop.py": FIXED}),
            test_patch=self.patch({"tests/test_shop.py": UNIT + TOTAL}),
            fail_to_pass=("test_total (tests.test_shop.TestShop)",),
            pass_to_pass=("test_count (tests.test_shop.TestShop)",),
        )
