import pytest
from check_rows import table_of

from react_agent.parsers.shell.line import Heredoc, heredocs


@table_of(
    ("line", "expected"),
    [
        pytest.param("cat << EOF", [Heredoc("EOF")], id="behind a blank"),
        pytest.param("cat<<'eof'", [Heredoc("eof")], id="quoted, without blanks"),
        pytest.param("cat <<-EOF", [Heredoc("EOF", is_indented=True)], id="dash"),
        pytest.param('cat << "end of it"', [Heredoc("end of it")], id="words in quotes"),
        pytest.param("cat <<\\EOF", [Heredoc("EOF")], id="escaped"),
        pytest.param("cat <<A; cat <<B", [Heredoc("A"), Heredoc("B")], id="two"),
        pytest.param("cat <<'EOF';", [Heredoc("EOF")], id="quoted, in a line like one of C"),
        pytest.param("cat <<< x", [], id="a here-string"),
        pytest.param("a << b << ENDS", [], id="another word behind a blank"),
        pytest.param("1 << N", [], id="behind a number"),
        pytest.param("cout << END;", [], id="a line of C"),
        pytest.param("x = 1 + y << EOF,  ", [], id="a part of a list, and blanks"),
        pytest.param("cout<<x", [], id="a word in small letters"),
        pytest.param("echo $((1<<n))", [], id="arithmetic of a shell"),
        pytest.param("#define A (1<<B)", [], id="behind a number in parentheses"),
    ],
)
def test_sees_which_texts_follow(line: str, expected: list[Heredoc]) -> None:
    assert list(heredocs(line)) == expected


@table_of(
    ("opened", "line", "closes"),
    [
        pytest.param(Heredoc("EOF"), "EOF", True, id="its word"),
        pytest.param(Heredoc("EOF"), "\tEOF", False, id="a tab before it"),
        pytest.param(Heredoc("EOF", is_indented=True), "\tEOF", True, id="a tab where it may be"),
    ],
)
def test_sees_where_the_text_ends(opened: Heredoc, line: str, closes: bool) -> None:
    assert opened.is_closed_by(line) is closes
