"""What is imported for a plain diff: a filter starts anew for each patch."""

import subprocess
import sys

_PATCH = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
_PROGRAM = f"""
import sys
there = set(sys.modules)
from react_agent.parsers.patch import repair
repair({_PATCH!r}, {{"x.py": "a\\nb\\n"}})
print(*sorted(set(sys.modules) - there))
"""
_SLOW = {"difflib"}
_RARE = {
    "patch.placing.alignment",
    *("quoting", "labels", "special"),
    *(f"patch.{name}" for name in ("v4a", "blocks", "conflicts", "whole_file")),
}


def test_imports_nothing_slow_and_no_reader_of_another_format() -> None:
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, check=True)
    loaded = set(done.stdout.decode().split())
    assert "react_agent.parsers.patch.reading.reader" in loaded
    assert loaded & {*_SLOW, *(f"react_agent.parsers.{name}" for name in _RARE)} == set()
