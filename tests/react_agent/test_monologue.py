"""The profile `monologue` in a whole run, as the model sees it."""

import os
import pwd
from pathlib import Path
from typing import Any

from check_rows import table_of
from replies import DONE

from react_agent.tools.context import Context
from react_agent.tools.shell.shell import user_line


def test_a_monologue_runs_starts_ends_writes_and_remembers(desk: Any) -> None:
    _, seen = desk.watched(
        " I look around.\nAction: run\nAction Input: cd tests && pwd\n",
        " A server.\nAction: run_background\nAction Input: "
        "until [ -e go ]; do sleep 0.1; done; echo up; rm go; sleep 60\n",
        " It comes.\nAction: run\nAction Input: touch go; while [ -e go ]; do sleep 1; done\n",
        " Enough.\nAction: kill\nAction Input: 1\n",
        " A file.\nAction: write_file\nAction Input: note.py\nNOTE = 1\n",
        " I read it.\nAction: read_file\nAction Input: note.py\n",
        " What was it?\nAction: recall\nAction Input: 1\n",
        DONE,
        profile="monologue",
    )
    assert f"Commands run as {pwd.getpwuid(os.geteuid()).pw_name}, with" in seen[0].system
    assert "I exist, and I can act." in seen[0].system
    assert "A command is stopped after 120 seconds." in seen[0].system
    told = [view.turns[-1].partition("Observation: ")[2] for view in seen[1:]]
    assert told[0].startswith("exit code 0 (now in tests)")
    assert told[1].startswith("runs in the background as number 1")
    assert "(running in the background: 1: until [ -e go ]" in seen[2].tail
    assert "\n[meanwhile] background command 1 (until" in told[2] and " printed:\nup\n" in told[2]
    assert "running in the background" not in seen[4].tail
    assert "1| NOTE = 1" in told[5]


@table_of(
    ("said", "line"),
    {
        "without sudo": ("echo agent", "Commands run as agent, without sudo, and"),
        "with sudo": ("echo root; echo with sudo", "Commands run as root, with sudo, and begin in"),
        "nobody": ("exit 3", ""),
    },
)
def test_who_commands_run_as(tmp_path: Path, said: str, line: str) -> None:
    told = user_line(Context(tmp_path, sandbox=lambda argv, cwd: ["/bin/sh", "-c", said]))
    assert told.startswith(line)
    assert bool(told) == bool(line)
