"""Checks that a repository declares, on a change to it."""

import pytest
from check_rows import each_of
from checking import CONFIG, Checking, local, system

# A formatter and a linter: blanks at the end of a line go; `bad` is complained about.
FORMAT = """\
import sys
for path in sys.argv[1:]:
    lines = open(path).read().split("\\n")
    new = "\\n".join(map(str.rstrip, lines))
    if new != "\\n".join(lines):
        open(path, "w").write(new)
        print("reformatted", path)
"""
LINT = """\
import sys
lines = [(path, *each) for path in sys.argv[1:] for each in enumerate(open(path), 1)]
wrong = [f"{path}:{number}: {line}" for path, number, line in lines if "bad" in line]
print(*wrong, sep="", end="")
sys.exit(bool(wrong))
"""
FORMATTER = system("format", "python3 format.py", r"files: \.py$", "exclude: ^(format|lint)")
LINTER = system("lint", "python3 lint.py", "types: [python]", "exclude: lint.py")
TOOLS = {"format.py": FORMAT, "lint.py": LINT, CONFIG: local(FORMATTER, LINTER)}


def test_what_is_taken_of_a_formatter_and_what_a_linter_says(checking: Checking) -> None:
    base = {**TOOLS, "old.py": "x = 1  \nbad = 0\n", "clean.py": "x = 1\n"}
    change = {
        "old.py": "x = 1  \ny = 2\nbad = 0\n",
        "new.py": "z = 3  \nnew_bad = 1\n",
        "clean.py": "x = 2 \n",
        "notes.md": "a \n",
    }
    checked = checking.check(base, change)
    assert checked.lines == (
        "format: failed before too: it would change old.py, as it would have at the base; "
        "changed clean.py, new.py",
        "lint: failed",
    )
    assert checking.text(checked, "new.py") == "z = 3\nnew_bad = 1\n"
    assert checking.text(checked, "clean.py") == "x = 2\n"
    assert checking.text(checked, "old.py") == change["old.py"]
    assert checking.text(checked, "notes.md") == "a \n"


@pytest.mark.slow
@each_of(
    ("base", "change", "lines"),
    {
        "well": ({"a.py": ""}, {"a.py": "x = 1\n"}, ["format: passed", "lint: passed"]),
        "old trouble": (
            {"a.py": "bad = 0\n"},
            {"a.py": "x = 1\nbad = 0\n"},
            ["format: passed", "lint: failed before too"],
        ),
        "once more": (
            {"a.py": "bad = 0\n"},
            {"a.py": "bad = 0\nbad = 0\n"},
            ["format: passed", "lint: failed"],
        ),
        "a fix": (
            {"a.py": "x = 1\n"},
            {"a.py": "x = 2 \n"},
            ["format: fixed: changed a.py", "lint: passed"],
        ),
        "no files for them": ({}, {"notes.md": "a\n"}, []),
    },
)
def test_what_is_ours(
    checking: Checking, base: dict[str, str], change: dict[str, str], lines: list[str]
) -> None:
    assert checking.lines({**TOOLS, **base}, change) == lines


@pytest.mark.slow
def test_a_formatter_that_does_not_come_to_rest_is_not_believed(checking: Checking) -> None:
    grow = system("grow", 'sh -c \'for path; do echo "#" >> "$path"; done\' sh')
    checked = checking.check({CONFIG: local(grow), "a.py": ""}, {"b.py": "x = 1\n"})
    assert checked.lines == ("grow: failed: it still changes b.py",)
    assert checking.text(checked, "b.py") == "x = 1\n"


@pytest.mark.slow
def test_what_a_check_does_to_other_files_is_put_back(checking: Checking) -> None:
    hooks = (
        system("others", "sh -c 'echo x >> README.md; echo y >> a.py; rm stopwatch/units.py'"),
        system("modes", "sh -c 'chmod +x a.py'"),
        system("away", "sh -c 'rm -r stopwatch; ln -s /etc stopwatch; rm a.py; mkdir a.py'"),
        system("new", "sh -c 'echo x > made.py'"),
        system("last", "sh -c 'git diff --stat; test -z \"$(git diff --name-only)\"'"),
    )
    checked = checking.check({CONFIG: local(*hooks)}, {"a.py": "x = 1\n"})
    touched = "which is not part of the change"
    assert checked.lines == (
        f"others: failed: it changes README.md, stopwatch/units.py, {touched}",
        f"modes: failed: it changes a.py, {touched}",
        "away: failed: it changes a.py, stopwatch/__init__.py, stopwatch/__main__.py and 3 more, "
        f"{touched}",
        "new: passed",
        "last: passed",
    )
    assert checking.text(checked, "a.py") == "x = 1\n"


@pytest.mark.slow
@each_of(
    ("lint", "change", "verdict"),
    {
        "failed": ("grep -v bad {path}", {"a.py": "x = 1\n", "README.md": "bad\n"}, "failed"),
        "a file is no option": ("cat {path}", {"-x.py": "x"}, "passed"),
        "all of it failed before": ("false", {"new.py": "x"}, "failed before too"),
    },
)
def test_the_lint_command(
    checking: Checking, lint: str, change: dict[str, str], verdict: str
) -> None:
    settings = f"[react_agent]\ntest = true\nlint = {lint}\n"
    assert checking.lines({".react-agent.cfg": settings}, change) == [f"lint: {verdict}"]
