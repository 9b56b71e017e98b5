"""Measures every Python process that is started with this folder on its path."""

import contextlib
import os

if "COVERAGE_PROCESS_START" in os.environ:
    import coverage

    with contextlib.suppress(FileNotFoundError):  # of a test whose folder is gone
        coverage.process_startup()
