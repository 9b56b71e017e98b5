"""The texts that hold patches: any bytes, as long as they are text."""

import sys
from collections.abc import Sequence
from pathlib import Path

from react_agent.cli import streams
from react_agent.errors import UsageError
from react_agent.tools import disk
from react_agent.tools.errors import ReactAgentError

MOST_BYTES = 20 * 1024 * 1024
_BOM = "\ufeff"
_WIDE = (b"\xff\xfe", b"\xfe\xff")  # UTF-16, as some shells write files
_NOTHING = (
    "no patch was given: pipe one in (react-agent repair < reply.txt), or name a FILE "
    "(see react-agent repair --help)"
)


class NotText(ReactAgentError):
    """What was given can't be a patch."""

    exit_code = 1


def given(names: Sequence[str]) -> str:
    """Of the one file named, or of standard input."""
    if names and names[0] != "-":
        return text_in(Path(names[0]))
    if not sys.stdin:
        raise UsageError(_NOTHING)
    on_terminal = sys.stdin.isatty()
    if on_terminal:
        streams.say(["Paste the patch; end it with Ctrl-D:"])
    data = sys.stdin.buffer.read(MOST_BYTES + 1)
    if on_terminal and not data.strip():
        raise UsageError(_NOTHING)
    return decoded(data, "standard input")


def text_in(path: Path) -> str:
    return decoded(bytes_in(path, MOST_BYTES + 1), str(path))


def bytes_in(path: Path, most: int) -> bytes:
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a folder: name a file, or count all in it with --stats")
        return disk.start_of(path, most)
    except OSError as error:
        raise UsageError(f"can't read {path}: {error.strerror}") from None
    except ValueError:  # a NUL
        raise UsageError(f"there can't be a file {str(path)!r}") from None


def decoded(data: bytes, name: str) -> str:
    if len(data) > MOST_BYTES:
        raise NotText(f"{name} is larger than 20 MB: cut it down to the patch")
    if data.startswith(_WIDE):
        raise NotText(f"{name} is in UTF-16: save it as UTF-8")
    if b"\0" in data:
        raise NotText(f"{name} is binary: a patch is text")
    return data.decode(errors="surrogateescape").removeprefix(_BOM)
