"""Which paths a regular expression of somebody else's is found in, whatever it would take."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from react_agent.tools import disk, temporary
from react_agent.tools.shell import process
from react_agent.tools.shell.allowance import Allowance

MOST_S = 20.0
PROGRAM = Path(__file__).with_name("path_matcher.py")
_ALLOWED = Allowance(memory=512 * 1024 * 1024, processes=8)
_ANSWER_BYTES = 64 * 1024 * 1024


def found_in(patterns: Sequence[str], paths: Sequence[str]) -> list[frozenset[str] | str]:
    """For each expression the paths, or why that can't be told."""
    with temporary.folder("paths") as folder:
        given = folder / "given.json"
        disk.write_text(given, json.dumps([list(patterns), list(paths)]), encoding="ascii")
        done = process.run(
            [sys.executable, "-I", "-S", str(PROGRAM), str(given)],
            cwd=folder,
            env={},
            timeout_s=MOST_S,
            keep_bytes=_ANSWER_BYTES,
            limits=_ALLOWED,
        )
    if done.code or done.timed_out:
        return ["its patterns take too long"] * len(patterns)
    return [
        answer if isinstance(answer, str) else frozenset(paths[at] for at in answer)
        for answer in json.loads(done.output)
    ]
