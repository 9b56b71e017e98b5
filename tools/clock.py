"""What time it is, and waiting: seconds that never go back for limits, dates for what is told."""

import time
from datetime import UTC, datetime

monotonic = time.monotonic
process_time = time.process_time
sleep = time.sleep
unix = time.time


def now() -> datetime:
    return datetime.now(UTC)
