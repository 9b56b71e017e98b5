"""Conversations: several lines on one transcript, taken back, tested, resumed, replayed, forked."""

from dataclasses import replace
from typing import Any

import pytest
from check_rows import table_of
from replies import DONE, LOOK, READ, interrupt, noted
from replies import TITLE as CHANGE
from walking import PAIR

from react_agent.errors import ReactAgentError, UsageError
from react_agent.issue_to_pr.pull_request import prepared
from react_agent.issue_to_pr.target import Target, target_event
from react_agent.models.contract import View
from react_agent.parsers.settings.procedure import read_procedure
from react_agent.parsers.transcript.entries import Event
from react_agent.runs.run_folder import find, glance
from react_agent.runs.solve import Conversation, Fork, Otherwise, fork
from react_agent.state import transcript as transcripts
from react_agent.state.state import Stop
from react_agent.tools.context import Context
from react_agent.tools.observation import Observation
from react_agent.tools.registry import Kind, Tool

TARGET = Target("https://h/o/n.git", "main", "b", way=("dry",))
VERIFIED = " p\nAction: modify_task\nAction Input: 0 verified"
ADD = " a file\nAction: write_file\nAction Input: notes.md\nx\n"
ANSWER = " known\nConclusion: it adds up durations"


def talk(desk: Any, *replies: Any, **options: Any) -> Conversation:
    return Conversation(desk.request(**options), desk.around(*replies))


def title(desk: Any, talking: Conversation) -> str:
    assert talking.folder is not None
    return (talking.folder.workspace / "README.md").read_text().split("\n")[0]


def test_a_line_goes_on_after_the_last_answer(desk: Any) -> None:
    shown: list[View] = []
    look = noted(shown, DONE)

    talking = talk(desk, LOOK, ANSWER, CHANGE, look)
    assert talking.say("what does it do?") is Stop.CONCLUDED
    assert talking.say("Begin the title with a capital.\nAction: none") is Stop.CONCLUDED
    assert title(desk, talking) == "# Stopwatch"
    [view] = shown
    assert view.task == "Objective: what does it do?\n"
    assert view.turns[1] == (
        "Thought: known\nConclusion: it adds up durations\n"
        "Observation: (The maintainer has read this.)\n"
        "(from the maintainer: Begin the title with a capital.\n  \\Action: none)\n"
    )
    assert b"+# Stopwatch" in talking.patch()
    talking.close()


def test_each_line_is_answered_whatever_came_before(desk: Any) -> None:
    unread = [" and so on"] * 3
    talking = talk(desk, LOOK, *[ANSWER] * 8, *unread, ANSWER)
    for number in range(8):
        assert talking.say(f"question {number}") is Stop.CONCLUDED
    assert talking.say("and now?") is Stop.STUCK
    assert talking.say("again?") is Stop.CONCLUDED
    talking.close()


@table_of(
    ("profile", "replies"),
    {
        "a closed plan": ("planner", [ADD, VERIFIED, VERIFIED, LOOK, DONE]),
        "the change of a single shot": ("single-shot", [CHANGE, LOOK, DONE]),
    },
)
def test_a_line_is_answered_behind(desk: Any, profile: str, replies: list[str]) -> None:
    talking = talk(desk, *replies, profile=profile)
    assert talking.say("change it") is Stop.CONCLUDED
    before = len(talking.state.steps)
    talking.say("and look")
    assert len(talking.state.steps) > before
    talking.close()


def test_what_a_line_names_belongs_to_the_change_and_to_its_description(desk: Any) -> None:
    shown: list[View] = []
    describe = noted(shown, "Subject: Add a draft")

    add = ADD.replace("notes.md", "scratch.py")
    talking = talk(desk, ANSWER, add, DONE, describe, also=(target_event(TARGET),))
    for line in ("what does it do?", "add scratch.py"):
        talking.say(line)
    assert b"scratch.py" in talking.patch()
    assert "draft" in talking.finish(publish=True).subject
    assert "(from the maintainer: add scratch.py)" in shown[0].task


def test_it_holds_as_a_run(desk: Any) -> None:
    talking = talk(desk, ANSWER, CHANGE, DONE, LOOK, DONE)
    for line in ("what does it do?", "a capital", "and now?"):
        talking.say(line)
    talking.close()
    folder = talking.folder
    assert folder is not None
    assert glance(folder).outcome == "concluded"

    replayed = desk.replay(folder)
    assert (desk.told, replayed.stop) == ([], Stop.CONCLUDED)
    assert len(replayed.state.steps) == len(talking.state.steps)

    forked = fork(Fork(folder, 1), desk.around(DONE), Otherwise(), keep=False)
    assert (forked.stop, forked.branch) == (Stop.CONCLUDED, "")

    ended = desk.take_up(folder)
    assert desk.git("show", f"{ended.branch}:README.md").startswith("# Stopwatch")


def test_a_replay_goes_on_where_a_line_followed_a_giving_up(desk: Any) -> None:
    talking = talk(desk, ANSWER.replace("it adds", "I give up because it adds"), LOOK, DONE)
    assert [talking.say(line) for line in ("what?", "look")] == [Stop.GAVE_UP, Stop.CONCLUDED]
    talking.close()
    replayed = desk.replay(talking.folder)
    assert (replayed.stop, len(replayed.state.steps)) == (Stop.CONCLUDED, 2)


def test_what_followed_a_line_can_be_taken_back(desk: Any) -> None:
    shown: list[View] = []
    look = noted(shown, DONE)

    talking = talk(desk, ANSWER, CHANGE, DONE, look)
    talking.say("what does it do?")
    talking.say("a capital")
    assert talking.undo() == (2, 3)
    assert (title(desk, talking), talking.patch()) == ("# stopwatch", b"")
    talking.say("leave it")
    view = shown[-1]
    assert view.turns[1:] == ("(from the maintainer: leave it)\n",)
    assert "dead end, taken back: the maintainer undid everything after this" in view.tail
    assert talking.undo() == (4,)
    talking.close()
    assert talking.undo() == (1,)
    with pytest.raises(UsageError, match="nothing to undo"):
        talking.undo()
    talking.close()
    assert talking.folder is not None
    assert (desk.replay(talking.folder).stop, desk.told) == (Stop.CONCLUDED, [])


def test_a_run_that_is_only_looked_at_stays_as_it_was(desk: Any) -> None:
    ended = desk.solve(CHANGE, DONE)
    talking = Conversation(desk.request(), desk.around(), ended.folder)
    assert b"+# Stopwatch" in talking.patch()
    talking.close()
    assert talking.finish(publish=False).stop is Stop.CONCLUDED
    assert ended.branch in ended.folder.report.read_text()
    assert glance(ended.folder).outcome == "concluded"
    assert prepared(ended.folder).refused == ()
    assert talking.state.spent.unknown == 0
    assert talking.undo() == (1, 2)
    talking.close()
    assert not talking.is_broken_off()
    assert prepared(ended.folder).refused == (
        f"the run has not made its branch yet: react-agent resume {ended.folder.path.name}",
    )


def test_a_branch_in_between(desk: Any) -> None:
    talking = talk(desk, CHANGE, DONE, ADD, DONE)
    talking.say("a capital")
    assert talking.finish(publish=False).tests == "passed"
    first = talking.finish(publish=True)
    assert desk.git("diff", "--name-only", "main", first.branch) == "README.md"
    assert talking.say("and notes") is Stop.CONCLUDED
    second = talking.finish(publish=True)
    assert desk.git("diff", "--name-only", "main", second.branch) == "README.md\nnotes.md"
    assert desk.told == []


def test_a_branch_behind_an_undo_is_described_anew(desk: Any) -> None:
    described = ("Subject: Add notes", "Subject: Write a capital")
    talking = talk(desk, CHANGE, DONE, ADD, DONE, *described, also=(target_event(TARGET),))
    for line in ("a capital", "and notes"):
        talking.say(line)
    assert "notes" in talking.finish(publish=True).subject
    talking.undo()
    assert "capital" in talking.finish(publish=True).subject


def test_each_line_has_the_limits_of_a_run(desk: Any) -> None:
    talking = talk(desk, LOOK, LOOK, LOOK, LOOK, DONE, budget={"steps": "2"})
    assert talking.say("look around") is Stop.OUT_OF_STEPS
    assert talking.say("go on") is Stop.OUT_OF_STEPS
    talking.close()
    assert talking.say("go on") is Stop.CONCLUDED
    assert len(talking.state.steps) == 4
    talking.close()


def test_each_line_has_the_limits_of_a_procedure(desk: Any) -> None:
    turns = (LOOK, READ, LOOK, ANSWER, LOOK, ANSWER)
    procedure = read_procedure(PAIR)
    talking = talk(desk, *turns, *turns, procedure=procedure, budget={"steps": "5"})
    for line in ("look", "and again"):
        assert talking.say(line) is Stop.CONCLUDED
    talking.close()


def test_an_interrupted_step_is_not_carried_out(desk: Any) -> None:
    talking = talk(desk, CHANGE, interrupt, LOOK, DONE)
    assert talking.say("a capital") is Stop.INTERRUPTED
    assert talking.say("rather look") is Stop.CONCLUDED
    assert len(talking.state.steps) == 2
    talking.close()


def test_what_an_interrupted_step_left_is_no_part_of_the_change(desk: Any) -> None:
    def half(given: str, context: Context) -> Observation:
        (context.root / "README.md").write_text(given)
        raise KeyboardInterrupt

    around = desk.around(" p\nAction: half\nAction Input: x\n", DONE)
    tool = Tool("half", "do half of it; input: a word", Kind.WRITE, half)
    talking = Conversation(desk.request(), replace(around, tools=(tool,)))
    assert talking.say("begin") is Stop.INTERRUPTED
    assert (talking.patch(), title(desk, talking)) == (b"", "# stopwatch")
    assert talking.say("leave it") is Stop.CONCLUDED
    talking.close()


class Killed(BaseException):
    """As if the process were gone: nothing of ours handles it."""


def test_killed_in_mid_step_it_goes_on(desk: Any) -> None:
    def kill(view: View) -> str:
        raise Killed

    talking = talk(desk, ANSWER, CHANGE, kill)
    talking.say("what does it do?")
    with pytest.raises(Killed):
        talking.say("a capital")
    talking.close()
    folder = find(desk.folder / "runs", str(talking.folder.path))  # type: ignore[union-attr]
    taken_up = Conversation(desk.request(), desk.around(DONE), folder)
    assert taken_up.is_broken_off()
    assert taken_up.finish_answer() is Stop.CONCLUDED
    assert not taken_up.is_broken_off()
    assert title(desk, taken_up) == "# Stopwatch"
    taken_up.close()


def test_another_model(desk: Any) -> None:
    talking = talk(desk, ANSWER, DONE)
    talking.say("what does it do?")
    assert talking.folder is not None
    recorded = desk.folder / "recorded.txt"
    recorded.write_text(talking.folder.transcript.read_text())
    with pytest.raises(ReactAgentError):
        talking.use("replay/nowhere")
    talking.use(f"replay/{recorded}")
    models = [
        e.text
        for e in transcripts.read(talking.folder.transcript).entries
        if isinstance(e, Event) and e.name == "model"
    ]
    assert models == ["script", f"replay/{recorded}"]
    talking.close()


def test_another_model_has_limits_of_its_own(desk: Any) -> None:
    desk.profiles.joinpath("issue.cfg").write_text(
        "[profile]\nbased on = issue\ngate = off\n[model deep budget]\nreply = 777\n"
    )
    desk.settings["models"] = {"script": {"spec": "openai/deep"}}
    talking = talk(desk, ANSWER, model="script first")
    talking.say("what does it do?")
    assert " reply=4000 " in talking.state.header["limits"]
    talking.use("script")
    assert " reply=777 " in talking.state.header["limits"]
    talking.close()


def test_before_anything_was_said(desk: Any) -> None:
    for action in ("undo", "patch"):
        with pytest.raises(UsageError, match="the conversation is empty"):
            getattr(talk(desk), action)()
