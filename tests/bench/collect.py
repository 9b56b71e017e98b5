"""Put what the benches printed in several rounds side by side, as JSON: tests/data/before.json.

collect.py FOLDER                  the rounds are folders in it, which hold bench_NAME.txt
collect.py FOLDER BEFORE.json      prints each line whose figures changed: before, and now

A line is kept as it was printed, but for what differs between the rounds, which is {} in it; the
medians and all values of those follow, one list a {}, so that a bar, a unit and the name of a
figure are those of its line. A bench repeats a part of which it missed the bar: the last counts.
"""

import json
import re
import statistics
import sys
from collections.abc import Sequence
from itertools import compress
from pathlib import Path
from typing import Any

VERDICTS = ("met", "MISSED")
VALUE = re.compile(r"\bmet\b|\bMISSED\b|[-+]?\d[\d,]*(?:\.\d+)?")
HOLE = "{}"
Line = dict[str, Any]


def main(argv: Sequence[str]) -> int:
    folder, *before = map(Path, argv)
    rounds = sorted(path for path in folder.iterdir() if path.is_dir())
    places = sorted({path.name for each in rounds for path in each.glob("bench_*.txt")})
    found = {
        place.removeprefix("bench_").removesuffix(".txt"): _bench([one / place for one in rounds])
        for place in places
    }
    if before:
        _compare(json.loads(before[0].read_text()), found)
    else:
        print(_as_json(found))
    return 0


def _as_json(found: dict[str, Line]) -> str:
    """A line of a bench on a line of its own."""
    benches = (f"{json.dumps(name)}: {{\n{_parts(bench)}}}" for name, bench in found.items())
    return "{\n" + ",\n".join(benches) + "\n}"


def _parts(bench: Line) -> str:
    exits, lines = json.dumps(bench["exits"]), map(json.dumps, bench["lines"])
    return f'  "exits": {exits}, "lines": [\n  ' + ",\n  ".join(lines) + "]"


def _bench(places: Sequence[Path]) -> Line:
    printed = [place.read_text().strip("\n").split("\n") for place in places if place.exists()]
    exits = [int(lines.pop().removeprefix("exit ")) for lines in printed]
    lines = [_last_tries([line for line in each if line.strip()]) for each in printed]
    if len({tuple(map(_shape, each)) for each in lines}) > 1:
        sys.exit(f"{places[0].name}: the rounds print different lines")
    return {"exits": exits, "lines": [_line(each) for each in zip(*lines, strict=True)]}


def _shape(line: str) -> str:
    """Columns are as wide as the values in them."""
    return " ".join(VALUE.sub(HOLE, line).split())


def _last_tries(lines: list[str]) -> list[str]:
    """Without the tries that were followed by another."""
    for length in range(1, len(lines) // 2 + 1):
        for at in range(len(lines) - 2 * length + 1):
            one, other = lines[at : at + length], lines[at + length : at + 2 * length]
            if "MISSED" in one[-1] and [*map(_shape, one)] == [*map(_shape, other)]:
                return _last_tries(lines[:at] + lines[at + length :])
    return lines


def _line(rounds: Sequence[str]) -> Line:
    found = zip(*([_value(each) for each in VALUE.findall(one)] for one in rounds), strict=True)
    values = [list(each) for each in found]
    changing = [len(set(each)) > 1 for each in values]
    if not any(changing):
        return {"line": rounds[0]}
    left = iter(changing)
    line = VALUE.sub(lambda one: HOLE if next(left) else one[0], rounds[0])
    kept = list(compress(values, changing))
    return {"line": line, "medians": [*map(_median, kept)], "values": kept}


def _value(text: str) -> str | float:
    return text if text in VERDICTS else float(text.replace(",", ""))


def _median(values: Sequence[Any]) -> str | float:
    """Of verdicts the most common."""
    is_verdict = isinstance(values[0], str)
    return statistics.mode(values) if is_verdict else round(statistics.median(values), 4)


def _compare(before: dict[str, Line], now: dict[str, Line]) -> None:
    for name in sorted(before.keys() & now.keys()):
        old, new = (list(map(_filled, bench[name]["lines"])) for bench in (before, now))
        print(f"{name}: {before[name]['exits']} {now[name]['exits']}")
        by_shape = dict[str, list[str]]()
        for line in old:
            by_shape.setdefault(_shape(line), []).append(line)
        for line in new:
            alike = by_shape.get(_shape(line)) or ["  -"]
            if (was := alike.pop(0)) != line:
                print(f"{was}\n{line}")


def _filled(line: Line) -> str:
    """With the medians."""
    medians = iter(line.get("medians", ()))
    return re.sub(re.escape(HOLE), lambda hole: str(next(medians)), line["line"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
