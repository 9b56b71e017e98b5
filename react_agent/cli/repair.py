"""The command `react-agent repair`, which reads a patch and prints a repaired one.

It does not use typer, because importing typer takes longer than the repair.
"""

import getopt
import sys
from collections.abc import Sequence
from pathlib import Path

from react_agent.cli.terminal import streams
from react_agent.errors import UsageError
from react_agent.gone import OPTIONS
from react_agent.parsers.patch import Refused, Repaired, repair
from react_agent.parsers.settings.errors import did_you_mean
from react_agent.tools import disk
from react_agent.tools.edits.repair_patch import RepoFiles, files_of, repaired_for_git
from react_agent.tools.errors import ReactAgentError

MOST_BYTES = 20 * 1024 * 1024
_BOM = "\ufeff"
_WIDE = (b"\xff\xfe", b"\xfe\xff")  # UTF-16, as some shells write files
_NOTHING = (
    "no patch was given: pipe one in (react-agent repair < reply.txt), or name a FILE "
    "(see react-agent repair --help)"
)


class NotText(ReactAgentError):
    """The input is too large or not text, so it can't be a patch."""

    exit_code = 1


def given(names: Sequence[str]) -> str:
    """Return the text of the named file, or of standard input."""
    if names and names[0] != "-":
        try:
            return decoded(disk.start_of(Path(names[0]), MOST_BYTES + 1), names[0])
        except OSError as error:
            raise UsageError(f"can't read {names[0]}: {error.strerror}") from None
    if not sys.stdin:
        raise UsageError(_NOTHING)
    on_terminal = sys.stdin.isatty()
    if on_terminal:
        streams.say(["Paste the patch; end it with Ctrl-D:"])
    data = sys.stdin.buffer.read(MOST_BYTES + 1)
    if on_terminal and not data.strip():
        raise UsageError(_NOTHING)
    return decoded(data, "standard input")


def decoded(data: bytes, name: str) -> str:
    if len(data) > MOST_BYTES:
        raise NotText(f"{name} is larger than 20 MB: cut it down to the patch")
    if data.startswith(_WIDE):
        raise NotText(f"{name} is in UTF-16: save it as UTF-8")
    if b"\0" in data:
        raise NotText(f"{name} is binary: a patch is text")
    return data.decode(errors="surrogateescape").removeprefix(_BOM)


REFUSED = 1


def main(arguments: Sequence[str]) -> int:
    try:
        options, names = getopt.gnu_getopt(list(arguments), "", ["repo="])
    except getopt.GetoptError as error:
        if gone := OPTIONS.get(f"--{error.opt}"):
            raise UsageError(f"--{error.opt} is gone: {gone}") from None
        meant = did_you_mean(f"--{error.opt}", ("--repo",))
        raise UsageError(f"{error}{meant} (see react-agent repair --help)") from None
    if len(names) > 1:
        raise UsageError("one patch at a time: name one FILE")
    files = files_of(Path(dict(options).get("--repo", "")))
    found = repaired_for_git(given(names), files, repair)
    said = found.repairs if isinstance(found, Repaired) else found.reasons
    if isinstance(found, Repaired):  # first, so that it arrives even if the rest can't be written
        streams.give(found.patch.encode(errors="surrogateescape"))
    streams.say(line for one in (*said, *_where(found, files)) for line in one.split("\n"))
    return 0 if isinstance(found, Repaired) else REFUSED


def _where(found: Repaired | Refused, files: RepoFiles) -> list[str]:
    """Return a hint if `git apply` in the current folder would ignore files of the patch."""
    here = Path().absolute()
    if isinstance(found, Refused) or not here.is_relative_to(files.root):
        return []
    names = [name for one in found.results for name in (one.old, one.new) if name is not None]
    if all((files.root / name).is_relative_to(here) for name in names):
        return []
    return [f"apply it in {files.root}: its paths begin there"]
