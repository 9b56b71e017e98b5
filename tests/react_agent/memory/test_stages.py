"""Each stage by itself: what it takes, and what it leaves."""

from check_rows import table_of

from react_agent.guards.means import Means
from react_agent.loop.guards import remind
from react_agent.memory.compressor import STAGES, compress, history
from react_agent.parsers.transcript.entries import Event, Objective, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.profiles.profile import KNOWN_STAGES, Budget, Policy, Profile
from react_agent.prompt.view import next_prompt
from react_agent.state.state import State
from react_agent.state.steps import Shown

SYSTEM = 100
LONG = "\n".join(f"{n:4}| a line of what was shown, number {n}" for n in range(60))
WHOLE, CUT, OUT, GONE = Shown.WHOLE, Shown.CUT, Shown.LEFT_OUT, Shown.SHELVED


def _state(*steps: tuple[str, str, str]) -> State:
    state = State()
    state.take(Objective("do it"))
    for thought, given, seen in steps:
        state.take(Said(Turn(Kind.ACTION, thought, "look", given)))
        state.take(Seen(seen, {"tool": "look"}))
    return state


def _compressed(state: State, window: int, *stages: str, **more: float) -> list[Event]:
    """With a reply of a fourth."""
    policy = Policy(stages, to=more.get("to", 0.5), enough=more.get("enough", 0.75))
    budget = Budget(window=window, reply=10**6)
    events = compress(
        state, Means(Profile(budget=budget, policy=policy), next_prompt(state, SYSTEM), SYSTEM)
    )
    for event in events:
        state.take(event)
    return events


def _shown(state: State) -> list[Shown]:
    return [step.shown for step in state.steps]


def _same(count: int, thought: str = "I look", given: str = "x", seen: str = LONG) -> State:
    return _state(*[(f"{thought} {n}", given, f"{n}\n{seen}") for n in range(count)])


def test_every_stage_that_a_profile_can_name_is_one() -> None:
    assert set(STAGES) == set(KNOWN_STAGES)


@table_of("stage", KNOWN_STAGES)
def test_nothing_is_taken_before_the_limit_is_reached(stage: str) -> None:
    assert _compressed(_same(4), 100_000, stage) == []
    assert _compressed(_state(), 10, stage) == []


def test_the_oldest_go_first_and_no_more_than_needed() -> None:
    state = _same(6)
    (event,) = _compressed(state, next_prompt(state, SYSTEM) * 4 // 3 - 4, "all")
    assert event == Event("compressed", "steps=1-4 stage=all")
    assert _shown(state) == [OUT, OUT, OUT, OUT, WHOLE, WHOLE]


def test_the_large_go_before_the_small() -> None:
    seen = ("small " * 70, LONG, LONG, "new")
    state = _state(*[("I look", "x", text) for text in seen])
    _compressed(state, next_prompt(state, SYSTEM), "all")
    assert _shown(state) == [WHOLE, OUT, OUT, WHOLE]


def test_an_observation_that_a_line_would_not_be_shorter_than_stays() -> None:
    state = _same(40, seen="a short answer")
    assert _compressed(state, next_prompt(state, SYSTEM), "all") == []


def test_the_newest_may_fill_half_of_the_room() -> None:
    state = _state(("I look", "x", LONG * 5))
    events = _compressed(state, 2000, "newest")
    assert _shown(state) == [CUT]
    assert "left out here: at most" in state.steps[0].text
    assert next_prompt(state, SYSTEM) < 100 + (1500 - 100) // 2 + 20
    assert _compressed(state, 2000, "newest") == []
    assert len(events) == 1


def test_the_newest_is_cut_as_short_as_it_has_to_be_at_last() -> None:
    state = _state(("I look", "x", LONG * 5))
    _compressed(state, 700, "last")
    assert next_prompt(state, SYSTEM) <= 700 * 3 // 4
    assert _shown(state) == [CUT]


def test_the_oldest_steps_go_to_memory_and_a_line_says_so() -> None:
    state = _same(30, thought="a thought that is rather long " * 4, seen="short")
    _compressed(state, next_prompt(state, SYSTEM), "all", "memory")
    gone = _shown(state).count(GONE)
    assert _shown(state) == [GONE] * gone + [WHOLE] * (30 - gone)
    assert state.before == f"(More happened before that: {gone} steps.)\n"
    assert 12 < gone < 25


def test_memory_keeps_the_newest_whatever_it_weighs() -> None:
    state = _same(3, seen=LONG)
    _compressed(state, 50, "memory")
    assert _shown(state) == [GONE, GONE, WHOLE]


def test_the_classic_way_takes_all_of_it_and_says_nothing_of_it() -> None:
    state = _same(3)
    _compressed(state, next_prompt(state, SYSTEM), "everything")
    assert _shown(state) == [OUT, OUT, OUT]
    assert all(step.text.endswith("\nObservation: [left out]\n") for step in state.steps)


@table_of(("history_of", "gone"), [(0, 0), (3, 2), (5, 0), (1, 4)])
def test_a_profile_may_show_the_last_steps_only(history_of: int, gone: int) -> None:
    state = _same(5)
    means = Means(Profile(policy=Policy(history=history_of)), 9)
    for event in history(state, means):
        state.take(event)
    assert _shown(state) == [GONE] * gone + [WHOLE] * (5 - gone)
    assert history(state, means) == []


def test_what_stands_at_the_end_of_a_prompt_counts_too() -> None:
    state = _same(6)
    state.take(Event("hint", "look at what was shown " * 40))
    size = next_prompt(state, SYSTEM)
    _compressed(state, size, "all")
    assert next_prompt(state, SYSTEM) < size * 3 // 4 * 0.75


@table_of(("window", "told"), [(100_000, 3), (1000, 1), (100, 0)])
def test_memory_is_told_as_far_as_it_fits(window: int, told: int) -> None:
    state = _same(1, seen="short")
    lines = ["what was seen before " * 60] * 3
    budget = Budget(window=window, reply=10**6)
    profile = Profile(budget=budget)
    means = Means(profile, next_prompt(state, SYSTEM), SYSTEM, remind=lambda thought, most: lines)
    assert [event.name for event in remind(state, means)] == ["recalled"] * told
