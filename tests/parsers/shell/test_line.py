"""Which commands a shell line runs, and the first that has another answer."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.shell.line import Barred, Pattern, commands, first_barred


@table_of(
    ("text", "expected"),
    [
        pytest.param("cat x | head -20", ["cat x", "head -20"], id="a pipe"),
        pytest.param("cd a && ls; pwd || true &", ["cd a", "ls", "pwd", "true"], id="operators"),
        pytest.param("# first\nls \\\n  a # then\n\npwd\n", ["ls a", "pwd"], id="lines"),
        pytest.param("ls >out 2>&1 </dev/null", ["ls"], id="redirections"),
        pytest.param("A=1 B='x y' ls", ["ls"], id="assignments"),
        pytest.param("for i in 1 2; do git push; done", ["for i in 1 2", "git push"], id="a loop"),
        pytest.param("(cd a && sudo make)", ["cd a", "sudo make", "make"], id="a subshell"),
        pytest.param("f() { git push; }; f", ["git push", "f"], id="a function"),
        pytest.param("case $x in a) vim;; *) ls;; esac", ["vim", "ls"], id="a case"),
        pytest.param("cat <<EOF > f\ngit push\nEOF\nls", ["cat", "ls"], id="here-document"),
        pytest.param("cat <<-'A' <<B\n\tvim\n\tA\nvim\nB\nls", ["cat", "ls"], id="two of them"),
        pytest.param("cat <<EOF\nvim", ["cat"], id="here-document without end"),
        pytest.param("diff <(vim a) b", ["diff <(vim a) b", "vim a"], id="process substitution"),
        pytest.param('ls "a $(vim', ["ls a $(vim", "vim"], id="an open substitution"),
        pytest.param("ls >", ["ls"], id="nothing behind a redirection"),
        pytest.param("a) ls", ["ls"], id="a bracket that closes nothing"),
    ],
)
def test_finds_the_commands_of_a_line(text: str, expected: list[str]) -> None:
    assert [" ".join(one.words) for one in commands(text)] == expected


@table_of(
    ("text", "word"),
    [
        pytest.param("'a  $b'", "a  $b", id="single quotes"),
        pytest.param(r'"a \"b\" \n"', r'a "b" \n', id="double quotes"),
        pytest.param(r"a\ b\*", "a b*", id="escapes"),
        pytest.param("""a'b'"c"d""", "abcd", id="glued"),
        pytest.param('"a\\\nb"', "ab", id="a continued line in quotes"),
        pytest.param("$(pwd)/x", "$(pwd)/x", id="a substitution"),
        pytest.param("a#b", "a#b", id="no comment"),
    ],
)
def test_resolves_a_word(text: str, word: str) -> None:
    assert commands(f"echo {text}")[0].words[1] == word


@table_of(
    ("text", "expected"),
    [
        pytest.param('echo "$(git push)"', ["git push"], id="substitution"),
        pytest.param("env A=b -u C git push", ["git push"], id="env"),
        pytest.param("nice -n 5 nohup git push", ["nohup git push", "git push"], id="two"),
        pytest.param("command -v git", [], id="a question"),
        pytest.param("uv run --with x pytest", ["pytest"], id="uv"),
        pytest.param("bash -lc 'cd a && git push'", ["cd a", "git push"], id="bash -c"),
        pytest.param("bash -e x.sh -c vim", [], id="options of a script"),
        pytest.param("eval 'git push'", ["git push"], id="eval"),
        pytest.param("find . -name x -exec vim {} \\;", ["vim {}"], id="find"),
    ],
)
def test_looks_through_what_starts_a_command(text: str, expected: list[str]) -> None:
    started = [one.words for one in commands(text) if one.words[0] != text.split()[0]]
    assert [" ".join(words) for words in started] == expected


def test_reads_what_a_shell_is_fed() -> None:
    assert [one.words for one in commands("bash <<'E'\ngit push\nE\n")] == [
        ["bash"],
        ["git", "push"],
    ]


@given(st.lists(st.text(), min_size=1))
def test_a_quoted_line_is_read_as_its_words(words: list[str]) -> None:
    quoted = " ".join("'{}'".format(word.replace("'", "'\\''")) for word in ["x", *words])
    assert [one.words for one in commands(quoted)] == [["x", *words]]


PUSH, VIM, PYTHON, BASH = ("git", "push"), ("vim",), ("python", "$"), ("bash", "$")
ALL, INSTALL, FORCE = ("git", "log", "--all"), ("pip", "install"), ("git", "clean", "-f")
PATTERNS = (PUSH, VIM, PYTHON, BASH, ALL, INSTALL, FORCE)


@table_of(
    ("text", "pattern", "command"),
    [
        pytest.param("git -C x -c a=b --no-pager push", PUSH, "", id="global options"),
        pytest.param("/usr/bin/vim x", VIM, "", id="by its path"),
        pytest.param("""bash -c "sh -c 'git push'" """, PUSH, "git push", id="in two shells"),
        pytest.param("python3.11", PYTHON, "", id="python3.11"),
        pytest.param("python -i", PYTHON, "", id="python -i"),
        pytest.param("bash --login -i", BASH, "", id="bash with options"),
        pytest.param("git clean -xfd", FORCE, "", id="a letter among others"),
        pytest.param("pip3.11 --proxy a install -U x", INSTALL, "", id="pip3.11"),
        pytest.param("python3 -m pip install -e .", INSTALL, "", id="python -m pip"),
        pytest.param("cat x | xargs git push", PUSH, "xargs git push", id="xargs"),
    ],
)
def test_finds(text: str, pattern: Pattern, command: str) -> None:
    assert first_barred(text, PATTERNS) == Barred(pattern, command or text)


@table_of(
    "text",
    [
        'echo "git push"', "ls # git push", "git log --grep=push", "git log -- --all",
        "cat <<EOF > x\ngit push\nEOF", "git pushed", "command -v vim", "ls vim",
        "python script.py", "python -c 'import x'", "python <<EOF\nx\nEOF", "echo code | python",
        "python < file", "python --version", "bash x.sh", "bash -xc ls", "git clean --dry-run",
        "", "git", "git -C push status", "./python.py", "echo a | xargs python",
    ],
)  # fmt: skip
def test_leaves_alone(text: str) -> None:
    assert first_barred(text, PATTERNS) is None
