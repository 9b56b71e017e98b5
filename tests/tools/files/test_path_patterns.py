import pytest

from react_agent.tools.files.path_patterns import found_in

PATHS = ["src/a.py", "docs/b.md", "odd\nname \udcff.py", "a" * 60]


def test_finds_paths() -> None:
    assert found_in([r"\.py$", "^docs/", "(?x)^( src/ | docs/ )", "z"], PATHS) == [
        frozenset({"src/a.py", PATHS[2]}),
        frozenset({"docs/b.md"}),
        frozenset({"src/a.py", "docs/b.md"}),
        frozenset(),
    ]


def test_one_that_is_no_pattern() -> None:
    assert found_in(["(", "a{9999999999}"], PATHS) == [
        "the pattern '(' can't be read: missing ), unterminated subpattern at position 0",
        "the pattern 'a{9999999999}' can't be read: the repetition number is too large",
    ]


def test_one_that_would_take_for_ever() -> None:
    assert found_in(["^(a+)+$", "^docs"], ["a" * 60 + "b", "docs/b.md"]) == [
        "the pattern '^(a+)+$' takes too long",
        frozenset({"docs/b.md"}),
    ]


@pytest.mark.slow
def test_many_that_would_take_for_ever() -> None:
    patterns = [f"^(a+)+{number}$" for number in range(60)]
    assert found_in(patterns, ["a" * 60 + "b"]) == ["its patterns take too long"] * 60


def test_one_that_takes_all_memory() -> None:
    [answer] = found_in(["(?:" * 99 + "a" + "{9}){9}" * 99], PATHS)
    assert isinstance(answer, str) or answer == frozenset()
