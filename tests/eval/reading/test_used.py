"""What a run took, out of its files."""

import re
from dataclasses import replace
from pathlib import Path

from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.eval.reading import read_run, used
from react_agent.eval.task import Used

TEXTS = Path(__file__).with_name("steps.txt").read_text(encoding="utf-8")
_, *STEPS = re.split(r"(?m)^=== .+\n", TEXTS)
MENDED, WISH, REDIRECT, HELPER, PATCH, END, UNREAD, EVENTS, SUB = STEPS
HEAD = SUB.partition("Thought:")[0]


def _files(*texts: str, **subs: str) -> dict[str, bytes]:
    files = {f"sub/{name[1:]}/transcript.txt": text.encode() for name, text in subs.items()}
    return files | {"transcript.txt": "".join((HEAD, *texts)).encode()}


def _used(*texts: str, **subs: str) -> Used:
    return replace(used(read_run(_files(*texts, **subs))), parts={})


@table_of(
    ("texts", "expected"),
    {
        "nothing was done": ((), Used()),
        "a reply that can't be read": ((UNREAD,), Used(1, 10, 1, unreadable=1)),
        "steps that were taken back": (
            (PATCH.replace("n=5 ", "n=1 "), WISH, EVENTS),
            Used(
                *(2, 700, 70, 0, None, 0.0, {"apply_patch": 1}, {"apply_patch": 1}),
                wishes={"fly": 1},
                repairs=1,
                backtracks=1,
                retracted=2,
                stuck=1,
            ),
        ),
        "a step that a guard made": (
            (MENDED.replace("n=1 in", "n=1 by=guard in"),),
            Used(0, 100, 10, 30, 0.5, 2.25, {"grep": 1}, repairs=1),
        ),
        "a Conclusion is no step": ((END,), Used(0, 600, 60)),
    },
)
def test_counts(texts: tuple[str, ...], expected: Used) -> None:
    assert _used(*texts) == expected


def test_a_run_within_a_run_is_paid_once() -> None:
    assert _used(MENDED, WISH, REDIRECT, HELPER, END, _004=SUB) == Used(
        *(5, 1650, 165, 32, 0.875, 5.25),
        {"grep": 1, "update_file": 1, "replace": 1},
        hidden={"git push redirect": 1},
        wishes={"fly": 1},
        repairs=1,
    )


def test_a_run_within_a_run_that_was_cut_off_is_paid_too() -> None:
    begun = HELPER.split("Observation:")[0]
    alone, within = _used(MENDED, begun), _used(MENDED, begun, _002=SUB)
    assert (within.prompt_tokens - alone.prompt_tokens, within.cost) == (50, 0.875)
    assert (alone.steps, within.steps) == (1, 2)
    assert _used(MENDED, _003=SUB) == _used(MENDED)  # no step names that one


def test_says_what_the_prompts_were_made_of() -> None:
    parts = used(read_run(_files(MENDED, WISH, END))).parts
    assert set(parts) == {"instructions", "objective", "thoughts", "inputs", "observations"}
    assert all(tokens > 0 for tokens in parts.values())


@table_of(
    "data",
    {
        "empty": b"",
        "no text": b"\xff\x00" * 99,
        "of a newer make": b"%% react-agent transcript: 99\n",
    },
)
def test_what_cannot_be_read_took_nothing(data: bytes) -> None:
    assert used(read_run({"transcript.txt": data})) == Used()
    assert used(read_run({"sub/001/transcript.txt": data})) == Used()


@given(st.lists(st.sampled_from("".join((MENDED, WISH, EVENTS, HELPER, UNREAD)).splitlines())))
def test_whatever_stands_in_it_is_read(some: list[str]) -> None:
    text = HEAD + "\n".join(some)
    run = read_run({"transcript.txt": text.encode(), "sub/001/transcript.txt": text.encode()})
    assert used(run).steps >= 0
