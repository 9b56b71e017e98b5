"""Whether there is more of a run, for a page that is open: server-sent events."""

import itertools
from collections.abc import Callable, Generator

from react_agent.loop.transcript import NAME, is_held
from react_agent.runs.run_folder import RunFolder

KIND = "text/event-stream"
MORE = b"data: more\n\n"
OVER = b"event: over\ndata: over\n\n"
_STILL_HERE = b": still here\n\n"  # who has closed the page is noticed when something is sent
_LOOKS = 0.5  # seconds between them
_BEAT = 20  # looks


def news(run: RunFolder, sleep: Callable[[float], None]) -> Generator[bytes, None, None]:
    """At once, whenever something was added, and when nobody works on it any more."""
    seen = None
    for look in itertools.count(1):
        is_over = not is_held(run.transcript)  # asked first: what was added last is not missed
        sizes = _sizes(run)
        if sizes != seen:
            yield MORE
            seen = sizes
        elif look % _BEAT == 0:
            yield _STILL_HERE
        if is_over:
            yield OVER
            return
        sleep(_LOOKS)


def _sizes(run: RunFolder) -> dict[str, int]:
    """Of its transcript and those of the runs within it."""
    within = list(run.path.glob(f"sub/*/{NAME}"))
    return {str(path): path.stat().st_size for path in (run.transcript, *within)}
