import pytest
from check_rows import table_of

from react_agent.parsers.issue.path_ends import PathEnds

ENDS = PathEnds(["src/a/x.py", "src/b/x.py", "x.py", "setup.cfg", "lib/a/y.py"])


@table_of(
    ("path", "expected"),
    [
        pytest.param("./x.py", ("x.py",), id="the very path"),
        pytest.param("a/x.py", ("src/a/x.py",), id="an end of one"),
        pytest.param("r/setup.cfg", ("setup.cfg",), id="longer than one"),
        pytest.param("y.py", ("lib/a/y.py",), id="a last name"),
        pytest.param("b/y.py", (), id="another folder"),
        pytest.param("z.py", (), id="none"),
    ],
)
def test_what_a_path_means(path: str, expected: tuple[str, ...]) -> None:
    assert ENDS.of(path) == expected


@table_of(
    ("path", "expected"),
    [
        ("/home/me/p/src/a/x.py", (("src/a/x.py",), 3)),
        ("/lib/x.py", (("src/a/x.py", "src/b/x.py", "x.py"), 1)),
        ("/lib/z.py", ((), 0)),
    ],
)
def test_what_ends_alike(path: str, expected: tuple[tuple[str, ...], int]) -> None:
    assert ENDS.alike(path) == expected


def test_files_of_a_name() -> None:
    assert ENDS.named("x.py") == ("src/a/x.py", "src/b/x.py", "x.py")
