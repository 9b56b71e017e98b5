"""A plugin of pytest: one test checks all rows of a table, and reports each that fails."""

import traceback
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import pytest

Rows = Iterable[tuple[str, Any]]
Check = Callable[[Any], None]
EachRow = Callable[[Rows, Check], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--row", default="", help="check only the table rows whose name contains this")


@pytest.fixture(scope="session")
def each_row(pytestconfig: pytest.Config) -> EachRow:
    """Check all rows of a table in one test and report every failing row by its name."""
    return partial(check_rows, wanted=pytestconfig.getoption("row"))


def check_rows(rows: Rows, check: Check, wanted: str = "") -> None:
    """Check the rows whose name contains `wanted`; fail with a list of all that are wrong."""
    chosen = [(name, row) for name, row in rows if wanted in name]
    if wanted and not chosen:
        pytest.skip(f"no row has {wanted!r} in its name")
    assert chosen, "the table has no rows"
    failures = [(name, why) for name, row in chosen if (why := _failure(check, row))]
    if failures:
        report = "\n".join(f"== {name}\n{why}" for name, why in failures)
        pytest.fail(f"{len(failures)} of {len(chosen)} rows fail\n{report}", pytrace=False)


def _failure(check: Check, row: Any) -> str:
    try:
        check(row)
    except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - go on with the next row
        return "".join(traceback.format_exception(error, limit=-1))
    return ""
