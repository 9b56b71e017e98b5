"""Run a command as the child of a process to which all that it leaves behind comes.

subreaper.py PROGRAM ARGUMENT...    ends as it does, once nothing of it is left
"""

import ctypes
import os
import sys

SUBREAPER = 36  # of prctl


def main(argv: list[str]) -> int:
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    child = os.posix_spawnp(argv[0], argv, os.environ)
    code = 0
    while True:
        try:
            pid, status = os.wait()
        except ChildProcessError:
            return code
        if pid == child:
            code = os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
