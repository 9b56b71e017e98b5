"""Build a seccomp filter: the small program that the kernel runs for each system call.

It rejects socket families that a network namespace does not confine, such as those that reach the
host of a virtual machine, and system calls that programs under test do not need.
"""

import struct
from collections.abc import Collection
from typing import TypeAlias

LOAD, IS, AT_LEAST, HAS, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, MACHINE, FIRST_ARGUMENT = 0, 4, 16  # where they are in what a filter is shown
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | 1  # with EPERM
UNKNOWN = 0x00050000 | 38  # ENOSYS: the C library then takes the older call
FOREIGN = 0x40000000  # calls of the x32 ABI, which have other numbers
FAMILIES = (1, 2, 10, 16)  # unix, the two of the internet, and the kernel's own tables
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
NEW_USER = 0x10000000  # of the flags of clone: be root of a namespace
CLONE = {"x86_64": 56, "aarch64": 220}
CLONE_3 = 435  # on both; its flags are behind a pointer, which a filter can't look at
SOCKET = {"x86_64": 41, "aarch64": 198}
DENIED = {  # io_uring_setup, unshare, setns, bpf, perf_event_open, add_key, request_key, keyctl
    "x86_64": (425, 272, 308, 321, 298, 248, 249, 250),
    "aarch64": (425, 97, 268, 280, 241, 217, 218, 219),
}

Line: TypeAlias = tuple[int, int, int, int]  # code, value, lines to skip if so, and if not


def program(machine: str, families: Collection[int]) -> bytes:
    """Return the filter for a known machine type. `families` are the allowed socket families."""
    lines = [
        (LOAD, MACHINE, 0, 0),
        (IS, AUDIT[machine], 1, 0),
        (RETURN, REFUSE, 0, 0),
        (LOAD, NUMBER, 0, 0),
        *_if(AT_LEAST, FOREIGN, REFUSE),
        *(line for number in DENIED[machine] for line in _if(IS, number, REFUSE)),
        *_if(IS, CLONE_3, UNKNOWN),
        (IS, CLONE[machine], 0, 4),  # else go on at the sockets
        (LOAD, FIRST_ARGUMENT, 0, 0),
        *_if(HAS, NEW_USER, REFUSE),
        (RETURN, ALLOW, 0, 0),
        (IS, SOCKET[machine], 1, 0),
        (RETURN, ALLOW, 0, 0),
        (LOAD, FIRST_ARGUMENT, 0, 0),
        *(line for family in families for line in _if(IS, family, ALLOW)),
        (RETURN, REFUSE, 0, 0),
    ]
    packed = (struct.pack("=HBBI", code, so, not_so, value) for code, value, so, not_so in lines)
    return b"".join(packed)


def _if(code: int, value: int, end: int) -> tuple[Line, Line]:
    return (code, value, 0, 1), (RETURN, end, 0, 0)
