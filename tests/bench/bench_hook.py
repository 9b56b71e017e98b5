"""What a commit takes with the hook, and without: one that asks for nothing, and one that asks.

The worker is started and ends at once, since another one holds the lock.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from beside import WHO, git, judge, least_seconds, share

from react_agent.hook.installing import find, install
from react_agent.tools.disk import locked

ROUNDS = 40
BAR_MS = 100
ASKING_BAR_MS = 300  # Python is started, so that a mistake in the settings is told at the commit


def main() -> int:
    rounds = share(ROUNDS)
    with tempfile.TemporaryDirectory() as folder:
        plain, hooked = Path(folder, "plain"), Path(folder, "hooked")
        for place in (plain, hooked):
            git(Path(folder), "init", "--quiet", str(place))
            _commit(place, "Begin")
        path = find(hooked, os.environ)
        install(["post-commit"], path, sys.executable)
        with locked(path.state / "lock", wait=False):
            taken = least_seconds(
                {
                    "without the hook": lambda: _commit(plain, "Say nothing"),
                    "with it": lambda: _commit(hooked, "Say nothing"),
                    "with it, and asking": lambda: _asking(hooked, path.state / "asked"),
                },
                rounds,
            )
    return _report(taken, rounds)


def _commit(place: Path, message: str) -> None:
    # not through `git`: the worker that a hook starts would hold its pipe
    command = ["git", *WHO, "commit", "--quiet", "--allow-empty", "-m", message]
    subprocess.run(command, cwd=place, check=True)


def _asking(place: Path, asked: Path) -> None:
    _commit(place, "Agent: do it")
    for path in asked.iterdir():
        path.unlink()


def _report(taken: dict[str, float], rounds: int) -> int:
    print(f"git commit (the quickest of {rounds})")
    without = taken["without the hook"]
    for name, seconds in taken.items():
        print(f"  {name:20}  {seconds * 1000:6.1f} ms  {(seconds - without) * 1000:+6.1f} ms")
    bars = {"with it": BAR_MS, "with it, and asking": ASKING_BAR_MS}
    more = {name: 1000 * (taken[name] - without) for name in bars}
    told = ", ".join(f"{more[name]:.1f} ms more, the bar is {bar} ms" for name, bar in bars.items())
    return judge(all(more[name] < bar for name, bar in bars.items()), told)


if __name__ == "__main__":
    sys.exit(main())
