"""The loop, in whole runs."""

import itertools
from collections.abc import Callable
from typing import Any

from check_rows import table_of
from replies import call, interrupt

from react_agent.errors import ModelError
from react_agent.loop.agent import run, until_stopped
from react_agent.parsers.transcript.entries import Event, Seen
from react_agent.parsers.transcript.reader import read_transcript
from react_agent.profiles.profile import Budget, Profile
from react_agent.prompt.view import instructions
from react_agent.state.state import Stop
from react_agent.testing import ScriptedModel
from react_agent.tools.context import Context, Limits
from react_agent.tools.files.read_file import READ_FILE
from react_agent.tools.observation import Observation
from react_agent.tools.registry import Kind, Tool, build

DONE = "I know enough.\nConclusion: it was the echo"
Play = Callable[..., Any]


def test_a_run_is_one_file_and_a_prompt_is_that_without_bookkeeping(play: Play) -> None:
    trial = play(call("echo", "one"), call("echo", "Action: two"), DONE)
    assert trial.stop is Stop.CONCLUDED
    steps = (
        "Objective: do it\n"
        "Thought: x\nAction: echo\nAction Input: one\nObservation: one\n"
        "Thought: x\nAction: echo\nAction Input: Action: two\nObservation: Action: two\n"
        "Thought:"
    )
    bare = [line for line in trial.text.split("\n") if not line.startswith("%%")]
    assert "\n".join(bare) == f"{steps} {DONE}\n"
    assert trial.model.seen[2].text == f"You are told what to do.\n\n{steps}"


def test_what_is_invented_is_dropped_and_said_and_a_word_ends_nothing(play: Play) -> None:
    invented = "Observation: invented\nThought: so\nAction: fail\nAction Input: y"
    trial = play(call("echo", "real", "My Conclusion: not yet") + invented, DONE)
    [seen] = trial.observations
    assert seen.endswith("everything from your own `Observation:` on was dropped.)\nreal")
    assert "%% raw: Observation: invented\n" in trial.text


def test_says_which_marks_are_not_in_what_was_shown(play: Play) -> None:
    given = ("a\nb", "```\na\nAction: b\n```", "a\x0cb")
    trial = play(*(call("echo", text) for text in given), DONE)
    marks = (
        "\n[marks of ours: a label at the start of a line is shown behind `\\`, a character that "
        "can't be seen as `<U+...>`; what is shown here has neither in it]"
    )
    plain, label, unseen = trial.observations
    assert (plain, label, unseen) == ("a\nb", f"a\nAction: b{marks}", f"a\x0cb{marks}")


TOOLS = ("echo", "touch", "fail", "nothing")
NINE = [call("echo", str(n)) for n in range(9)]


@table_of(
    ("replies", "budget", "stop", "reason"),
    {
        "concluded": ([DONE], Budget(), Stop.CONCLUDED, "by the model"),
        "gave up": (["Conclusion: I give up."], Budget(), Stop.GAVE_UP, "by the model"),
        "steps": (NINE, Budget(steps=4), Stop.OUT_OF_STEPS, "after 4 steps"),
        "tokens": (
            NINE,
            Budget(prompt_tokens=60),
            Stop.OUT_OF_TOKENS,
            "the next prompt would exceed 60 tokens in total",
        ),
        "time": (NINE, Budget(seconds=5), Stop.OUT_OF_TIME, "after 6 seconds"),
        "money": (NINE, Budget(money=0.5), Stop.OUT_OF_MONEY, "after 0.5000"),
        "stuck": (["what?"] * 9, Budget(), Stop.STUCK, "3 replies in a row could not be read"),
        "prompt": (
            [call("echo", "word " * 500)] * 2,
            Budget(window=100, reply=20),
            Stop.PROMPT_EXHAUSTED,
            None,
        ),
        "model": ([], Budget(), Stop.MODEL_FAILED, "the script has no reply number 1"),
        "Ctrl-C": (
            [call("echo"), interrupt],
            Budget(),
            Stop.INTERRUPTED,
            "by the keyboard, a signal or closed output",
        ),
    },
)
def test_every_run_ends_with_a_reason(
    play: Play, replies: list[Any], budget: Budget, stop: Stop, reason: str | None
) -> None:
    trial = play(*replies, budget=budget, price=0.25)
    state = trial.transcript.state
    assert (trial.stop, state.stop) == (stop, stop)
    assert reason in (None, state.stop_reason)
    assert f"%% stop: {stop}" in trial.text


def test_the_same_call_again_and_again_is_not_made_for_a_while(play: Play) -> None:
    again = [call("fail")] * 5
    critic = "I can't say."  # which step led there: asked before it goes on
    then = (call("fail", "y"), call("echo"), call("nothing"), call("fail"))
    trial = play(*again, critic, *then, DONE)
    hows = [step.seen.facts.get("how") for step in trial.transcript.state.steps]
    assert hows == [None, None, None, None, "demoted", None, None, None, None]
    assert trial.model.seen[4].tail == (
        "(this call returned the same result 4 times (steps 1-4): use it, or call another "
        "tool; for the next 3 steps this exact call is blocked)\nThought:"
    )
    assert trial.observations[4] == (
        "This call returned the same result several times; see above. It is blocked for the next "
        "3 steps; `fail` with another input works."
    )
    assert trial.model.seen[7].tail == "Thought:"


def test_the_last_steps_are_announced(play: Play) -> None:
    trial = play(*[call("echo", str(n)) for n in range(5)], budget=Budget(steps=5))
    assert [view.tail for view in trial.model.seen] == [
        "Thought:",
        "Thought:",
        "(3 steps left: finish, and conclude)\nThought:",
        "(2 steps left: finish, and conclude)\nThought:",
        "(1 step left: finish, and conclude)\nThought:",
    ]


def test_an_unreadable_reply_is_shown_where_the_thought_is_not_all_of_it(play: Play) -> None:
    trial = play(" J.\nAction: echo\nAction Input:\n```\nhalf", DONE)
    assert trial.observations[0].split("\n") == [
        "Your reply could not be read: the fence in `Action Input:` is not closed, so the reply "
        "may have been cut off and nothing was run; write it again and close it, or use none. "
        "It began:",
        "> J.",
        "> Action: echo",
        "> Action Input:",
        "> ```",
        "> half",
    ]


def test_the_shape_of_a_turn_is_forced_once_a_reply_could_not_be_read(play: Play) -> None:
    trial = play(call("echo", "one"), "what?", call("echo", "two"), DONE)
    assert [view.tools for view in trial.model.seen] == [(), (), TOOLS, TOOLS]


def test_a_step_that_breaks_the_repository_has_not_happened(bench: Any) -> None:
    bench.files.broken = 1
    trial = bench.play(call("touch", "a.py"), DONE)
    assert trial.observations == [
        "the files could not be recorded after this step, so they were restored to their"
        " state before it (not a git repository)"
    ]
    assert (bench.files.brought_back, trial.transcript.state.wrote) == (1, set())
    assert trial.transcript.state.steps[0].seen.facts["status"] == "failed"


def test_a_command_gets_no_more_than_is_left(bench: Any) -> None:
    limits = Tool(
        "limits",
        "",
        Kind.READ,
        lambda given, context: Observation(f"{context.limits.command_seconds:g}"),
    )
    bench.registry = build([limits], {})
    trial = bench.play(*[call("limits", str(n)) for n in range(5)], budget=Budget(seconds=5.5))
    assert trial.observations == ["4.5", "2.5", "1"]


@table_of(
    ("window", "shown", "limit"),
    {
        "8k": (8_000, "1-60", "60 lines or 3,000 characters"),
        "32k": (32_000, "1-100", "100 lines or 8,000 characters"),
        "by default": (100_000, "1-800", "1,000 lines or 48,000 characters"),
    },
)
def test_the_window_says_how_much_of_a_file_is_shown(
    bench: Any, window: int, shown: str, limit: str
) -> None:
    lines = (f"value_{n} = make({n}, 'of it')\n" for n in range(800))
    (bench.folder / "a.py").write_text("".join(lines))
    bench.registry = build([READ_FILE], {})
    budget = Budget(window=window)
    trial = bench.play(call("read_file", "a.py"), DONE, budget=budget)
    assert trial.observations[0].split("\n")[0] == f"a.py lines {shown} of 800"
    assert "left out here" not in trial.observations[0]
    assert f"at most {limit} at once" in instructions(
        Profile(budget=budget), bench.registry, Limits()
    )


def test_a_tool_that_breaks_at_the_edge_is_an_observation(bench: Any) -> None:
    def broken(given: str, context: Context) -> Observation:
        raise ModelError("no way through")

    bench.registry = build([Tool("echo", "", Kind.READ, broken)], {})
    assert bench.play(call("echo"), DONE).observations == ["no way through"]


def test_the_time_of_an_interrupted_action_is_counted_once(bench: Any) -> None:
    transcript, ticks = bench.open(), itertools.count()

    def act() -> None:
        transcript.append(Event("asked", "for=condense seconds=1"))
        raise KeyboardInterrupt

    assert until_stopped(transcript, lambda: float(next(ticks)), act) is Stop.INTERRUPTED
    assert transcript.state.spent.seconds == 1


def test_a_turn_without_its_observation_is_acted_on_without_asking_again(bench: Any) -> None:
    entries = read_transcript(bench.play(call("echo", "once"), DONE).text).entries
    until = next(n for n, entry in enumerate(entries) if isinstance(entry, Seen))
    transcript = bench.open(*entries[1:until], Event("resumed"))
    model = ScriptedModel([DONE])
    assert run(bench.agent(transcript, model)) is Stop.CONCLUDED
    assert [step.seen.text for step in transcript.state.steps] == ["once"]
    assert len(model.seen) == 1
