"""The queue, for a person: what waits, what is being done, what came of the last jobs."""

from collections.abc import Iterator

from react_agent.hook.day import last_day
from react_agent.hook.policy import Policy
from react_agent.hook.spool import Spool
from react_agent.hook.telling import told
from react_agent.parsers.text.counted import counted

_SHOWN = 10  # jobs that have ended


def lines_of(spool: Spool, policy: Policy) -> Iterator[str]:
    requests, waiting = len(spool.requests()), spool.jobs("queue")
    yield f"waiting: {counted(requests + len(waiting), 'job')}"
    yield from (f"    {job.key} {job.title}" for job in waiting)
    for job in spool.jobs("work"):
        yield f"begun: {job.key} {job.title}, run {job.run or 'none yet'}"
    for job in spool.jobs("done")[-_SHOWN:]:
        yield f"{job.ended}: {job.key} {told(job)}"
    if day := last_day(spool.root / "day"):
        used = f"{day.runs} of {policy.runs:g} runs, {day.seconds:.0f} of {policy.seconds:g} s"
        yield f"used on {day.name}: {used}"
    yield f"logs: {spool.root / 'logs'}"
