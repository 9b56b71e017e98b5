"""A model that is asked for fewer, fuller Thoughts, and what it may answer to that."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import pytest
from check_rows import each_of
from fake_endpoint import FakeEndpoint, Request

from react_agent.errors import ModelError, TimeUp
from react_agent.guards.means import Answered, Asking
from react_agent.loop.agent import run
from react_agent.memory.index import Memory
from react_agent.memory.search import search
from react_agent.models.contract import Completion, Usage, View, Why
from react_agent.models.endpoint import find_endpoint
from react_agent.models.endpoints import Endpoints
from react_agent.models.replay import Replay
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import read_facts
from react_agent.parsers.transcript.reader import read_transcript
from react_agent.profiles.profile import Budget, Policy
from react_agent.state.state import CONDENSING, Stop
from react_agent.state.steps import Shown
from react_agent.testing import ScriptedModel

SMALL = Budget(window=3000, reply=500, steps=60)
ONLY = Policy(stages=("condense", "memory"), enough=0.75)
CONDENSER = "You shorten the notes of a run"
LAST = 40
LABELS = ("Thought: ", "\nAction: ", "\nAction Input: ", "\nObservation: ")
LONG = "".join(
    f"and looks at all that is said of {what}, line after line, word after word, "
    for what in ("units", "names", "times", "signs", "words", "dates", "zones", "forms")
)
NUMBERS = re.compile(r"^Steps? (\d+)(?:-(\d+))?:", re.MULTILINE)

Answer = Callable[[View], Completion | str]


def step(number: int) -> str:
    if number > LAST:
        return "Thought: done\nConclusion: it is done"
    told = f"It reads src/part_{number}.py {LONG}and that is all"
    return f"Thought: {told}\nAction: echo\nAction Input: part {number} has {number}00 lines\n"


def merged(view: View) -> str:
    """A good answer: all of them in one."""
    found = NUMBERS.findall(view.task)
    first, last = found[0][0], found[-1][1] or found[-1][0]
    return f"Steps {first}-{last}: It read src/part_{first}.py to src/part_{last}.py."


@dataclass
class Both:
    """Says the steps in turn, and answers what else it is asked."""

    answer: Answer
    asked: list[tuple[View, int]]
    steps: list[View]
    step: Callable[[int], str] = step

    def complete(
        self, view: View, *, stop: tuple[str, ...], max_output: int, **_: Any
    ) -> Completion:
        if CONDENSER in view.system:
            self.asked.append((view, max_output))
            assert not stop
            answer = self.answer(view)
            if isinstance(answer, Completion):
                return answer
            usage = Usage(1000, 100, cached=10, cost=0.25)
            return Completion(answer, Why.END, usage=usage)
        self.steps.append(view)
        text = self.step(len(self.steps))
        usage = Usage(estimate_tokens(view.text), estimate_tokens(text))
        return Completion(text, Why.STOP, usage=usage)


@dataclass
class Trial:
    text: str
    state: Any
    stop: Stop
    model: Any

    def events(self, *names: str) -> list[str]:
        entries = read_transcript(self.text).entries
        found = (entry for entry in entries if isinstance(entry, Event) and entry.name in names)
        return [event.text for event in found]

    @property
    def is_well_formed(self) -> bool:
        return all(
            all(turn.count(label) == 1 for label in LABELS)
            for shown in self.model.steps
            for turn in shown.turns
        )


@pytest.fixture
def trial(bench: Any) -> Callable[..., Trial]:
    def made(answer: Answer, policy: Policy = ONLY, budget: Budget = SMALL) -> Trial:
        model = Both(answer, [], [])
        transcript = bench.open()
        stop = run(bench.agent(transcript, model, budget, policy=policy))
        return Trial(transcript.path.read_text(encoding="utf-8"), transcript.state, stop, model)

    return made


def test_the_oldest_steps_become_one_that_stands_for_them(trial: Callable[..., Trial]) -> None:
    done = trial(merged)
    assert done.stop is Stop.CONCLUDED
    first = done.events("condensed")[0]
    assert re.fullmatch(
        r"steps=1-(\d+) stage=condense \| It read src/part_1\.py to src/part_\1\.py\.", first
    )
    assert not done.events("shelved")
    assert done.is_well_formed
    assert any("Thought: [steps 1-" in turn for shown in done.model.steps for turn in shown.turns)
    [(asked, _), *_] = done.model.asked
    assert "Step 1: It reads src/part_1.py" in asked.task
    assert (
        "  did: echo part 1 has 100 lines\n  came: ok, 1 line: part 1 has 100 lines\n" in asked.task
    )
    assert not any(label.strip() in asked.text for label in LABELS)
    assert search(Memory(lambda: done.state.steps), "src/part_1.py", ()).found[0].step == 1
    paid = [read_facts(event) for event in done.events("asked")]
    expected = {"for": "condense", "in": "1000", "out": "100", "cached": "10", "cost": "0.250000"}
    assert [{**one, "seconds": ""} for one in paid] == [{**expected, "seconds": ""}] * len(paid)
    assert done.state.spent.money == 0.25 * len(paid) > 0


def test_what_was_condensed_is_condensed_again_with_what_followed(
    trial: Callable[..., Trial],
) -> None:
    wordy = f" It looks at what is said there. {LONG}."
    done = trial(lambda view: merged(view) + wordy * 3)
    ranges = [read_facts(event)["steps"] for event in done.events("condensed")]
    again = [steps for steps in ranges[1:] if steps.startswith("1-")]
    assert again
    tasks = [view.task for view, _ in done.model.asked]
    assert any(f"\nSteps {ranges[0]}: It read src/part_1.py to " in task for task in tasks)


def test_a_prompt_with_room_for_the_answer_fits(trial: Callable[..., Trial]) -> None:
    done = trial(merged, budget=replace(SMALL, window=2000))
    assert len(done.model.asked) > 2
    for asked, room in done.model.asked:
        assert 0 < estimate_tokens(asked.text) + room <= 2000 - 500


def test_what_is_asked_can_be_sent(bench: Any) -> None:
    odd = "\ud800\x00\x1b[31m\u202e"
    shown = "<U+D800><U+0000><U+001B>[31m<U+202E>"
    model = Both(merged, [], [], lambda n: step(n).replace("It reads", odd).replace(" has", odd))
    run(bench.agent(bench.open(), model, SMALL, policy=ONLY))
    [(asked, _), *_] = model.asked
    assert f"Step 1: {shown} src/part_1.py" in asked.task
    assert f"  did: echo part 1{shown} 100 lines\n  came: ok, 2 lines: part 1{shown}" in asked.task
    assert asked.text.replace("\n", "").isprintable()


def fails(view: View) -> Completion:
    raise ModelError("the endpoint is down")


def backwards(view: View) -> str:
    others = re.sub(r"\d+-", "0-", merged(view), count=1)
    return f"Steps 500-900: It looked.\n\n{others}"


def longer(view: View) -> str:
    return merged(view) + " It looked and looked." * 1000


def hallucinates(view: View) -> str:
    head, _, _ = merged(view).partition(":")
    return f"{head}: It wrote src/invented.py. Then `made_up()` failed in line 8765."


CUT = Completion("Steps 1-5: It read nothing and", Why.LENGTH, usage=Usage(1000, 100, cost=0.25))
NOTHING = "no part of the answer could be used"


@each_of(
    ("answer", "why"),
    {
        "error": (fails, "the endpoint is down"),
        "labels": (lambda view: "Steps 1-5:\nObservation: x\nSteps 1-5: Conclusion: y", NOTHING),
        "something longer": (longer, NOTHING),
        "invented names": (hallucinates, NOTHING),
        "other steps": (backwards, NOTHING),
        "cut off": (lambda view: CUT, NOTHING),
        "refusal": (lambda view: Completion("no", Why.REFUSAL), "the model refuses to answer"),
    },
)
def test_a_bad_answer_does_no_harm(trial: Callable[..., Trial], answer: Answer, why: str) -> None:
    done = trial(answer)
    assert done.stop is Stop.CONCLUDED
    assert done.is_well_formed
    assert done.events("condensed") == []
    notes = done.events("note")
    assert notes
    told = rf"steps \d+-\d+ could not be condensed: {re.escape(why)}"
    assert all(re.fullmatch(told, note) for note in notes)
    assert len(notes) == len(done.events("asked"))
    assert done.events("shelved")


def test_only_the_sentence_with_an_invented_name_is_left_out(trial: Callable[..., Trial]) -> None:
    done = trial(lambda view: f"{merged(view)} It wrote src/invented.py. It stopped there.")
    assert all(
        event.endswith(".py. It stopped there.") and "invented" not in event
        for event in done.events("condensed")
    )
    assert done.events("condensed")


def test_whole_lines_of_an_answer_that_was_cut_off_are_used(trial: Callable[..., Trial]) -> None:
    done = trial(lambda view: Completion(f"{merged(view)}\nIt found no", Why.LENGTH))
    assert done.events("condensed")
    assert "It found no" not in done.text


def test_after_a_failure_it_is_asked_again_ten_steps_later_and_three_times_in_all(
    trial: Callable[..., Trial],
) -> None:
    done = trial(fails, policy=replace(ONLY, to=0.9, enough=0.95))
    steps, asked = 0, list[int]()
    for entry in read_transcript(done.text).entries:
        steps += entry.__class__.__name__ == "Seen"
        if isinstance(entry, Event) and entry.name == "asked":
            asked.append(steps)
    assert 1 < len(asked) <= 3
    assert all(later - sooner >= 10 for sooner, later in pairwise(asked))


def test_time_that_is_up_ends_the_run_and_what_was_paid_is_known(
    trial: Callable[..., Trial],
) -> None:
    answers = iter([True])

    def too_late(view: View) -> str:
        if next(answers, False):
            return merged(view)
        raise TimeUp("no time is left")

    done = trial(too_late)
    assert done.stop is Stop.OUT_OF_TIME
    assert done.state.spent.money == 0.25


def test_where_no_tokens_are_left_for_it_nothing_is_asked(bench: Any) -> None:
    model, transcript = Both(merged, [], []), bench.open()
    asking = Asking(model, transcript, replace(SMALL, prompt_tokens=10), lambda: 0.0)
    view_of_it = View(CONDENSER, "Step 1: " + LONG, (), "")
    assert asking(view_of_it, 100, CONDENSING) == Answered("", "no tokens are left")
    assert model.asked == []
    assert transcript.state.asked_in_vain == 1


def test_a_step_that_could_not_be_read_is_stood_for_by_one_behind_it(bench: Any) -> None:
    model = Both(merged, [], [])
    said = model.complete

    def now_and_then(view: View, **how: Any) -> Completion:
        completion = said(view, **how)
        is_unread = CONDENSER not in view.system and len(model.steps) in (3, 9)
        return replace(completion, text="What now?") if is_unread else completion

    model.complete = now_and_then  # type: ignore[method-assign]
    transcript = bench.open()
    assert run(bench.agent(transcript, model, SMALL, policy=ONLY)) is Stop.CONCLUDED
    shown = [one for one in transcript.state.steps if one.shown is Shown.CONDENSED]
    assert shown
    assert all(all(label in one.text for label in LABELS) for one in shown)


def again(text: str, told: list[str]) -> Replay:
    return Replay(read_transcript(text).entries, told.append)


TIMES = re.compile(r" (?:seconds|cost)=[\d.]+")


@pytest.mark.parametrize("answer", [merged, fails])
def test_a_replay_has_the_same_prompts_and_events(
    bench: Any, trial: Callable[..., Trial], answer: Answer
) -> None:
    first = trial(answer)
    told, transcript = list[str](), bench.open()
    model = Watched(again(first.text, told))
    run(bench.agent(transcript, model, SMALL, policy=ONLY))
    assert told == []
    assert model.seen == first.model.steps
    second = transcript.path.read_text(encoding="utf-8")
    assert TIMES.sub("", second) == TIMES.sub("", first.text)


@dataclass
class Watched:
    model: Replay
    seen: list[View] = field(default_factory=list)

    def complete(self, view: View, **how: Any) -> Completion:
        if CONDENSER not in view.system:
            self.seen.append(view)
        return self.model.complete(view, **how)


def test_an_overflow_is_replayed(bench: Any) -> None:
    words = [step(n) for n in range(1, 9)]
    overflow = Completion("", Why.CONTEXT, usage=Usage(2500, 0), window=2600)
    model = ScriptedModel([*words[:6], overflow, *words[6:], step(LAST + 1)])
    transcript = bench.open()
    policy = Policy(stages=("everything", "memory"))
    run(bench.agent(transcript, model, SMALL, policy=policy))
    text = transcript.path.read_text(encoding="utf-8")
    assert "%% overflow:" in text
    told, second = list[str](), bench.open()
    run(bench.agent(second, again(text, told), SMALL, policy=policy))
    assert told == []
    assert TIMES.sub("", second.path.read_text(encoding="utf-8")) == TIMES.sub("", text)


NOTES = """\
Steps {first}-{middle}: It read src/part_{first}.py,
then others, one after the other.

**Steps {then}-{last}:**
- It read src/part_{last}.py.
"""


def test_through_an_endpoint_the_answer_comes_whole(bench: Any, endpoints: Endpoints) -> None:
    said = list[Request]()

    def reply(request: Request) -> str:
        if CONDENSER in request.prompt:
            found = [int(last or first) for first, last in NUMBERS.findall(request.prompt)]
            first, last = 1, found[-1]
            middle = found[1]
            return NOTES.format(first=first, middle=middle, then=middle + 1, last=last)
        said.append(request)
        return " " + step(len(said)).removeprefix("Thought: ")

    with FakeEndpoint(reply) as server:
        named = {"it": {"spec": "anthropic/m", "base_url": server.url}}
        model = endpoints.model(find_endpoint("it", named, {}))
        transcript = bench.open()
        agent = replace(bench.agent(transcript, model, SMALL, policy=ONLY), clock=time.monotonic)
        assert run(agent) is Stop.CONCLUDED
        asked = [one for one in server.settled() if CONDENSER in one.prompt]
    assert asked
    assert not any(one.body.get("stop") or one.body.get("stop_sequences") for one in asked)
    assert not any(b"cache_control" in one.raw for one in asked)
    text = transcript.path.read_text(encoding="utf-8")
    condensed = re.findall(r"%% condensed: steps=(\S+) stage=condense \| (.*)", text)
    assert condensed[0][1] == "It read src/part_1.py, then others, one after the other."
    assert condensed[1][1] == f"It read src/part_{condensed[1][0].rpartition('-')[2]}.py."
    told, second = list[str](), bench.open()
    run(bench.agent(second, again(text, told), SMALL, policy=ONLY))
    assert told == []
    assert [step.text for step in second.state.steps] == [s.text for s in transcript.state.steps]
