"""A program on a terminal of its own: what it shows, and what a person types."""

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

_CODE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_SECONDS = 60.0
_SILENCE = 110.0  # seconds
HEIGHT = 24


class OnPty:
    def __init__(
        self, command: Sequence[str], folder: Path, env: Mapping[str, str], columns: int = 80
    ) -> None:
        self.terminal, theirs = pty.openpty()
        self.resize(columns)
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **env},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # for Ctrl-C
        )
        os.close(theirs)
        self.sent = b""
        self._at = 0
        self._letters = codecs.getincrementaldecoder("utf-8")("replace")

    def resize(self, columns: int) -> None:
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, columns, 0, 0))

    @property
    def shown(self) -> str:
        """Without colours and moves of the cursor."""
        return _CODE.sub("", self.sent.decode(errors="replace")).replace("\r\n", "\n")

    def until(self, pattern: str) -> "re.Match[str]":
        """Read until it shows this, after what was waited for before."""
        deadline = time.monotonic() + _SECONDS
        while not (found := re.compile(pattern).search(self.shown, self._at)):
            assert time.monotonic() < deadline, (pattern, self.shown)
            if select.select([self.terminal], [], [], 0.1)[0]:
                self.sent += os.read(self.terminal, 65_536)
        self._at = found.end()
        return found

    def type(self, text: str, after: float = 0.0) -> None:
        time.sleep(after)  # the program may have to set the terminal first
        os.write(self.terminal, text.encode())

    def read(self) -> str:
        """Whole letters; nothing at the end. A program that waits in vain for keys is killed."""
        while True:
            if not select.select([self.terminal], [], [], _SILENCE)[0]:
                self.process.kill()
            try:
                data = os.read(self.terminal, 65_536)
            except OSError:  # EIO: nobody has it open any more
                return ""
            self.sent += data
            if (letters := self._letters.decode(data)) or not data:
                return letters

    def hang_up(self) -> int:
        """Close the terminal as a window is closed, and return the exit code."""
        os.close(self.terminal)
        self.terminal = os.open(os.devnull, os.O_RDWR)
        return self.process.wait(_SECONDS)

    def end(self) -> int:
        """Read to the end, and return the exit code."""
        while self.read():
            pass
        return self.process.wait(60)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)
