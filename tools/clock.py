"""The clock: monotonic seconds for time limits, dates for display, and `sleep`."""

import time
from datetime import UTC, datetime

monotonic = time.monotonic
process_time = time.process_time
sleep = time.sleep
unix = time.time


def now() -> datetime:
    return datetime.now(UTC)
