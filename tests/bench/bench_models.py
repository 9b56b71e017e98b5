"""A hundred runs at once against an endpoint that takes its time, beside the bare SDK's same calls.

The endpoint has a process of its own; all else is in this one, which is what is measured.
"""

import contextlib
import math
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anthropic
import openai
from beside import INTERPRETED_US, judge, loop_us, share, slower, tried
from looking import SEEN, system_text

from react_agent.models.call import Hosted
from react_agent.models.connection import Time
from react_agent.models.contract import View, Why
from react_agent.models.endpoint import ANTHROPIC, OPENAI, find_endpoint
from react_agent.models.endpoints import Endpoints, Memory
from react_agent.models.wire import messages

RUNS = 100
STEPS = {OPENAI: 20, ANTHROPIC: 6}
LATENCY = 0.3  # seconds
TURNS = 4
YARDSTICKS = 500
ROOM = 4096
BAR_THROUGHPUT = 0.9  # of the SDK's
BAR_MS = 1.0  # of CPU time, a call, beside the SDK
BAR_MB = 400
STOP = "Observation:"

Said = list[dict[str, Any]]
Steps = Callable[[int, slice], None]  # makes these steps of the run of that number


@dataclass(frozen=True, slots=True)
class Taken:
    seconds: float
    cpu: float  # seconds, too
    yardstick: float  # us of it, around the same time


def main() -> int:
    kinds = sys.argv[1:] or list(STEPS)
    with _endpoint() as url:
        # again where a bar is missed: one of the two may have had the busier core
        missed = max([tried(_compared, kind, url) for kind in kinds])
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    told = f"{resident:.0f} MB resident at most in all, the bar is {BAR_MB}"
    return max(missed, judge(resident <= BAR_MB, told))


@contextlib.contextmanager
def _endpoint() -> Iterator[str]:
    command = (sys.executable, str(Path(__file__).with_name("fake_main.py")), str(LATENCY))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        yield process.stdout.readline().decode().strip()
        process.stdin.close()


def _compared(kind: str, url: str) -> int:
    steps = share(STEPS[kind])
    views = [_views(run, steps) for run in range(RUNS)]
    with tempfile.TemporaryDirectory() as folder:
        ends = Endpoints(Memory(Path(folder)), Time(time.monotonic, time.sleep), "bench")
        sdk, ours = _bare(kind, url, views), _ours(kind, url, views, ends)
        taken = _in_turns({"the SDK alone": sdk, "react-agent": ours}, steps)
        ends.close()
    return _report(kind, steps, taken)


def _views(run: int, steps: int) -> list[View]:
    """As the loop makes them: what was said stays the same objects."""
    system = system_text()
    turns = tuple(
        f"Thought: run {run} looks\nAction: read_file\nAction Input: src/{run}/{step}.py\n"
        f"{STOP} {SEEN}\n"
        for step in range(steps)
    )
    task = f"Objective: mend number {run}\n\n"
    return [View(system, task, turns[:step], "Thought:") for step in range(steps)]


def _bare(kind: str, url: str, views: list[list[View]]) -> Steps:
    """The requests are ready made, and nothing is done with the text."""
    call = _chat(url) if kind == OPENAI else _messages(url)
    ready = [[_said(kind, view) for view in each] for each in views]

    def go(run: int, steps: slice) -> None:
        for view, said in zip(views[run][steps], ready[run][steps], strict=True):
            assert STOP not in call(view.system, said)

    return go


def _said(kind: str, view: View) -> Said:
    return [
        {
            "role": one.role,
            "content": one.text if kind == OPENAI else [{"type": "text", "text": one.text}],
        }
        for one in messages(view)
    ]


def _chat(url: str) -> Callable[[str, Said], str]:
    client = openai.OpenAI(api_key="none", base_url=f"{url}/v1", max_retries=0)

    def call(system: str, said: Said) -> str:
        stream = client.chat.completions.create(
            model="m",
            messages=[{"role": "system", "content": system}, *said],  # type: ignore[list-item]
            max_tokens=ROOM,
            stop=[f"\n{STOP}"],
            stream_options={"include_usage": True},
            stream=True,
        )
        return "".join(one.delta.content or "" for chunk in stream for one in chunk.choices)

    return call


def _messages(url: str) -> Callable[[str, Said], str]:
    client = anthropic.Anthropic(api_key="none", base_url=url, max_retries=0)

    def call(system: str, said: Said) -> str:
        stream = client.messages.create(
            model="m",
            system=[{"type": "text", "text": system}],
            messages=said,  # type: ignore[arg-type]
            max_tokens=ROOM,
            stop_sequences=[f"\n{STOP}"],
            stream=True,
        )
        deltas = (event.delta for event in stream if event.type == "content_block_delta")
        return "".join(delta.text for delta in deltas if delta.type == "text_delta")

    return call


def _ours(kind: str, url: str, views: list[list[View]], ends: Endpoints) -> Steps:
    endpoint = find_endpoint(f"{kind}/m@{url}{'/v1' if kind == OPENAI else ''}", {}, {})
    models: dict[int, Hosted] = {}

    def go(run: int, steps: slice) -> None:
        if run not in models:
            models[run] = ends.model(endpoint)
        for view in views[run][steps]:
            completion = models[run].complete(
                view, stop=(STOP,), max_output=ROOM, deadline=None, show=lambda text: None
            )
            assert completion.why is Why.STOP, completion

    return go


def _in_turns(subjects: Mapping[str, Steps], steps: int) -> dict[str, list[Taken]]:
    """A few steps of all runs by the one, then the same by the other: so both are slowed alike."""
    taken: dict[str, list[Taken]] = {name: [] for name in subjects}
    at_once = math.ceil(steps / TURNS)
    with ThreadPoolExecutor(RUNS) as pool:
        for go in subjects.values():
            go(0, slice(1))  # imports, and what is learned once
        for begin in range(0, steps, at_once):
            for name, go in subjects.items():
                taken[name].append(_timed(pool, go, slice(begin, begin + at_once)))
    return taken


def _timed(pool: ThreadPoolExecutor, go: Steps, steps: slice) -> Taken:
    yardstick = loop_us(YARDSTICKS, time.process_time)
    cpu, start = time.process_time(), time.perf_counter()
    for _ in pool.map(lambda run: go(run, steps), range(RUNS)):
        pass
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    return Taken(seconds, cpu, (yardstick + loop_us(YARDSTICKS, time.process_time)) / 2)


def _report(kind: str, steps: int, taken: Mapping[str, list[Taken]]) -> int:
    ideal, calls = RUNS / LATENCY, RUNS * steps
    pairs = list(zip(*taken.values(), strict=True))
    loop = statistics.mean(turn.yardstick for pair in pairs for turn in pair)
    scale = 1000 / calls / slower(loop)
    print(f"{RUNS} runs of {steps} steps at once, {LATENCY * 1000:.0f} ms to an answer: {kind}")
    print(f"  {'ideal':13}  {ideal:6.1f} calls a second")
    for name, turns in taken.items():
        rate = calls / sum(turn.seconds for turn in turns)
        cpu = sum(turn.cpu for turn in turns) * scale
        print(
            f"  {name:13}  {rate:6.1f} calls a second {rate / ideal:5.0%}  {cpu:6.2f} ms CPU a call"
        )
    throughput = statistics.median(sdk.seconds / ours.seconds for sdk, ours in pairs)
    more = sum(ours.cpu - sdk.cpu for sdk, ours in pairs) * scale
    met = throughput >= BAR_THROUGHPUT and more <= BAR_MS
    return judge(
        met,
        f"{throughput:.0%} of what the SDK gets done, the bar is"
        f" {BAR_THROUGHPUT:.0%}; {more:+.2f} ms CPU a call beside it if a loop took"
        f" {INTERPRETED_US} us (it took {loop:.1f}), the bar is {BAR_MS}",
    )


if __name__ == "__main__":
    sys.exit(main())
