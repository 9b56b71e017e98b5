"""Print what the benches printed at faf7090 (tests/data/before.json) beside what they print now.

collect.py FILE...    each bench_NAME.txt holds the output of one; lines that changed are shown
"""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

BEFORE = Path(__file__).parents[1] / "data" / "before.json"
VALUE = re.compile(r"\bmet\b|\bMISSED\b|[-+]?\d[\d,]*(?:\.\d+)?")
HOLE = "{}"


def main(argv: Sequence[str]) -> int:
    kept = json.loads(BEFORE.read_text())
    for path in map(Path, argv):
        name = path.stem.removeprefix("bench_")
        by_shape = dict[str, list[str]]()
        for line in map(_filled, kept[name]["lines"]):
            by_shape.setdefault(_shape(line), []).append(line)
        print(name)
        for line in path.read_text().splitlines():
            alike = by_shape.get(_shape(line)) or ["  -"]
            if (was := alike.pop(0)) != line:
                print(f"{was}\n{line}")
    return 0


def _shape(line: str) -> str:
    """Columns are as wide as the values in them."""
    return " ".join(VALUE.sub(HOLE, line).split())


def _filled(line: Mapping[str, Any]) -> str:
    """With the medians of five rounds."""
    medians = iter(line.get("medians", ()))
    return re.sub(re.escape(HOLE), lambda hole: str(next(medians)), line["line"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
