"""How long `--help` keeps one waiting, beside the two libraries that it cannot do without."""

import subprocess
import sys
from pathlib import Path

from beside import median_seconds, report, share

ROUNDS = 101
BAR = 1.5


def main() -> int:
    cli = str(Path(sys.executable).with_name("react-agent"))
    subjects = {
        "react-agent --help": lambda: _run(cli, "--help"),
        "import typer, rich": lambda: _run(sys.executable, "-c", "import typer, rich"),
    }
    rounds = share(ROUNDS)
    return report(f"--help (median of {rounds})", median_seconds(subjects, rounds), BAR)


def _run(*command: str) -> None:
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)


if __name__ == "__main__":
    sys.exit(main())
