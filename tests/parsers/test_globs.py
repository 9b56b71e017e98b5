from check_rows import table_of

from react_agent.parsers.repo.globs import matching

NAMES = ("docs", "docs/util.md", "src/date_util.py", "src/old/Util.py", "tests/test_date_util.py")


@table_of(
    ("glob", "expected"),
    [
        ("src/**/date_*", ["src/date_util.py"]),
        ("d?cs/", ["docs"]),
    ],
)
def test_a_glob_matches_in_any_folder(glob: str, expected: list[str]) -> None:
    assert matching(glob, NAMES) == expected
