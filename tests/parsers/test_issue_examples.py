"""The examples of an issue, as a session that is run, and what it gave."""

import subprocess
import sys
from pathlib import Path

import pytest
from check_rows import table_of

from react_agent.parsers.issue.examples import are_better, examples_of, results_in, session

KNOWN = {"Account": "bank.account", "half": "bank", "wrap": "src.text"}


@table_of(
    ("issue", "expected"),
    [
        pytest.param("`half(3)` gives 1", ["half(3)"], id="in backticks"),
        pytest.param("    >>> wrap('a (b', 4)\n    ['a']", ["wrap('a (b', 4)"], id="session"),
        pytest.param("half(x), half(), other(1), x.half(2)", [], id="not literal, not known"),
        pytest.param(
            "Then\n\n    till = Account(1)\n    till.take(-1)  # no\n\nand `till.balance` is 2",
            ["till = Account(1)", "till.take(-1)", "till.balance"],
            id="block, and a value of it",
        ),
        pytest.param("half('a)b', 2)", ["half('a)b', 2)"], id="a bracket in a text"),
        pytest.param("```\na = half(4)\na\n```", ["a = half(4)", "a"], id="fence"),
        pytest.param("half(" * 500, [], id="never closed"),
    ],
)
def test_finds_examples(issue: str, expected: list[str]) -> None:
    assert list(examples_of(issue, KNOWN)) == expected


def test_a_session_is_run_and_read(tmp_path: Path) -> None:
    (tmp_path / "bank.py").write_text("def half(n):\n    return n / 2\n")
    line = session(("a = half(3)", "a", "half('x')", "half(4)"), {"half": "bank"})
    python = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    done = subprocess.run(
        ["sh", "-c", line], cwd=tmp_path, env={"PATH": python}, capture_output=True, text=True
    )
    found = results_in(f"exit code 0\n{done.stdout}")
    assert found.pop("half('x')").startswith("TypeError: unsupported")
    assert found == {"a = half(3)": "", "a": "1.5", "half(4)": "2.0"}


@table_of(
    ("before", "after", "expected"),
    [
        pytest.param("'$-5'", "'$-5'", False, id="the same"),
        pytest.param("1", "ValueError: no", True, id="an error that the issue names"),
        pytest.param("1", "NameError: x", False, id="another error"),
        pytest.param("ValueError: a", "12", True, id="no error any more"),
    ],
)
def test_results_are_better(before: str, after: str, expected: bool) -> None:
    issue = "It should raise ValueError."
    assert are_better(issue, {"f(1)": before}, {"f(1)": after}) == expected


@table_of(
    ("issue", "after", "expected"),
    [
        pytest.param("`f(1)` is `a--b-`, not `a-b`", "'a--b'", False, id="another is expected"),
        pytest.param("`f(1)` is `a--b-`: see `f` and `x.y`", "'c'", True, id="none is expected"),
        pytest.param(">>> f(1)\n['a',  'b']\n", '["a", "b"]', True, id="below a prompt"),
        pytest.param(">>> f(1)\n['a']\n", "['b']", False, id="not what is below a prompt"),
    ],
)
def test_results_are_what_the_issue_expects(issue: str, after: str, expected: bool) -> None:
    assert are_better(issue, {"f(1)": "'a--b-'"}, {"f(1)": after}) == expected
