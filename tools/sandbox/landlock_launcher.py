"""Confine this process with Landlock and seccomp, and then replace it with the given command.

It is started as `python -I -S landlock_launcher.py OPTION... -- argv`, so it can't import our other
modules. Options: --write PATH, --read PATH, --network yes or no, and --filter HEX (see seccomp.py).
"""

import ctypes
import os
import signal
import struct
import sys

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # on every architecture
OLDEST_ABI = 3  # before it, truncate(2) empties any file
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
TRUNCATE, IOCTL_DEV = 1 << 14, 1 << 15
READ = EXECUTE | READ_FILE | READ_DIR
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
TCP = 3  # bind and connect
SCOPED = 3  # abstract sockets and signals

NO_NEW_PRIVS, SET_SECCOMP, FILTER, DROP_BOUND = 38, 22, 2, 24

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


class Refused(Exception):
    """The kernel does not support the requested restriction."""


def main(arguments: list[str]) -> int:
    end = arguments.index("--")
    options, argv = arguments[:end], arguments[end + 1 :]
    given = list(zip(options[0::2], options[1::2], strict=True))
    try:
        os.environ["GIT_CONFIG_NOSYSTEM"] = "1"  # git fails if it may not read one
        os.get_exec_path()  # as `execvp` does later: it imports a module
        confine(given)
        for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # by Python
            signal.signal(ignored, signal.SIG_DFL)
        os.execvp(argv[0], argv)
    except (FileNotFoundError, NotADirectoryError):
        print(f"{argv[0]}: no such command", file=sys.stderr)
    except (Refused, OSError) as error:
        print(f"{argv[0]}: {error}", file=sys.stderr)
    return 127


def confine(given: list[tuple[str, str]]) -> None:
    named = dict(given)
    _done(libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    _restrict_files(given, named["--network"] == "yes")
    # else a command that root starts would get the whole bounding set
    number = 0
    while libc.prctl(DROP_BOUND, number, 0, 0, 0) == 0:
        number += 1
    header = struct.pack("=Ii", 0x20080522, 0)
    _done(libc.capset(header, bytes(24)), "capabilities")
    program = bytes.fromhex(named["--filter"])
    code = ctypes.create_string_buffer(program, len(program))
    whole = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    _done(libc.prctl(SET_SECCOMP, FILTER, whole, 0, 0), "seccomp")


def abi() -> int:
    """Return the kernel's Landlock version, or 0 if Landlock is not supported."""
    if sys.platform != "linux":
        return 0
    return max(0, int(libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1)))


def _restrict_files(given: list[tuple[str, str]], network: bool) -> None:
    version = abi()
    if version < OLDEST_ABI:
        raise Refused(f"the kernel has no Landlock, or one before version {OLDEST_ABI}")
    every = (1 << (16 if version >= 5 else 15)) - 1
    fields = [every, 0 if network or version < 4 else TCP, SCOPED if version >= 6 else 0]
    known = fields[: 1 + (version >= 4) + (version >= 6)]
    attributes = struct.pack(f"{len(known)}Q", *known)
    made = libc.syscall(CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    ruleset = _done(made, "Landlock")
    for option, path in given:
        if option in ("--write", "--read"):
            _allow(ruleset, path, every if option == "--write" else READ)
    _done(libc.syscall(RESTRICT_SELF, ruleset, 0), "Landlock")
    os.close(ruleset)


def _allow(ruleset: int, path: str, access: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # not here
        return
    if not os.path.isdir(path):  # noqa: PTH112
        access &= OF_FILES
    rule = struct.pack("=Qi", access, place)
    _done(libc.syscall(ADD_RULE, ruleset, 1, rule, 0), f"Landlock, {path}")
    os.close(place)


def _done(result: int, what: str) -> int:
    if result < 0:
        raise Refused(f"{what}: {os.strerror(ctypes.get_errno())}")
    return int(result)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
