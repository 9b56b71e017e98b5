"""Writes the page of attacks and faults, and the table of sandboxes: `write.py FOLDER`."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    marks = ("pytest.mark.attack(", "pytest.mark.fault(")
    own = Path(__file__).parent
    tests = [
        str(path.relative_to(ROOT))
        for path in sorted(ROOT.glob("tests/**/test_*.py"))
        if path.parent != own and any(mark in path.read_text() for mark in marks)
    ]
    pytest = [
        sys.executable,
        "-P",
        "-m",
        "pytest",
        "-q",
        "-n0",
        "--collect-only",
        "-p",
        "marked_rows",
    ]
    chosen = ["-m", "attack or fault", "--tables", str(Path(sys.argv[1]).resolve())]
    done = subprocess.run([*pytest, *chosen, *tests], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"the tests can't be collected:\n{done.stdout}")


if __name__ == "__main__":
    main()
