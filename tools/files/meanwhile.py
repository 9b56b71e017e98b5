"""One thing done while another is: on a thread, or where none can be started, before it."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

_Result = TypeVar("_Result")


@contextmanager
def meanwhile(call: Callable[[], _Result]) -> Iterator[Callable[[], _Result]]:
    """What comes of the call is asked for later."""
    with ThreadPoolExecutor(1) as pool:
        try:
            result = pool.submit(call).result
        except RuntimeError:  # the system has no more threads
            come = call()
            yield lambda: come
        else:
            yield result
