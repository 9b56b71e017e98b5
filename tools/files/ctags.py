"""Universal Ctags on the content of one file, where it is installed."""

import os
from posixpath import basename

from react_agent.parsers.ctags import ctags_outline
from react_agent.parsers.outline import Outline
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools import disk, temporary
from react_agent.tools.shell import process, programs

_DEADLINE_S = 10
_KEPT_BYTES = 4_000_000
_PROGRAMS = ("universal-ctags", "ctags-universal", "ctags", "uctags")
_OPTIONS = (
    *("--options=NONE", "--quiet", "--output-format=json", "--fields=+neKSzs"),
    *("--sort=no", "-f", "-"),
)


def by_ctags(name: str, content: bytes) -> Outline | Unreadable:
    """On a copy: no link of the repository's is followed, and none of its options is read."""
    program = next(filter(None, map(programs.found, _PROGRAMS)), None)
    if program is None:
        return Unreadable("only Python and Markdown are outlined without Universal Ctags")
    with temporary.folder("ctags") as folder:
        copy = folder / basename(name)
        disk.write_bytes(copy, content)
        done = process.run(
            [program, *_OPTIONS, str(copy)],  # it knows no `--`; a whole path is no option
            cwd=folder,
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8", "HOME": str(folder)},
            timeout_s=_DEADLINE_S,
            keep_bytes=_KEPT_BYTES,
        )
    if done.timed_out:
        return Unreadable(f"ctags was stopped: it took more than {_DEADLINE_S} s")
    if done.code:
        return Unreadable("the ctags on PATH is not Universal Ctags, or has no JSON output")
    return ctags_outline(done.output.decode(errors="replace"))
