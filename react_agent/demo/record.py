"""Replace the demo's recording with a new run: `python -m react_agent.demo.record TRANSCRIPT`.

First edit the model's replies in the bundled transcript and run `react-agent demo`, which replays
them with the current tools. Then run this command to replace the bundled transcript with the
transcript of that run.
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
