import pytest
from check_rows import table_of

from react_agent.parsers.testing.repository import is_skip, named_test, skips_now


@table_of(
    ("line", "name"),
    [
        pytest.param("def test_a():", "test_a", id="function"),
        pytest.param("    async def test_b(self) -> None:", "test_b", id="method"),
        pytest.param("func TestAdd(t *testing.T) {", "TestAdd", id="go"),
        pytest.param('test("a (b)", async () => {', "a (b)", id="test"),
        pytest.param("    public void testAdd() {", "testAdd", id="java"),
        pytest.param("    async fn adds() -> Result<()> {", "adds", id="rust"),
        pytest.param("fn helper(n: u32) {", "", id="no test of rust"),
        pytest.param("def helper():", "", id="no test"),
        pytest.param("self.test_a()", "", id="a call"),
    ],
)
def test_names_the_test_that_begins(line: str, name: str) -> None:
    assert named_test(line) == name


@table_of(
    "line",
    [
        "@pytest.mark.skip",
        "@pytest.mark.xfail(strict=True)",
        "@Disabled",
        "pytestmark = pytest.mark.skip",
        "describe.only('all', () => {",
        "xit('adds', () => {",
        "#[ignore]",
        "pytest.param(1, marks=pytest.mark.xfail),",
    ],
)
def test_a_test_is_passed_over(line: str) -> None:
    assert is_skip(line)


@table_of(
    "line",
    [
        "@pytest.mark.skipif(sys.platform == 'win32', reason='posix')",
        "@skipper",
        "# it.skip('adds')",
        "it.each([1])('adds', () => {",
    ],
)
def test_a_test_is_not_passed_over(line: str) -> None:
    assert not is_skip(line)


def test_skips_if_it_is_come_to() -> None:
    calls = ["self.skipTest('x')", "  pytest.skip('x')", "t.Skip()"]
    assert [line for line in calls if not skips_now(line)] == []
    assert not skips_now("self.skip_tests(x)")
