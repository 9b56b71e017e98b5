from check_rows import table_of

from react_agent.parsers.repo.git_diff import FileDiff, Hunk, Line
from react_agent.parsers.testing.report import Failure, Report
from react_agent.tools.testing.new_tests import NewTests, new_tests

TEXT = """\
import x


def test_one(
    x,
):
    assert x

    assert 1


@pytest.mark.slow
class TestTwo:
    def test_two(self):
        assert 2


def helper():
    return 3
"""


def added(*numbers: int) -> FileDiff:
    lines = TEXT.split("\n")
    hunk = Hunk([], [Line(number, lines[number - 1]) for number in numbers])
    return FileDiff("tests/test_x.py", "tests/test_x.py", (hunk,))


@table_of(
    ("numbers", "names", "are_added"),
    {
        "a line": ((9,), ("test_one",), False),
        "a test with what is around it": ((8, 12, 13, 14, 15), ("test_two",), True),
        "no test": ((1, 12, 18, 19), (), True),
        "one new, one altered": ((7, 14), ("test_one", "test_two"), False),
    },
)
def test_lines_belong_to_the_test_that_they_are_in(
    numbers: tuple[int, ...], names: tuple[str, ...], are_added: bool
) -> None:
    found = new_tests([added(*numbers)], lambda path: TEXT.encode())
    assert dict(found.names) == ({"tests/test_x.py": names} if names else {})
    assert ({*names} <= {*found.added}) is are_added


@table_of(
    ("names", "failing", "skipped", "said"),
    [
        ("a", ["tests/test_x.py::C::a[1]"], 0, "(a): fails without the change, passes with it"),
        ("a", ["tests/test_x.py"], 1, "1 new test (a): fails without the change, not with it"),
        ("a b c", ["tests.test_x"], 0, "3 new tests: all fail without the change, pass with it"),
        ("a b c", ["tests.test_x"], 1, "3 new tests: all fail without the change, none with it"),
        ("a b", ["tests/test_y.py::z"], 0, "2 new tests (a, b): pass with and without the change"),
        ("a test_x", ["tests.test_x.A.test_x"], 0, "it; a passes with and without the change"),
        ("a", [], 1, "1 new test (a): fails neither with nor without the change"),
        ("a b", ["t::a", "E build"], 0, "passes with it; b is not known without the change"),
        ("a b", ["E m"], 0, ""),
    ],
)  # fmt: skip
def test_says_how_they_do_without_the_change(
    names: str, failing: list[str], skipped: int, said: str
) -> None:
    found = NewTests({"tests/test_x.py": names.split()}, added=names.split())
    ended = tuple(Failure(one.removeprefix("E "), is_error=one[:2] == "E ") for one in failing)
    told = found.told(Report(failures=ended), are_some_lost=skipped > 0)
    assert told.endswith(said)
    assert bool(told) == bool(said)


def test_a_function_with_cases_is_not_called_a_test() -> None:
    text = "@pytest.mark.parametrize('n', [1, 2, 3])\ndef test_n(n):\n    assert n\n"
    lines = [Line(number, line) for number, line in enumerate(text.split("\n"), 1)]
    found = new_tests(
        [FileDiff("", "tests/test_n.py", (Hunk([], lines),))], lambda _: text.encode()
    )
    said = "1 new test function (test_n): fails without the change, passes with it"
    assert found.told(Report(failures=(Failure("tests/test_n.py::test_n[2]"),))) == said
