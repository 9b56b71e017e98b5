"""A pytest plugin: notes which lines each test reaches, or runs chosen tests over a mutant."""

import os
import resource
import signal
import sys
from collections.abc import Generator
from pathlib import Path

import coverage
import hypothesis
import pytest

CHOSEN = "MUTATE_TESTS"  # a file of test ids in the order to run them
PASSED = "MUTATE_PASSED"  # a folder for lists of the tests that passed
STARTED = "MUTATE_STARTED"  # a file for the test that was started last
SECONDS = 30  # of CPU time for one test: a busy machine is no verdict on a mutant
BYTES = 4 << 30

hypothesis.settings.register_profile(
    "mutate",
    derandomize=True,
    database=None,  # an example that killed one mutant is not tried on the next
    deadline=None,
    phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),  # nobody reads a shrunk one
    suppress_health_check=list(hypothesis.HealthCheck),
)
_passed = list[str]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if CHOSEN in os.environ:
        found = {item.nodeid: item for item in items}
        chosen = Path(os.environ[CHOSEN]).read_text(encoding="utf-8").split("\n")
        items[:] = [found[name] for name in chosen if name in found]
        if sys.platform == "linux":
            resource.setrlimit(
                resource.RLIMIT_AS, (BYTES, resource.getrlimit(resource.RLIMIT_AS)[1])
            )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    running = coverage.Coverage.current()
    if running:
        running.switch_context(item.nodeid)
    if STARTED in os.environ:
        Path(os.environ[STARTED]).write_text(item.nodeid, encoding="utf-8")
    if CHOSEN in os.environ:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)  # SIGPROF kills, in the middle of C, too
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        if running:
            running.switch_context("")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" and report.passed:
        _passed.append(report.nodeid)


def pytest_unconfigure() -> None:
    if PASSED in os.environ:
        Path(os.environ[PASSED], str(os.getpid())).write_text("\n".join(_passed), encoding="utf-8")
    if running := coverage.Coverage.current():  # a worker of xdist ends without atexit
        running.stop()
        running.save()
