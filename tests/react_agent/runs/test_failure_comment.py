"""What a run that came to nothing says below its issue."""

from dataclasses import replace

from failed_runs import outcome_of, state_of, step
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.parsers.transcript.entries import Event
from react_agent.runs.report import MOST_BYTES, failure_comment, report
from react_agent.state.state import Stop

KEY = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5"


def test_a_comment_tells_no_key_and_calls_nobody() -> None:
    thought = f"because of {KEY} <img src=x> @everyone fixes #1 ```\n# a heading\n\n- [x](http://y)"
    steps = [step(1, "replace", "a`b<i>.py", thought, kind="write"), step(2, KEY, how="wish")]
    state = state_of(*steps, then=(Event("stop", f"model_failed @you <b> `x` {KEY}"),))
    comment = failure_comment(outcome_of(state))
    assert KEY not in comment
    bare = [line for line in comment.split("\n") if not line.startswith("    ")]
    assert [line for line in bare if "@" in line or "<" in line or "#" in line] == [bare[0]]
    assert bare[0].count("`") == 2


def test_a_comment_names_how_a_run_without_a_change_ended() -> None:
    state = state_of(step(1, "read_file"), then=(Event("stop", "concluded by the model"),))
    comment = failure_comment(replace(outcome_of(state), stop=Stop.CONCLUDED))
    assert comment.split("\n")[0] == "The agent did not solve this: `no_change`, 1 step."


@given(st.text(max_size=3_000), st.text(max_size=300))
@settings(max_examples=30)
def test_a_comment_is_short(text: str, name: str) -> None:
    long = text * 20
    steps = [step(n, name, f"{n}{name.strip() or 'x'}", long, kind="write") for n in range(1, 12)]
    outcome = outcome_of(state_of(*steps, objective=long), diff=long)
    assert len(failure_comment(outcome).encode()) <= MOST_BYTES
    assert report(outcome)
