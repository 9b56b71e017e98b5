"""The process of a worker: does what it is told, one thing after another, while it has an owner."""

import os
import signal
import sys
import threading
from importlib import import_module
from multiprocessing.connection import Connection
from pickle import PicklingError, dumps, loads
from queue import SimpleQueue
from types import FrameType
from typing import NoReturn

from react_agent.tools.shell.this_process import hide_memory

PATIENCE_S = 5.0  # for what is being done to end, once its owner is gone
GONE = 1


class NoOwner(Exception):
    """Nobody is there to be answered."""


def main(channel: int, errors: int) -> None:
    """Both are descriptors: one to speak over, one for whatever is printed."""
    _print_to(errors)
    hide_memory()
    signal.signal(signal.SIGTERM, _interrupted)
    os.set_inheritable(channel, False)
    owner = Connection(channel)
    try:
        path, modules = loads(owner.recv_bytes())
        sys.path[:] = path
        for name in modules:
            import_module(name)
        owner.send_bytes(b"")  # from here on a deadline runs
        _serve(owner)
    except (KeyboardInterrupt, EOFError, OSError, NoOwner):
        _leave()


def _serve(owner: Connection) -> None:
    asked: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(owner, asked), daemon=True).start()
    while True:
        owner.send_bytes(_answer(asked.get()))


def _listen(owner: Connection, asked: SimpleQueue[bytes]) -> None:
    """A thread of its own, so that the owner's end is noticed in the middle of work, too."""
    try:
        while True:
            asked.put(owner.recv_bytes())
    except (EOFError, OSError):
        ident = threading.main_thread().ident
        assert ident is not None
        signal.pthread_kill(ident, signal.SIGTERM)  # unlike interrupt_main, it ends a system call
        threading.Event().wait(PATIENCE_S)
        _leave()


def _answer(request: bytes) -> bytes:
    try:
        function, args, kwargs = loads(request)
        return dumps((True, function(*args, **kwargs)))
    except Exception as error:  # noqa: BLE001  it is raised where the answer is read
        return _failure(error)


def _failure(error: Exception) -> bytes:
    try:
        loads(told := dumps((False, error)))
    except Exception:  # noqa: BLE001  an exception can be anything
        return dumps((False, PicklingError(f"{type(error).__name__}: {error}")))
    return told


def _print_to(errors: int) -> None:
    for stream in (1, 2):
        os.dup2(errors, stream)
    os.close(errors)


def _interrupted(signal_number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _leave() -> NoReturn:
    """At once: threads of a model's client would be waited for."""
    os._exit(GONE)
