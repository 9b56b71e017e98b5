"""Which part of a repository a change is of, in the words of those who changed it before."""

import pytest
from check_rows import table_of

from react_agent.parsers.commit_area import area_of
from react_agent.parsers.commit_habit import Area

FOLDERS = (
    Area("net/http", ("net/http/a.go",)),
    Area("time", ("time/a.go", "time/b.go")),
    Area("all", tuple(f"{n}.go" for n in range(40))),
)
NAMES = (
    Area("parser", ("src/reading.py", "tests/test_reading.py")),
    Area("ui", ("web/page.js",)),
    Area("ui", ("web/style.css",)),
    Area("DESK-12", ("src/writing.py",)),
)


@table_of(
    ("paths", "areas", "expected"),
    [
        pytest.param(("src/reading.py",), NAMES, "parser", id="the same file"),
        pytest.param(("src/other.py",), NAMES, "parser", id="a file beside it"),
        pytest.param(("web/new.js", "tests/test_x.py"), NAMES, "ui", id="tests don't count"),
        pytest.param(
            ("tests/test_reading.py",), NAMES, "parser", id="but where there are no others"
        ),
        pytest.param(("src/a.py", "web/a.js"), NAMES, "", id="of two parts"),
        pytest.param(("docs/x.md",), NAMES, "", id="of an unknown one"),
        pytest.param(("src/writing.py",), NAMES[3:], "", id="a ticket is no part"),
        pytest.param(("os/exec/a.go",), FOLDERS, "os/exec", id="by folders"),
        pytest.param(("os/a.go", "os/exec/a.go"), FOLDERS, "os", id="by the folder of both"),
        pytest.param((), NAMES, "", id="nothing"),
    ],
)
def test_area(paths: tuple[str, ...], areas: tuple[Area, ...], expected: str) -> None:
    assert area_of(paths, areas) == expected


@table_of(
    ("paths", "expected"),
    [
        pytest.param(("src/desk/units.py",), "desk", id="its folder"),
        pytest.param(("src/units.py",), "units", id="a file right below src"),
        pytest.param(("units.py",), "units", id="a file"),
        pytest.param(("a.py", "b.py"), "", id="several"),
    ],
)
def test_it_is_told_by_the_paths_where_it_has_to_be(paths: tuple[str, ...], expected: str) -> None:
    assert area_of(paths, (), at_all=True) == expected
