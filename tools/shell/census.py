"""What a command and all that comes of it take. For its keeper: imports what starts fast."""

import os

PAGE = os.sysconf("SC_PAGE_SIZE")
_UNKNOWN = 1 << 62


class Disk:
    """What is left of the disk that a command starts on; of one that is nearly full, half of it."""

    def __init__(self, most: dict[str, int]) -> None:
        room, files = _left()
        self._room = min(most["room"], room // 2)
        self._files = min(most["inodes"], files // 2)

    def excess(self) -> str:
        room, files = _left()
        return "disk" if room < self._room or files < self._files else ""


def _left() -> tuple[int, int]:
    """Bytes, and files: of those some file systems say none at all."""
    try:
        found = os.statvfs(".")
    except OSError:  # the folder is closed to us, or its disk is gone
        return _UNKNOWN, _UNKNOWN
    return found.f_bavail * found.f_frsize, found.f_favail


def descendants(ancestor: int) -> list[tuple[int, int, bytes, int]]:
    """Process id, group, state and pages in memory of each."""
    children: dict[int, list[tuple[int, int, bytes, int]]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - pathlib costs 20 ms
        if name.isdigit() and (fields := _read(f"/proc/{name}/stat").rpartition(b")")[2].split()):
            row = (int(name), int(fields[2]), fields[0], int(fields[21]))
            children.setdefault(int(fields[1]), []).append(row)
    found = list(children.get(ancestor, ()))
    for pid, *_ in found:
        found += children.get(pid, ())
    return found


def excess(most: dict[str, int]) -> str:
    """The limit that all descendants together are over."""
    living = [row for row in descendants(os.getpid()) if row[2] != b"Z"]
    if len(living) > most["processes"]:
        return "processes"
    if sum(pages for *_, pages in living) * PAGE <= most["memory"]:
        return ""
    # what they share was counted several times; to count it once takes long
    return "memory" if sum(map(_memory, living)) > most["memory"] else ""


def _memory(row: tuple[int, int, bytes, int]) -> int:
    for line in _read(f"/proc/{row[0]}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return row[3] * PAGE


def _read(path: str) -> bytes:
    try:
        opened = os.open(path, os.O_RDONLY)
        try:
            return os.read(opened, 4096)
        finally:
            os.close(opened)
    except OSError:  # it has ended
        return b""
