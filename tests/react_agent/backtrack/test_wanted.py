"""Whether what is not there is asked for."""

import pytest
from check_rows import table_of

from react_agent.backtrack.proof import is_asked_for


@table_of(
    ("objective", "name", "expected"),
    [
        pytest.param("Add a function `slugify`.", "slugify", True, id="to be added"),
        pytest.param("Posts should have slugs", "slugs", True, id="they should have it"),
        pytest.param("Slugs should have hyphens", "slugs", False, id="it should have something"),
        pytest.param("parse_date should exist", "parse_date", True, id="it should exist"),
        pytest.param("The list needs a page", "page", True, id="it is needed"),
        pytest.param("page needs a number", "page", False, id="it needs something"),
        pytest.param("parse_date is wrong", "parse_date", False, id="it is wrong"),
        pytest.param("There is no parse_date.", "parse_date", True, id="it is denied"),
    ],
)
def test_what_is_asked_for(objective: str, name: str, expected: bool) -> None:
    assert is_asked_for(objective, name) is expected
