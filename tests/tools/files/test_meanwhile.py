"""Two things at a time, and one after the other where there are no threads."""

import subprocess
import sys

from react_agent.tools.files.meanwhile import meanwhile

# So little memory that no thread can be started, once all is imported.
WITHOUT = """
import resource, threading
from react_agent.tools.files.meanwhile import meanwhile
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 1_000_000, resource.RLIM_INFINITY))
with meanwhile(lambda: "first") as first:
    print(first(), first(), threading.active_count())
"""


def test_on_a_thread() -> None:
    with meanwhile(lambda: "first") as first:
        assert (first(), first()) == ("first", "first")


def test_where_no_thread_can_be_started() -> None:
    command = [sys.executable, "-P", "-c", WITHOUT]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "first first 1\n"
