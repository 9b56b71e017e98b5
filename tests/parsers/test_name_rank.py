import pytest
from check_rows import table_of

from react_agent.parsers.repo.name_rank import Ranked, matching, ranked

NAMES = ("docs", "docs/util.md", "src/date_util.py", "src/old/Util.py", "tests/test_date_util.py")


@table_of(
    ("wanted", "expected"),
    [
        pytest.param("src/date_util.py", Ranked("", ("src/date_util.py",)), id="path"),
        pytest.param("util.py", Ranked("in another case", ("src/old/Util.py",)), id="case"),
        pytest.param(
            "util", Ranked("with an extension", ("docs/util.md", "src/old/Util.py")), id="stem"
        ),
        pytest.param(
            "lib/date_util", Ranked("in another folder", ("src/date_util.py",)), id="and no end"
        ),
        pytest.param(
            "DateUtil",
            Ranked("with these words in the name", ("src/date_util.py", "tests/test_date_util.py")),
            id="camel",
        ),
        pytest.param(
            "util date",
            Ranked("with these words in the name", ("src/date_util.py", "tests/test_date_util.py")),
            id="words",
        ),
        pytest.param(
            "tests util",
            Ranked("with these words in the path", ("tests/test_date_util.py",)),
            id="words of the path",
        ),
    ],
)
def test_the_strictest_reading_comes_first(wanted: str, expected: Ranked | None) -> None:
    first = next(ranked(wanted, NAMES), None)
    assert first == (expected if expected and expected.names else None)


def test_no_name_comes_twice() -> None:
    assert list(ranked("util.md", NAMES)) == [Ranked("", ("docs/util.md",))]


@table_of(
    ("glob", "expected"),
    [
        ("src/**/date_*", ["src/date_util.py"]),
        ("d?cs/", ["docs"]),
    ],
)
def test_a_glob_matches_in_any_folder(glob: str, expected: list[str]) -> None:
    assert matching(glob, NAMES) == expected
