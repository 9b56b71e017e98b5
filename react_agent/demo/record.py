"""Take a run of the demo for its new recording: `python -m react_agent.demo.record TRANSCRIPT`.

The words of the model are edited in the bundled transcript; `react-agent demo` says them to the
tools as they are now; this puts the transcript of that run in the place of the bundled one.
"""

import re
import sys
from pathlib import Path

from react_agent.tools import disk

BUNDLED = Path(__file__).with_name("transcript.txt")
_LOCAL = {"repository": "/path/to/stopwatch", "model": "by hand"}


def without_local_paths(text: str) -> str:
    for name, value in _LOCAL.items():
        text = re.sub(rf"^%% {name}: .*$", f"%% {name}: {value}", text, flags=re.MULTILINE)
    return text


if __name__ == "__main__":
    disk.write_bytes(BUNDLED, without_local_paths(disk.read_text(Path(sys.argv[1]))).encode())
