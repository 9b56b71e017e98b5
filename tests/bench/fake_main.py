"""A fake endpoint in a process of its own, so that its work is not ours.

fake_main.py SECONDS    prints its address; what it says comes after so long; until its input ends
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "endpoint"))

from fake_endpoint import FakeEndpoint
from fake_reply import Reply, Request

CHUNK = 20  # characters
THOUGHT = " The range is read from its first number alone, so the last line is never shown." * 4
INPUT = "".join(f"    line_{n} = first.partition('-')[{n}] or last\n" for n in range(10))
TEXT = (
    f"{THOUGHT}\nAction: apply_patch\nAction Input: src/dates.py\n{INPUT}Observation: I made it up"
)


def main(seconds: float) -> None:
    chunks = tuple(TEXT[at : at + CHUNK] for at in range(0, len(TEXT), CHUNK))
    reply = Reply(chunks=chunks, latency=seconds)

    def say(request: Request) -> Reply:
        endpoint.requests.clear()  # or they fill the memory
        return reply

    with FakeEndpoint(say, models=[{"id": "m"}]) as endpoint:
        print(endpoint.url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(float(sys.argv[1]))
