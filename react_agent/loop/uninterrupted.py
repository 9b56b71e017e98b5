"""A moment in which no signal ends us: what a model has said is paid for, and is written down."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_HEARD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """What asks us to end meanwhile is heard behind it; other threads hear no signals anyway."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    before = {number: signal.getsignal(number) for number in _HEARD}
    ours = {number: handler for number, handler in before.items() if callable(handler)}
    try:
        for number in ours:
            signal.signal(number, lambda which, frame: heard.append(which))
        yield
    finally:
        for number, handler in ours.items():
            signal.signal(number, handler)
        for which in dict.fromkeys(heard):
            signal.raise_signal(which)
