"""How much of the machine one command may take, with all that it starts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Allowance:
    cpu_seconds: int = 3_600  # of any one process
    memory: int = 4 * 1024**3  # bytes, of all processes together
    processes: int = 512  # at once
    file_bytes: int = 4 * 1024**3  # of any one file
    open_files: int = 65_536  # of any one process
    room: int = 2 * 1024**3  # bytes that stay free on the disk, for what else is written there
    temporary: int = 4 * 1024**3  # bytes, of all files in the folder of temporary files, their /tmp
    inodes: int = 100_000  # files that can still be made there


def sentence(hit: str, allowed: Allowance) -> str:
    """What ended a command that hit this limit."""
    return {
        "processes": f"more than {allowed.processes:,} processes at once",
        "memory": f"more than {_size(allowed.memory)} of memory in use at once",
        "cpu": f"more than {allowed.cpu_seconds:,} s of processor time",
        "file": f"a file of more than {_size(allowed.file_bytes)}",
        "disk": "the disk was nearly full",
        "temporary": f"more than {_size(allowed.temporary)} of temporary files",
        "keeper": "it killed the process that watches over it",
        "left": "it is over, but some of its processes can't be killed",
    }.get(hit, "")


def _size(number: int) -> str:
    for unit, name in ((1024**3, "GB"), (1024**2, "MB"), (1024, "kB")):
        if number >= unit:
            return f"{number / unit:.3g} {name}"
    return f"{number} bytes"


def written(limits: Allowance) -> str:
    """As a supervisor reads them."""
    numbers = {
        "cpu": limits.cpu_seconds,
        "memory": limits.memory,
        "processes": limits.processes,
        "file": limits.file_bytes,
        "files": limits.open_files,
        "room": limits.room,
        "inodes": limits.inodes,
        "temporary": limits.temporary,
    }
    return ",".join(f"{name}={number}" for name, number in numbers.items())
