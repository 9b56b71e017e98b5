"""Which commands a shell line runs, as far as that can be seen."""

from collections.abc import Callable

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.shell_command import Pipeline, Simple
from react_agent.parsers.shell_line import ShellLine, read_line
from react_agent.parsers.shell_words import Word

Calls = Callable[[Callable[[str], object], str], int]


def simple(text: str, *words: str, fed: bool = False, redirected: str = "") -> Simple:
    parts = words or tuple(text.split())
    return Simple(text, tuple(map(Word, parts)), (), tuple(redirected.split()), fed)


@table_of(
    ("text", "expected"),
    [
        pytest.param("cat x", (Pipeline((simple("cat x"),)),), id="one"),
        pytest.param(
            "cat x | head -20",
            (Pipeline((simple("cat x"), simple("head -20", fed=True))),),
            id="a pipe",
        ),
        pytest.param(
            "cd a && ls; pwd || true &",
            (
                Pipeline((simple("cd a"),), "&&"),
                Pipeline((simple("ls"),), ";"),
                Pipeline((simple("pwd"),), "||"),
                Pipeline((simple("true"),), "&"),
            ),
            id="operators",
        ),
        pytest.param(
            "# first\nls \\\n  a # then\n\npwd\n",
            (Pipeline((simple("ls \\\n  a # then", "ls", "a"),), ";"),
             Pipeline((simple("pwd"),), ";")),
            id="lines and comments",
        ),
        pytest.param(
            "ls |\n wc",
            (Pipeline((simple("ls"), simple("wc", fed=True))),),
            id="a pipe at the end of a line",
        ),
        pytest.param(
            "ls >out 2>&1 </dev/null",
            (Pipeline((simple("ls >out 2>&1 </dev/null", "ls", fed=True,
                redirected=">out 2>&1 </dev/null"),)),),
            id="redirections",
        ),
        pytest.param(
            "A=1 B='x y' ls",
            (Pipeline((Simple("A=1 B='x y' ls", (Word("ls"),), ("A=1", "B=x y")),)),),
            id="assignments",
        ),
        pytest.param("", (), id="nothing"),
        pytest.param("# only this", (), id="a comment"),
    ],
)  # fmt: skip
def test_reads_a_plain_line(text: str, expected: tuple[Pipeline, ...]) -> None:
    commands = tuple(one for each in expected for one in each.commands)
    assert read_line(text) == ShellLine(expected, commands, True)


@table_of(
    ("text", "expected"),
    [
        pytest.param("a", Word("a"), id="bare"),
        pytest.param("'a  $b'", Word("a  $b", is_quoted=True), id="single quotes"),
        pytest.param(r'"a \"b\" \n"', Word(r'a "b" \n', is_quoted=True), id="double quotes"),
        pytest.param(r"a\ b\*", Word("a b*", is_quoted=True), id="escapes"),
        pytest.param("""a'b'"c"d""", Word("abcd", is_quoted=True), id="glued"),
        pytest.param(r"$'a\tb\'c'", Word("a\tb'c", is_quoted=True), id="ANSI-C quotes"),
        pytest.param('"a\\\nb"', Word("ab", is_quoted=True), id="a continued line in quotes"),
        pytest.param("''", Word("", is_quoted=True), id="empty"),
        pytest.param("*.py", Word("*.py", globs=True), id="a glob"),
        pytest.param("'*.py'", Word("*.py", is_quoted=True), id="a quoted glob"),
        pytest.param("$HOME/x", Word("$HOME/x", expands=True), id="a variable"),
        pytest.param("${HOME:-y}/x", Word("${HOME:-y}/x", expands=True), id="a default"),
        pytest.param('"$x"', Word("$x", expands=True, is_quoted=True), id="in double quotes"),
        pytest.param("$(pwd)/x", Word("$(...)/x", expands=True), id="a substitution"),
        pytest.param("$((1+(2)))", Word("$((1+(2)))", expands=True), id="arithmetic"),
        pytest.param("~/x", Word("~/x", expands=True), id="home"),
        pytest.param("{a,b}", Word("{a,b}", expands=True), id="braces"),
        pytest.param("{}", Word("{}"), id="braces of find"),
        pytest.param("a#b", Word("a#b"), id="no comment"),
        pytest.param("$", Word("$"), id="a lone dollar"),
    ],
)
def test_resolves_a_word(text: str, expected: Word) -> None:
    assert read_line(f"echo {text}").commands[0].words[1] == expected


@table_of(
    ("text", "expected"),
    [
        pytest.param("for i in 1 2; do git push; done", ["git push"], id="a loop"),
        pytest.param("(cd a && sudo make)", ["cd a", "sudo make", "make"], id="a subshell"),
        pytest.param("{ ls; vim x; }", ["ls", "vim x"], id="a group"),
        pytest.param("if [ -f x ]; then python; fi", ["[ -f x ]", "python"], id="a condition"),
        pytest.param("while ! ls x; do sleep 1\ndone", ["ls x", "sleep 1"], id="while"),
        pytest.param("f() { git push; }; f", ["git push", "f"], id="a function"),
        pytest.param("function f { vim; }", ["vim"], id="another function"),
        pytest.param("case $x in a) vim;; *) ls;; esac", ["vim", "ls"], id="a case"),
        pytest.param("[[ -f x ]] && vim x", ["vim x"], id="a test"),
        pytest.param("a=(vim b)\nls", ["ls"], id="an array"),
        pytest.param("cat <<EOF > f\ngit push\nEOF\nls", ["cat", "ls"], id="here-document"),
        pytest.param("cat <<-'A' <<B\n\tvim\n\tA\nvim\nB\nls", ["cat", "ls"], id="two of them"),
        pytest.param("cat <<EOF\nvim", ["cat"], id="here-document without end"),
        pytest.param("diff <(vim a) b", ["diff (...) b", "vim a"], id="process substitution"),
        pytest.param("((i++))\nvim", ["((i++))", "vim"], id="arithmetic"),
        pytest.param("ls 'a", ["ls a"], id="an open quote"),
        pytest.param('ls "a $(vim', ["ls a $(...)", "vim"], id="an open substitution"),
        pytest.param("ls &&", ["ls"], id="nothing behind an operator"),
        pytest.param("| ls", ["ls"], id="nothing before a pipe"),
        pytest.param("ls |", ["ls"], id="nothing behind a pipe"),
        pytest.param("ls >", ["ls"], id="nothing behind a redirection"),
        pytest.param('ls `echo "a`', ["ls `...`", "echo a"], id="an open quote in backticks"),
        pytest.param("a) ls", ["ls"], id="a bracket that closes nothing"),
    ],
)
def test_finds_the_commands_of_a_line_that_is_not_plain(text: str, expected: list[str]) -> None:
    read = read_line(text)
    assert (read.is_plain, read.pipelines) == (False, ())
    assert [" ".join(one.given) for one in read.commands] == expected


@table_of(
    ("text", "expected"),
    [
        pytest.param('echo "$(git push)"', ["git push"], id="substitution"),
        pytest.param("echo `git push` x", ["git push"], id="backticks"),
        pytest.param("x=$(git push)", ["git push"], id="assignment"),
        pytest.param("env A=b -u C git push", ["git push"], id="env"),
        pytest.param("time -p git push", ["git push"], id="time"),
        pytest.param("timeout -k 5 10 git push", ["git push"], id="timeout"),
        pytest.param("nice -n 5 nohup git push", ["nohup git push", "git push"], id="two"),
        pytest.param("sudo -u me git push", ["git push"], id="sudo"),
        pytest.param("command -v git", [], id="a question"),
        pytest.param("command git push", ["git push"], id="command"),
        pytest.param("exec git push", ["git push"], id="exec"),
        pytest.param("uv run --with x pytest", ["pytest"], id="uv"),
        pytest.param("bash -lc 'cd a && git push'", ["cd a", "git push"], id="bash -c"),
        pytest.param('sh -c "env vim"', ["env vim", "vim"], id="sh -c"),
        pytest.param("bash -e x.sh -c vim", [], id="options of a script"),
        pytest.param("eval 'git push'", ["git push"], id="eval"),
        pytest.param("find . -name x -exec vim {} \\;", ["vim {}"], id="find"),
        pytest.param("find . -exec a \\; -ok b {} +", ["a", "b {}"], id="find twice"),
    ],
)
def test_looks_through_what_starts_a_command(text: str, expected: list[str]) -> None:
    read = read_line(text)
    behind = [" ".join(one.given) for one in read.commands if one.given[0] != text.split()[0]]
    assert (read.is_plain, behind) == (True, expected)


def test_reads_what_a_shell_is_fed() -> None:
    assert [one.given for one in read_line("bash <<'E'\ngit push\nE\n").commands] == [
        ("bash",),
        ("git", "push"),
    ]


PIECES = [
    *("git push", "ls", " ", "\n", ";", "&&", "||", "|", "&", "(", ")", "{", "}", "$(", "`", "'"),
    *('"', "\\", "#", "<<EOF\n", "EOF", "<", ">", "2>&1", "$x", "${", "$((", "((", "))", "if "),
    *("a=", "case ", " in ", "do "),
    *("bash -c ", "env ", "find -exec ", "eval ", "$'", "\x00", "\ud800"),
]  # fmt: skip
texts = st.text() | st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@given(texts)
def test_any_text_is_read(text: str) -> None:
    read = read_line(text)
    assert all(one.words for one in read.commands)
    assert all(one.commands for one in read.pipelines)


@given(st.lists(st.text(), min_size=1))
def test_a_quoted_line_is_read_as_its_words(words: list[str]) -> None:
    quoted = " ".join("'{}'".format(word.replace("'", "'\\''")) for word in ["x", *words])
    assert read_line(quoted).commands[0].given == ("x", *words)


@pytest.mark.parametrize(
    "piece",
    [*(one for one in PIECES if one != "\ud800"), "$((a)", "<<A <<B\n", "a=(", "$(`", 'x"$(',
     "vim;", "find -exec a ", "sh -c 'a' ", "{a,"],
)  # fmt: skip
def test_time_grows_with_the_text(calls: Calls, piece: str) -> None:
    short, long = (calls(read_line, piece * size) for size in (200, 400))
    assert long <= 2.2 * short + 100
