"""Commands of react-agent, in forks of one process that has imported it, which takes a second.

A line of JSON on standard input is a command, its exit code the answer. With machine_shim.c loaded,
the fork is armed before its command begins."""

import ctypes
import importlib
import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

from react_agent.cli.main import main


def command(asked: dict[str, Any]) -> int:
    for number, name in ((1, "out"), (2, "err")):
        place = os.open(asked[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(place, number)
        os.close(place)
    os.environ.update(asked["environment"])
    shim = ctypes.CDLL(None)
    try:
        if asked["jump"]:
            shim.fault_clock(ctypes.c_long(asked["jump"]))
        if asked["fault"]:
            shim.fault_arm(os.fsencode(asked["below"]), *asked["fault"])
        main(asked["arguments"])
    except SystemExit as ended:
        return int(ended.code or 0)
    except BaseException:  # noqa: BLE001  what the interpreter would do
        traceback.print_exc()
    finally:
        if asked["fault"]:
            Path(asked["seen"]).write_text(str(shim.fault_seen()))
        sys.stderr.flush()
    return 1


def serve() -> None:
    for module in ("group", "run"):
        importlib.import_module(f"react_agent.cli.{module}")
    for line in sys.stdin:
        if (child := os.fork()) == 0:
            os._exit(command(json.loads(line)))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    serve()
