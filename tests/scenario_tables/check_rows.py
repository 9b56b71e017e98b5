"""A plugin of pytest: one test checks all rows of a table, and reports each that fails."""

import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from inspect import Parameter, Signature, signature
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

_LONGEST_NAME = 100
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


def table_of(
    names: str | Sequence[str], rows: Iterable[Any] | Mapping[str, Any]
) -> Callable[[Callable[..., None]], Any]:
    """As `pytest.mark.parametrize`, but one test for all rows, which share its fixtures.

    The rows may have names: as the keys of a mapping, or by `pytest.param`. A test of its own
    costs some milliseconds, most checks of a parser take microseconds.
    """
    columns = [names] if isinstance(names, str) else list(names)
    is_single = isinstance(names, str)
    if isinstance(rows, Mapping):
        rows = [pytest.param(*([row] if is_single else row), id=name) for name, row in rows.items()]
    named = [_named(row, is_single=is_single) for row in rows]

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        fixtures = [one for one in signature(check).parameters.values() if one.name not in columns]

        def test(each_row: EachRow, **given: Any) -> None:
            each_row(named, lambda row: check(**dict(zip(columns, row, strict=True)), **given))

        own = Parameter("each_row", Parameter.POSITIONAL_OR_KEYWORD)
        test.__signature__ = Signature([own, *fixtures])  # type: ignore[attr-defined]
        for name in ("__name__", "__qualname__", "__module__", "__doc__"):
            setattr(test, name, getattr(check, name))
        test.pytestmark = getattr(check, "pytestmark", [])  # type: ignore[attr-defined]
        return test

    return decorate


def each_of(names: str | Sequence[str], rows: Mapping[str, Any]) -> pytest.MarkDecorator:
    """As `table_of`, but a test for each row, with fixtures of its own."""
    return pytest.mark.parametrize(names, rows.values(), ids=rows)


def _named(row: Any, *, is_single: bool) -> tuple[str, Sequence[Any]]:
    if isinstance(row, ParameterSet):
        assert not row.marks, "a row of a table has no marks of its own"
        return str(row.id or row.values)[:_LONGEST_NAME], row.values
    values = (row,) if is_single else row
    return repr(values)[:_LONGEST_NAME], values
