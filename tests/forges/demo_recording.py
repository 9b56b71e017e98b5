"""The demo's recording. `demo_recording.py TRANSCRIPT` replaces it with a new run.

First edit the model's replies in the bundled transcript and run `react-agent demo`, which replays
them with the current tools. Then run this script with the transcript of that run.
"""

import re
import sys
from pathlib import Path

from react_agent.demo import repository

BUNDLED = Path(repository.__file__).with_name("transcript.txt")
_LOCAL = {"repository": "/path/to/stopwatch", "model": "by hand"}


def without_local_paths(text: str) -> str:
    for name, value in _LOCAL.items():
        text = re.sub(rf"^%% {name}: .*$", f"%% {name}: {value}", text, flags=re.MULTILINE)
    return text


if __name__ == "__main__":
    recorded = Path(sys.argv[1]).read_text(encoding="utf-8")
    BUNDLED.write_text(without_local_paths(recorded), encoding="utf-8")
