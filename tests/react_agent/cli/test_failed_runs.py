"""Each way in which a run ends early, through the real program: its report names what it saw."""

import signal
from pathlib import Path
from typing import Any

from waiting import see

READ = ("read_file", "stopwatch/parsing.py")
LOOK = ("read_file", "stopwatch/printing.py")
EDIT = (
    "replace",
    "README.md\n<<<<<<< SEARCH\n# stopwatch\n=======\n# Stopwatch\n>>>>>>> REPLACE\n",
)
FILES = """\
## Files that seem relevant, and why

    README.md: changed at step 2
    stopwatch/parsing.py: read at step 1
"""
CHANGED = """\
     README.md | 2 +-
     1 file changed, 1 insertion(+), 1 deletion(-)

In a file: `{run}/patch.diff`
"""


def report(cli: Any) -> str:
    [run] = cli.runs
    text: str = (run / "report.md").read_text()
    assert CHANGED.format(run=run) in text
    return text


def goes_on(cli: Any, more: str) -> str:
    [run] = cli.runs
    name = run.name
    return f"    react-agent resume {name}{more}\n    react-agent fork {name} --at 2 --say"


def test_each_limit_leaves_a_report(cli: Any, repository: Path) -> None:
    """A run ends by one, is taken up, and ends by the next."""
    model = f"replay/{cli.record(READ, EDIT, LOOK)}"
    ended = cli("solve", "the title", "--repo", "repository", "--model", model, "--steps", "2")
    [run] = cli.runs
    transcript = run / "transcript.txt"
    transcript.write_text(transcript.read_text().replace("turn: n=2 ", "turn: n=2 cost=2 "))
    limits = {"steps": "2", "tokens": "10", "seconds": "0.001", "money": "1"}
    enough = {"steps": "9", "tokens": "100000", "seconds": "900"}
    for name, limit in limits.items():
        if name != "steps":
            given = {**enough, name: limit}.items()
            options = [word for option, value in given for word in (f"--{option}", value)]
            ended = cli("resume", run.name, *options)
        told = report(cli)
        assert ended.code == 1
        assert f"Ended as `out_of_{'time' if name == 'seconds' else name}` (" in told
        assert FILES in told
        assert goes_on(cli, f" --{name} N") in told
        assert f"react-agent resume {run.name} --{name} N" in ended.out


def test_an_interrupt_in_the_middle_of_a_step(cli: Any, repository: Path) -> None:
    wait = f"touch {cli.folder}/waits; sleep 60 # stopwatch/units.py"
    model = f"replay/{cli.record(READ, EDIT, ('run', wait))}"
    process = cli.start("solve", "see setup.py", "--repo", "repository", "--model", model)
    see((cli.folder / "waits").exists)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    told = report(cli)
    assert f"cut off in step 3: run touch {cli.folder}/"[:60] in told
    assert "    setup.py: named by the issue\n" in told
    assert "    stopwatch/units.py: named in 1 thought\n" in told
    assert goes_on(cli, "") in told
