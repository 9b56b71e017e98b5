"""What a run that came to nothing says below its issue."""

from typing import Any

from failed_runs import CALLS, outcome_of, state_of, step
from hypothesis import given, settings
from hypothesis import strategies as st
from replies import interrupt

from react_agent.parsers.transcript.entries import Event
from react_agent.runs.report import MOST_BYTES, failure_comment, report


def test_what_is_told_of_a_broken_off_run(desk: Any) -> None:
    outcome = desk.solve(*CALLS, interrupt)
    run = outcome.folder.path.name
    assert (
        failure_comment(outcome)
        == f"""\
The agent did not solve this: `interrupted: by the keyboard, a signal or closed output`, 5 steps.

**What the agent said**

    Its last thought: go

**Its last hypothesis (step 3)**

    It fails because the title is in lower case.

**Change, without a branch**

     README.md | 2 +-
     1 file changed, 1 insertion(+), 1 deletion(-)

**What it tried**

    step 3: replace README.md: It fails because the title is in lower case.
    step 4: passed: python3 -m unittest -q tests.test_printing

**Files that seem relevant, and why**

    README.md: changed at step 3
    stopwatch/parsing.py: read 2 times, at steps 1-2; named in 1 thought

**Tools it asked for that do not exist**

    fly (1)

**To go on**

    react-agent resume {run}
    react-agent fork {run} --at 5 --say "..."
"""
    )


KEY = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5"


def test_a_comment_tells_no_key_and_calls_nobody() -> None:
    thought = f"because of {KEY} <img src=x> @everyone fixes #1 ```\n# a heading\n\n- [x](http://y)"
    steps = [
        step(1, "replace", "a`b<i>.py", thought, kind="write"),
        step(2, KEY, how="wish"),
    ]
    state = state_of(*steps, then=(Event("stop", f"model_failed @you <b> `x` {KEY}"),))
    comment = failure_comment(outcome_of(state))
    assert KEY not in comment
    bare = [line for line in comment.split("\n") if not line.startswith("    ")]
    assert [line for line in bare if "@" in line or "<" in line or "#" in line] == [bare[0]]
    assert bare[0].count("`") == 2


@given(st.text(max_size=3_000), st.text(max_size=300))
@settings(max_examples=30)
def test_a_comment_is_short(text: str, name: str) -> None:
    long = text * 20
    steps = [step(n, name, f"{n}{name.strip() or 'x'}", long, kind="write") for n in range(1, 12)]
    outcome = outcome_of(state_of(*steps, objective=long), diff=long)
    comment = failure_comment(outcome)
    assert len(comment.encode()) <= MOST_BYTES
    assert report(outcome)
