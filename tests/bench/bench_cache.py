"""What an endpoint's cache finds again: how much of each prompt the next one begins with.

A real run, its requests as the endpoint sees them. Hosted caches match whole blocks, servers of
one's own match the beginning byte by byte.
"""

import statistics
import sys
import tempfile
import time
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from beside import judge

sys.path.insert(0, str(Path(__file__).parents[1] / "endpoint"))

from fake_endpoint import FakeEndpoint
from fake_reply import Request
from looking import looking_agent

from react_agent.loop.agent import run
from react_agent.loop.guards import GUARDS, Means
from react_agent.models.connection import Time
from react_agent.models.endpoint import COMPLETIONS, KINDS, find_endpoint
from react_agent.models.endpoints import Endpoints, Memory
from react_agent.parsers.transcript.entries import Event
from react_agent.profiles.profile import Budget
from react_agent.state.state import State

STEPS = 40
BAR = 0.95  # of each prompt
BUDGET = Budget(steps=STEPS, prompt_tokens=10**9, window=10**9, seconds=600.0)
HINT_EVERY = 6  # steps
HINT = "you have looked at this file three times: look at its tests, or change something"
REPLY = """ The range is read from its first number alone; function_{n} may lose the last.
Action: look
Action Input: function_{n}
Observation: I made it up"""


@dataclass(frozen=True, slots=True)
class Block:
    role: str
    text: str
    is_marked: bool = False
    begins: bool = True  # a message; the others go on with it


Prompt = Sequence[Block]


def main() -> int:
    print(f"What of a prompt the next begins with, over {STEPS} steps: mean, least")
    print(f"  {'':22}{'in whole blocks':>18}{'in bytes':>18}")
    least = 1.0
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as folder:
            prompts = _prompts(kind, Path(folder))
        shares = _shares(prompts, in_blocks=kind != COMPLETIONS)
        least = min(least, *(min(each) for each in shares if each))
        _show(kind, shares)
    return judge(least >= BAR, f"{least:.1%} at least, the bar is {BAR:.0%}")


def _prompts(kind: str, folder: Path) -> list[Prompt]:
    replies = [REPLY.format(n=n) for n in range(STEPS)]
    with FakeEndpoint(replies, models=[{"id": "m"}]) as endpoint:
        ends = Endpoints(Memory(folder), Time(time.monotonic, time.sleep), "bench")
        model = ends.model(find_endpoint(f"{kind}/m@{endpoint.base_url(kind)}", {}, {}))
        run(looking_agent(folder, model, (GUARDS["budget"], _hint), BUDGET))
        ends.close()
        asked = endpoint.posts
    assert len(asked) == STEPS, [request.status for request in asked]
    return [list(_blocks(request)) for request in asked]


def _hint(state: State, means: Means) -> list[Event]:
    is_due = len(state.steps) % HINT_EVERY == HINT_EVERY - 1 and not state.hint
    return [Event("hint", HINT)] if is_due else []


def _blocks(request: Request) -> Iterator[Block]:
    """In the order in which the model reads them."""
    body = request.body
    if "prompt" in body:
        yield Block("", body["prompt"])
        return
    for role in ("system", "instructions"):
        if role in body:
            yield from _parts(role, body[role])
    for message in body.get("messages", body.get("input")):
        yield from _parts(message["role"], message["content"])


def _parts(role: str, content: str | list[Mapping[str, Any]]) -> Iterator[Block]:
    if isinstance(content, str):
        yield Block(role, content)
        return
    for at, part in enumerate(content):
        yield Block(role, part["text"], "cache_control" in part, at == 0)


def _shares(prompts: list[Prompt], *, in_blocks: bool) -> tuple[list[float], list[float]]:
    """Of each prompt, how much the next begins with: in whole blocks, and in bytes."""
    pairs = list(pairwise(prompts))
    blocks = [_same_blocks(*pair) / _size(pair[0]) for pair in pairs] if in_blocks else []
    return blocks, [_same_bytes(*pair) / len(_written(pair[0])) for pair in pairs]


def _same_blocks(prompt: Prompt, following: Prompt) -> int:
    """Where there are marks, what stands behind the last one is not kept."""
    marks = [at for at, block in enumerate(prompt) if block.is_marked]
    kept = prompt[: marks[-1] + 1] if marks else prompt
    same = 0
    for old, new in zip(kept, following, strict=False):
        if (old.role, old.text) != (new.role, new.text):
            break
        same += len(old.text.encode())
    return same


def _same_bytes(prompt: Prompt, following: Prompt) -> int:
    old, new = _written(prompt), _written(following)
    return bisect_left(range(len(old)), True, key=lambda at: old[: at + 1] != new[: at + 1])


def _size(prompt: Prompt) -> int:
    return sum(len(block.text.encode()) for block in prompt)


def _written(prompt: Prompt) -> bytes:
    """As a template puts it: a head before each message."""
    heads = (f"\0{block.role}\0" if block.begins else "\n" for block in prompt)
    return "".join(head + block.text for head, block in zip(heads, prompt, strict=True)).encode()


def _show(name: str, shares: tuple[list[float], list[float]]) -> None:
    cells = (f"{statistics.mean(each):9.1%} {min(each):7.1%}" if each else "-" for each in shares)
    print(f"  {name:22}{''.join(f'{cell:>18}' for cell in cells)}")


if __name__ == "__main__":
    sys.exit(main())
