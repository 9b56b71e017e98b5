"""Which commands a shell line runs, as far as that can be seen."""

from collections.abc import Callable

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.shell.line import commands, pipeline, without_prompt
from react_agent.parsers.shell.scanner import Command

Calls = Callable[[Callable[[str], object], str], int]


def simple(
    text: str, *words: str, then: str = "", literal: bool = True, fed: bool = False
) -> Command:
    return Command(text, words or tuple(text.split()), then, literal, fed)


@table_of(
    ("text", "expected"),
    [
        pytest.param("cat x", (simple("cat x"),), id="one"),
        pytest.param(
            "cat x | head -20",
            (simple("cat x", then="|"), simple("head -20", fed=True)),
            id="a pipe",
        ),
        pytest.param(
            "cd a && ls; pwd || true &",
            (
                simple("cd a", then="&&"),
                simple("ls", then=";"),
                simple("pwd", then="||"),
                simple("true", then="&"),
            ),
            id="operators",
        ),
        pytest.param(
            "# first\nls \\\n  a # then\n\npwd\n",
            (simple("ls \\\n  a # then", "ls", "a", then=";"), simple("pwd", then=";")),
            id="lines and comments",
        ),
        pytest.param(
            "ls |\n wc", (simple("ls", then="|"), simple("wc", fed=True)), id="a pipe, then a line"
        ),
        pytest.param(
            "ls >out 2>&1 </dev/null",
            (simple("ls >out 2>&1 </dev/null", "ls", literal=False, fed=True),),
            id="redirections",
        ),
        pytest.param(
            "ls 2>/dev/null 2>&1", (simple("ls 2>/dev/null 2>&1", "ls"),), id="only silenced"
        ),
        pytest.param(
            "A=1 B='x y' ls", (simple("A=1 B='x y' ls", "ls", literal=False),), id="assignments"
        ),
        pytest.param("", (), id="nothing"),
        pytest.param("# only this", (), id="a comment"),
    ],
)
def test_reads_a_line(text: str, expected: tuple[Command, ...]) -> None:
    assert commands(text) == expected


@table_of(
    ("text", "word", "is_literal"),
    [
        pytest.param("a", "a", True, id="bare"),
        pytest.param("'a  $b'", "a  $b", True, id="single quotes"),
        pytest.param(r'"a \"b\" \n"', r'a "b" \n', True, id="double quotes"),
        pytest.param(r"a\ b\*", "a b*", True, id="escapes"),
        pytest.param("""a'b'"c"d""", "abcd", True, id="glued"),
        pytest.param(r"$'a b\'c'", r"a b\'c", True, id="ANSI-C quotes"),
        pytest.param('"a\\\nb"', "ab", True, id="a continued line in quotes"),
        pytest.param("''", "", True, id="empty"),
        pytest.param("*.py", "*.py", False, id="a glob"),
        pytest.param("'*.py'", "*.py", True, id="a quoted glob"),
        pytest.param("$HOME/x", "$HOME/x", False, id="a variable"),
        pytest.param("${HOME:-y}/x", "${HOME:-y}/x", False, id="a default"),
        pytest.param('"$x"', "$x", False, id="in double quotes"),
        pytest.param("$(pwd)/x", "$(...)/x", False, id="a substitution"),
        pytest.param("$((1+(2)))", "$((1+(2)))", False, id="arithmetic"),
        pytest.param("~/x", "~/x", False, id="home"),
        pytest.param("{a,b}", "{a,b}", False, id="braces"),
        pytest.param("a#b", "a#b", True, id="no comment"),
        pytest.param("$", "$", True, id="a lone dollar"),
    ],
)
def test_resolves_a_word(text: str, word: str, is_literal: bool) -> None:
    command = commands(f"echo {text}")[0]
    assert (command.words[1], command.is_literal) == (word, is_literal)


@table_of(
    ("text", "expected"),
    [
        pytest.param("cat 'a b' | head -3", (("cat", "a b"), ("head", "-3")), id="two commands"),
        pytest.param(" ls # here\n", (("ls",),), id="a comment"),
        pytest.param("", (), id="nothing"),
        pytest.param("ls; pwd", (), id="two pipelines"),
        pytest.param("ls\npwd", (), id="two lines"),
        pytest.param("ls &", (), id="in the background"),
        pytest.param("cat $x", (), id="a variable"),
        pytest.param("ls | cat *.py", (), id="a glob"),
        pytest.param("ls > x", (), id="a redirection"),
        pytest.param("ls | A=1", (), id="no command after the pipe"),
        pytest.param("(ls)", (), id="a subshell"),
        pytest.param("! ls", (), id="a word of the shell"),
        pytest.param("ls 'x", (), id="an open quote"),
    ],
)
def test_one_pipeline_or_none(text: str, expected: tuple[tuple[str, ...], ...]) -> None:
    assert pipeline(text) == expected


@table_of(
    ("text", "expected"),
    [
        pytest.param("for i in 1 2; do git push; done", ["for i in 1 2", "git push"], id="a loop"),
        pytest.param("(cd a && sudo make)", ["cd a", "sudo make", "make"], id="a subshell"),
        pytest.param("{ ls; vim x; }", ["ls", "vim x"], id="a group"),
        pytest.param("if [ -f x ]; then python; fi", ["[ -f x ]", "python"], id="a condition"),
        pytest.param("while ! ls x; do sleep 1\ndone", ["ls x", "sleep 1"], id="while"),
        pytest.param("f() { git push; }; f", ["git push", "f"], id="a function"),
        pytest.param("function f { vim; }", ["vim"], id="another function"),
        pytest.param("case $x in a) vim;; *) ls;; esac", ["vim", "ls"], id="a case"),
        pytest.param("[[ -f x ]] && vim x", ["[[ -f x ]]", "vim x"], id="a test"),
        pytest.param("a=(vim b)\nls", ["ls"], id="an array"),
        pytest.param("cat <<EOF > f\ngit push\nEOF\nls", ["cat", "ls"], id="here-document"),
        pytest.param("cat <<-'A' <<B\n\tvim\n\tA\nvim\nB\nls", ["cat", "ls"], id="two of them"),
        pytest.param("cat <<EOF\nvim", ["cat"], id="here-document without end"),
        pytest.param("diff <(vim a) b", ["diff <(...) b", "vim a"], id="process substitution"),
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
def test_finds_the_commands_of_a_line_that_is_no_pipeline(text: str, expected: list[str]) -> None:
    assert [" ".join(one.words) for one in commands(text)] == expected
    assert pipeline(text) == ()


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
    started = [one.words for one in commands(text) if one.words[0] != text.split()[0]]
    assert [" ".join(words) for words in started] == expected


def test_reads_what_a_shell_is_fed() -> None:
    assert [one.words for one in commands("bash <<'E'\ngit push\nE\n")] == [
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
    assert all(one.words for one in commands(text))
    assert all(pipeline(text))


@given(st.lists(st.text(), min_size=1))
def test_a_quoted_line_is_read_as_its_words(words: list[str]) -> None:
    quoted = " ".join("'{}'".format(word.replace("'", "'\\''")) for word in ["x", *words])
    assert pipeline(quoted) == (("x", *words),)


@pytest.mark.parametrize(
    "piece",
    [*(one for one in PIECES if one != "\ud800"), "$((a)", "<<A <<B\n", "a=(", "$(`", 'x"$(',
     "vim;", "find -exec a ", "sh -c 'a' ", "{a,"],
)  # fmt: skip
def test_time_grows_with_the_text(calls: Calls, piece: str) -> None:
    short, long = (calls(commands, piece * size) for size in (200, 400))
    assert long <= 2.2 * short + 100


@table_of(
    ("command", "expected"),
    [
        pytest.param("$ ls -la", "ls -la", id="one line"),
        pytest.param(" $  ls\n$ pwd\n", "ls\npwd", id="all lines"),
        pytest.param("$ ls\nx.py", "$ ls\nx.py", id="what it printed below"),
        pytest.param("$x", "$x", id="a variable"),
        pytest.param("$ ", "$ ", id="a prompt only"),
        pytest.param("echo $ x", "echo $ x", id="further on"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_takes_a_prompt_away(command: str, expected: str) -> None:
    assert without_prompt(command) == expected
