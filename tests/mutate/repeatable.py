"""A pytest plugin for runs over mutants: the same examples every time, few, and none for ever.

mutmut's traps, each with its answer here:

- A function that runs while modules are imported has run, unmutated, before mutmut forks. So its
  mutants' workers import all anew, and every test counts as one of the tests that it needs.
- A mutant may loop. Each test has a limit in CPU time, so that a busy machine is no verdict, and
  the worker one of memory. (mutmut's own limits are for the whole worker, and much wider.)
- Each call of a mutated function is a few calls more: a test that counts them says nothing.
"""

import os
import resource
import signal
import sys
from pathlib import Path
from types import FrameType

import hypothesis
import pytest
from mutmut.state import state

SECONDS = 10  # of CPU time, for one test
BYTES = 4 << 30
TIMED_OUT = 36  # as mutmut has it

# As the run over all tests left it; a worker inherits it when it is forked.
run_at_import = set[str]()

hypothesis.settings.register_profile(
    "repeatable",
    derandomize=True,
    max_examples=25,
    phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),  # nobody reads the shrunk one
    suppress_health_check=list(hypothesis.HealthCheck),
    database=None,
    deadline=None,
)


def limit_this_process() -> None:
    signal.signal(signal.SIGPROF, _give_up)
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _give_up(signal_number: int, frame: FrameType | None) -> None:
    os._exit(TIMED_OUT)


def forget_what_was_imported() -> None:
    here = f"{Path.cwd()}{os.sep}"
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(here):
            del sys.modules[name]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    counting = [item for item in items if "calls" in getattr(item, "fixturenames", ())]
    if counting:
        config.hook.pytest_deselected(items=counting)
        items[:] = [item for item in items if item not in counting]


def pytest_collection_finish() -> None:
    if _is_the_run_over_all():
        run_at_import.update(state()._stats)


def pytest_runtest_setup() -> None:
    if "__mutmut_" in os.environ.get("MUTANT_UNDER_TEST", ""):
        signal.setitimer(signal.ITIMER_PROF, SECONDS)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown() -> None:
    signal.setitimer(signal.ITIMER_PROF, 0)
    if _is_the_run_over_all():
        state()._stats.update(run_at_import)  # mutmut is about to note what this test ran


def _is_the_run_over_all() -> bool:
    return os.environ.get("MUTANT_UNDER_TEST") == "stats"
