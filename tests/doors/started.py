"""Runs react-agent and writes down the programs that it starts, between the prompts of its run.

`started.py FILE ARGUMENT...`: a line a program, `git status` or the name of any other; and an empty
line before each prompt. What is forked and starts no program is none. What those programs start in
their turn is theirs.
"""

import os
import sys
from collections.abc import Sequence
from itertools import dropwhile
from pathlib import PurePath

PROMPT, POPEN, SPAWN, EXEC = "react_agent.prompt", "subprocess.Popen", "os.posix_spawn", "os.exec"
TWICE = {SPAWN: POPEN, EXEC: EXEC}  # Popen may call posix_spawn; exec tries each folder of PATH


class Started:
    def __init__(self, place: str) -> None:
        # A file, appended to: processes that are forked write to it as well.
        self.file = os.open(place, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self.last = "", [""]

    def listen(self, event: str, args: tuple[object, ...]) -> None:
        if event == PROMPT:
            self._write("")
        elif event in (POPEN, SPAWN, EXEC):
            argv = [os.fsdecode(word) for word in args[1]]
            if (TWICE.get(event), argv) != self.last:
                self._write(_name(argv))
            self.last = event, argv

    def _write(self, line: str) -> None:
        os.write(self.file, f"{line}\n".encode())


def _name(argv: Sequence[str]) -> str:
    if argv[0] == sys.executable:
        return "python"
    words = list(dropwhile(lambda word: PurePath(word).name != "git", argv))
    is_git = len(words) > 1 and words[1].startswith("-")  # else it is a folder of this name
    return _command(words[1:]) if is_git else PurePath(argv[0]).name


def _command(words: Sequence[str]) -> str:
    """Of git."""
    if words[0] in ("-C", "-c"):
        return _command(words[2:])
    return _command(words[1:]) if words[0].startswith("-") else f"git {words[0]}"


if __name__ == "__main__":
    place, *arguments = sys.argv[1:]
    from react_agent.cli.main import main

    sys.addaudithook(Started(place).listen)
    main(arguments)
