"""What a command printed, and how it ended, as a model reads it."""

import re
import signal
from pathlib import Path

from react_agent.parsers.terminal import plain
from react_agent.tools.clip import clip, counted
from react_agent.tools.context import Context
from react_agent.tools.observation import EXIT, LIMIT
from react_agent.tools.shell.process import ResourceLimits

ADVICE = "send it to a file and read parts, or filter it"
_SHELL_ADDS = 128  # to a signal's number, for the exit code


def shown(title: str, output: str, left_out: int, context: Context) -> str:
    """With one number for all that is not shown: what was lost is of what is left out."""
    text = f"{title}\n{output}"
    clipped = clip(text, context.limits, ADVICE, left_out)
    return clipped if _gap(left_out) not in clipped else clip(text, context.limits, ADVICE)


def readable(head: bytes, tail: bytes, left_out: int, context: Context) -> str:
    """As a terminal would show it, with paths as the model knows them."""
    first, last = (plain(part.decode(errors="replace")) for part in (head, tail))
    gap = f"\n{_gap(left_out)}\n" if left_out else ""
    inside = _placed(first.text + gap + last.text, context.root, ".")
    home = Path(context.environment.get("HOME", "/"))
    text = _placed(inside, home, "~").strip("\n").rstrip()
    overwritten = first.overwritten + last.overwritten
    if not overwritten:
        return text
    return f"{text}\n[{counted(overwritten, 'overwritten progress line')} left out]"


def ended(code: int, hit: str, allowed: ResourceLimits) -> str:
    why = sentence(hit, allowed)
    if why and hit != "left":
        return f"ended: {why}"
    number = -code if code < 0 else code - _SHELL_ADDS
    is_known = number in set(signal.Signals)
    name = signal.Signals(number).name if is_known else f"signal {number}"
    by = f" (ended by {name})" if code < 0 or is_known else ""
    return f"exit code {code}{by}{f', but {why}' if why else ''}"


def sentence(hit: str, allowed: ResourceLimits) -> str:
    """What ended a command that hit this limit."""
    return {
        "processes": f"more than {allowed.processes:,} processes at once",
        "memory": f"more than {_size(allowed.memory)} of memory in use at once",
        "cpu": f"more than {allowed.cpu_seconds:,} s of processor time",
        "file": f"a file of more than {_size(allowed.file_bytes)}",
        "disk": "the disk was nearly full",
        "temporary": f"more than {_size(allowed.temporary)} of temporary files",
        "supervisor": "it killed its supervisor",
        "left": "some of its processes could not be killed",
    }.get(hit, "")


def _size(number: int) -> str:
    for unit, name in ((1024**3, "GB"), (1024**2, "MB"), (1024, "kB")):
        if number >= unit:
            return f"{number / unit:.3g} {name}"
    return f"{number} bytes"


def exit_facts(code: int, hit: str, *, timed_out: bool = False) -> dict[str, str]:
    """How it ended, for whoever reads the transcript later."""
    limit = hit or ("time" if timed_out else "")
    return {EXIT: str(code)} | ({LIMIT: limit} if limit else {})


def _gap(left_out: int) -> str:
    return f"[... {counted(left_out, 'byte')} lost here, {ADVICE} ...]"


def _placed(text: str, folder: Path, name: str) -> str:
    """These absolute paths say nothing to a model and differ from run to run."""
    if not folder.is_absolute() or folder == folder.parent:
        return text
    starts = sorted({str(folder), str(folder.resolve())}, key=len, reverse=True)
    place = rf"(?<![\w/.-])(?:{'|'.join(re.escape(start) for start in starts)})"
    below = re.sub(rf"{place}/(?=[\w.@+-])", "" if name == "." else f"{name}/", text)
    return re.sub(rf"{place}(?![\w.-])", name, below)
