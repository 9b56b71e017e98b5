"""Which lines hold a command that has another answer, and which only look like it."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.shell.barred import Barred, Pattern, first_barred

PUSH, VIM, PYTHON, BASH = ("git", "push"), ("vim",), ("python", "$"), ("bash", "$")
ALL, INSTALL, FORCE = ("git", "log", "--all"), ("pip", "install"), ("git", "clean", "-f")
PATTERNS = (PUSH, VIM, PYTHON, BASH, ALL, INSTALL, FORCE)


@table_of(
    ("text", "pattern", "command"),
    [
        pytest.param("git push", PUSH, "git push", id="push"),
        pytest.param("ls && git push origin x; ls", PUSH, "git push origin x", id="in a line"),
        pytest.param("git -C x -c a=b --no-pager push", PUSH, "", id="global options"),
        pytest.param("git --git-dir=a push -f", PUSH, "", id="a global option with =="),
        pytest.param("for i in 1 2; do git push; done", PUSH, "git push", id="in a loop"),
        pytest.param("(cd a && FOO=1 vim b)", VIM, "FOO=1 vim b", id="in a subshell"),
        pytest.param("/usr/bin/vim x", VIM, "", id="by its path"),
        pytest.param("env A=b timeout 5 git push", PUSH, "", id="looked through"),
        pytest.param("bash -lc 'cd x && git push'", PUSH, "git push", id="in bash -c"),
        pytest.param('echo "$(git push)"', PUSH, "git push", id="in a substitution"),
        pytest.param("bash <<E\ngit push\nE", PUSH, "git push", id="fed to bash"),
        pytest.param("echo `git push`", PUSH, "git push", id="in backticks"),
        pytest.param("ls\ngit push", PUSH, "git push", id="on a further line"),
        pytest.param("sudo -u me git push", PUSH, "", id="sudo"),
        pytest.param("""'git' p"us"h""", PUSH, "", id="quoted"),
        pytest.param("g\\it push", PUSH, "", id="escaped"),
        pytest.param("""bash -c "sh -c 'git push'" """, PUSH, "git push", id="in two shells"),
        pytest.param("f() { git push; }; f", PUSH, "git push", id="in a function"),
        pytest.param("git push 'x", PUSH, "", id="before an open quote"),
        pytest.param("git -C $(pwd) push", PUSH, "", id="around a substitution"),
        pytest.param("git push origin !(x)", PUSH, "git push origin !", id="before a bracket"),
        pytest.param("python", PYTHON, "", id="python"),
        pytest.param("python3.11", PYTHON, "", id="python3.11"),
        pytest.param("python -i", PYTHON, "", id="python -i"),
        pytest.param("python -u -q", PYTHON, "", id="python with options"),
        pytest.param("time python3", PYTHON, "", id="timed"),
        pytest.param("bash", BASH, "", id="bash"),
        pytest.param("bash --login -i", BASH, "", id="bash with options"),
        pytest.param("git log --oneline --all -5", ALL, "", id="an option behind others"),
        pytest.param("git --no-pager log --all", ALL, "", id="an option alone"),
        pytest.param("git clean -xfd", FORCE, "", id="a letter among others"),
        pytest.param("pip install x", INSTALL, "", id="pip"),
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
        "git stash push", 'echo "git push"', "grep 'git push' x", "# git push",
        "ls # git push", "git log --grep=push", "git log -- --all", "git log --oneline",
        "git commit -m 'git push'", "cat <<EOF > x\ngit push\nEOF", "git pushed", "which vim",
        "command -v vim", "ls vim", "cat vim.py", "python script.py", "python -c 'import x'",
        "python - <<EOF\nx\nEOF", "python <<EOF\nx\nEOF", "echo code | python",
        "cat file | python3", "python < file", "python -m pytest", "python --version",
        "python -V", "bash x.sh", "bash -c ls", "bash -xc ls", "echo ls | bash", "bash --version",
        "pip --version", "pip list", "git clean -n", "git clean --dry-run", "", "git",
        "git -C push status", "python -", "./python.py", "echo a | xargs python",
    ],
)  # fmt: skip
def test_leaves_alone(text: str) -> None:
    assert first_barred(text, PATTERNS) is None


words = st.sampled_from(["git", "push", "python", "-m", "pip", "-C", "|", ";", "$", "'", "\n", "-"])


@given(st.text() | st.lists(words).map(" ".join), st.lists(st.lists(words).map(tuple), max_size=3))
def test_never_raises(text: str, patterns: list[Pattern]) -> None:
    found = first_barred(text, [*PATTERNS, *patterns])
    assert found is None or found.text in text
