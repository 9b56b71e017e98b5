"""The examples of an issue, as a session that is run, and what it gave."""

import subprocess
import sys
from pathlib import Path

from check_rows import table_of

from react_agent.parsers.issue.examples import are_better, results_in, session


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
    {
        "the same": ("'$-5'", "'$-5'", False),
        "an error that the issue names": ("1", "ValueError: no", True),
        "another error": ("1", "NameError: x", False),
        "no error any more": ("ValueError: a", "12", True),
    },
)
def test_results_are_better(before: str, after: str, expected: bool) -> None:
    issue = "It should raise ValueError."
    assert are_better(issue, {"f(1)": before}, {"f(1)": after}) == expected


@table_of(
    ("issue", "after", "expected"),
    {
        "another is expected": ("`f(1)` is `a--b-`, not `a-b`", "'a--b'", False),
        "none is expected": ("`f(1)` is `a--b-`: see `f` and `x.y`", "'c'", True),
        "below a prompt": (">>> f(1)\n['a',  'b']\n", '["a", "b"]', True),
        "not what is below a prompt": (">>> f(1)\n['a']\n", "['b']", False),
    },
)
def test_results_are_what_the_issue_expects(issue: str, after: str, expected: bool) -> None:
    assert are_better(issue, {"f(1)": "'a--b-'"}, {"f(1)": after}) == expected
