"""How the failing rows of tables are reported."""

import pytest
from check_rows import check_rows, table_of


def _is_even(number: int) -> None:
    assert 100 // number
    assert number % 2 == 0, f"{number} is odd"


def test_every_failing_row_is_reported_with_its_name() -> None:
    rows = [("one", 1), ("two", 2), ("three", 3), ("nothing", 0)]
    with pytest.raises(pytest.fail.Exception) as caught:
        check_rows(rows, _is_even)
    message = str(caught.value)
    assert message.startswith("3 of 4 rows fail\n== one\n")
    for part in ("1 is odd", "== three\n", "3 is odd", "== nothing\n", "ZeroDivisionError"):
        assert part in message
    assert "two" not in message


def test_one_row_can_be_chosen() -> None:
    rows = [("one", 1), ("two", 2)]
    check_rows(rows, _is_even, "tw")
    with pytest.raises(pytest.skip.Exception, match="no row has 'six' in its name"):
        check_rows(rows, _is_even, "six")
    with pytest.raises(AssertionError, match="the table has no rows"):
        check_rows([], _is_even)


def test_a_table_is_one_test_of_all_its_rows() -> None:
    @table_of(("number", "double"), [(1, 2), (2, 5), pytest.param(3, 5, id="three")])
    def test_is_double(number: int, double: int) -> None:
        assert number * 2 == double

    with pytest.raises(pytest.fail.Exception) as caught:
        test_is_double(check_rows)
    message = str(caught.value)
    assert message.startswith("2 of 3 rows fail\n== (2, 5)\n")
    assert "== three\n" in message
