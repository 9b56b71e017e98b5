"""Tells which paths regular expressions are found in: a program, to be ended if it takes too long.

Started as `python -I -S path_matcher.py FILE`, so it imports nothing of ours. The file holds two
lists in JSON, of expressions and of paths; printed are, for each expression, the numbers of the
paths or a word on why that can't be told.
"""

import json
import re
import signal
import sys
from pathlib import Path
from typing import NoReturn

SECONDS = 0.5  # for one expression and all paths
SHOWN = 60


def main(given: str) -> None:
    patterns, paths = json.loads(Path(given).read_text(encoding="ascii"))
    signal.signal(signal.SIGALRM, _give_up)
    json.dump([_answer(pattern, paths) for pattern in patterns], sys.stdout)


def _answer(pattern: str, paths: list[str]) -> list[int] | str:
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        search = re.compile(pattern).search
        return [at for at, path in enumerate(paths) if search(path)]
    except TimeoutError:
        return f"the pattern {pattern[:SHOWN]!r} takes too long"
    except (re.error, OverflowError, RecursionError) as error:
        return f"the pattern {pattern[:SHOWN]!r} can't be read: {error}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _give_up(number: int, frame: object) -> NoReturn:
    raise TimeoutError


if __name__ == "__main__":
    main(sys.argv[1])
