"""The examples of an issue, as a session that is run, and what it gave."""

import subprocess
import sys
from pathlib import Path

from react_agent.parsers.issue.examples import results_in, session


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
