"""What the tests of a copy reached: each floor's coverage, and the tests nearest to a line."""

import io
import re
import sqlite3
from collections import Counter
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path

import coverage
import package_copy

INNER = ("parsers", "tools", "eval")  # floors that are packages of react_agent
MOST = 40  # tests run for one mutant
_STAGE = re.compile(r" \((setup|call|teardown)\)$")  # a child process has it in its context


def floor_of(module: str) -> str:
    folder = module.split(".")[1]
    return folder if folder in INNER else "react_agent"


class Reached:
    def __init__(self, copy: Path, passed: Collection[str]) -> None:
        self._copy = copy
        self._passed = passed
        self._measured = coverage.Coverage(config_file=str(copy / package_copy.SETTINGS))
        self._measured.combine([str(copy / package_copy.DATA)])
        self._measured.save()
        self._data = sqlite3.connect(self._measured.get_data().data_filename())
        self._sizes = self._sizes_of_tests()

    def coverage(self) -> dict[str, float]:
        """Percent of statements and branches of each floor."""
        package = self._copy / "react_agent"
        inner = {name: f"{package / name}/*" for name in INNER if (package / name).is_dir()}
        report = partial(self._measured.report, file=io.StringIO())
        found = {name: report(include=[files]) for name, files in inner.items()}
        found["react_agent"] = report(include=[f"{package}/*"], omit=list(inner.values()))
        return {floor: round(percent, 2) for floor, percent in found.items()}

    def nearest(self, module: str, lines: range) -> list[str]:
        """Of each test function its smallest row, then of each the second one, and so on.

        Small is what reaches few lines of the product. Code that runs at import alone counts for
        every test of its module.
        """
        tests = self._tests(module, lines)
        if "" in tests and len(tests) == 1:
            tests = self._tests(module, range(1 << 30))
        ranks = Counter[str]()
        order = list[tuple[int, int, str]]()
        for size, name in sorted(
            (self._sizes[name], name) for name in tests.intersection(self._passed)
        ):
            function = name.partition("[")[0]
            order.append((ranks[function], size, name))
            ranks[function] += 1
        return [name for _, _, name in sorted(order)[:MOST]]

    def _tests(self, module: str, lines: range) -> set[str]:
        rows = self._data.execute(
            "select distinct context from arc join context on context.id = context_id"
            " join file on file.id = file_id where path = ?"
            " and (fromno between ? and ? or tono between ? and ?)",
            (str(package_copy.file_of(self._copy, module)), *(lines[0], lines[-1]) * 2),
        )
        return {_STAGE.sub("", context) for (context,) in rows}

    def _sizes_of_tests(self) -> Mapping[str, int]:
        rows = self._data.execute(
            "select context, count(*) from arc join context on context.id = context_id"
            " group by context_id"
        )
        sizes = Counter[str]()
        for context, size in rows:
            sizes[_STAGE.sub("", context)] += size
        return sizes
