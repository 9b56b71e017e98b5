from react_agent.parsers.repo.globs import matching

NAMES = ("docs", "docs/util.md", "src/date_util.py", "src/old/Util.py", "tests/test_date_util.py")


def test_a_glob_matches_in_any_folder() -> None:
    assert matching("src/**/date_*", NAMES) == ["src/date_util.py"]
    assert matching("d?cs/", NAMES) == ["docs"]
