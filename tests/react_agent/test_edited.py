"""A transcript that a person has edited: a run goes on from whatever it says, or one line says why
not."""

import shutil
from collections.abc import Callable
from typing import Any

import pytest
from replies import DONE, LOOK, call, interrupt, noted
from title_patch import TITLE_PATCH

from react_agent.errors import TranscriptError
from react_agent.models.contract import View
from react_agent.parsers.transcript.writer import write_entry
from react_agent.runs.report import Outcome
from react_agent.state import transcript as transcripts
from react_agent.state.state import fold
from react_agent.state.steps import RETRACTED, Shown, compressed_event

TITLE = " title\nAction: apply_patch\nAction Input: " + TITLE_PATCH
Edit = Callable[[str], str]


# 1: a title; 2: a look; 3 and 4: a line each; 5: a look
STEPS = (
    TITLE,
    LOOK,
    call("run", "echo a >> new.txt", "three"),
    call("run", "echo b >> new.txt", "four"),
    LOOK,
)
SEE = call("run", "head -1 README.md; cat new.txt")


def parts(text: str) -> tuple[str, list[str], str]:
    """What stands before the first step, the steps, and what stands behind the last."""
    head, *steps = text.split("\nThought: ")
    *others, last = steps
    last, _, end = last.partition("%% stop")
    return (
        head + "\n",
        [f"Thought: {step}\n" for step in others] + [f"Thought: {last}"],
        (f"%% stop{end}" if end else ""),
    )


def without(*numbers: int) -> Edit:
    def edit(text: str) -> str:
        head, steps, end = parts(text)
        return head + "".join(s for n, s in enumerate(steps, 1) if n not in numbers) + end

    return edit


def said(step: int, old: str, new: str) -> Edit:
    """Other words in that step."""

    def edit(text: str) -> str:
        head, steps, end = parts(text)
        assert old in steps[step - 1]
        steps[step - 1] = steps[step - 1].replace(old, new)
        return head + "".join(steps) + end

    return edit


def behind(step: int, lines: str) -> Edit:
    def edit(text: str) -> str:
        head, steps, end = parts(text)
        return head + "".join(steps[:step]) + lines + "".join(steps[step:]) + end

    return edit


def without_lines(start: str) -> Edit:
    def edit(text: str) -> str:
        return "\n".join(line for line in text.split("\n") if not line.startswith(start))

    return edit


def windows(text: str) -> str:
    return "\ufeff" + text.replace("\n", "\r\n")


def cut_in(step: int, before: str) -> Edit:
    def edit(text: str) -> str:
        head, steps, _ = parts(text)
        last = steps[step - 1]
        return head + "".join(steps[: step - 1]) + last[: last.index(before)]

    return edit


def retracted(*numbers: int) -> str:
    return write_entry(compressed_event(RETRACTED, numbers, "a dead end", by="me"))


BY_HAND = """\
Thought: by hand
Action: run
Action Input: echo hand >> new.txt
Observation: exit code 0
"""


EDITS = {
    "the last two": (without(4, 5), "# Stopwatch\na", []),
    "a command in the middle": (
        without(3),
        "# Stopwatch\nb",
        ["step 3 now leaves different files than before"],
    ),
    "a step by hand, in the middle": (
        behind(3, BY_HAND),
        "# Stopwatch\na\nhand\nb",
        [
            "step 4 was repeated: the transcript does not record its files",
            "step 5 now leaves different files than before",
        ],
    ),
    "no line of a step": (
        without_lines("%% step"),
        "# Stopwatch\na\nb",
        [f"step {n} was repeated: the transcript does not record its files" for n in (1, 3, 4)],
    ),
    "an editor of Windows": (windows, "# Stopwatch\na\nb", []),
    "half a turn": (
        cut_in(4, "%% turn"),
        "# Stopwatch\na",
        ["the last entry of the transcript was incomplete: it is kept as %% torn"],
    ),
    "a turn and no more": (cut_in(4, "Observation"), "# Stopwatch\na\nb", []),
    "the last taken back": (behind(5, retracted(3, 4)), "# Stopwatch", []),
    "a middle one taken back": (
        behind(5, retracted(3)),
        "# Stopwatch\nb",
        ["step 4 now leaves different files than before"],
    ),
    "left out before what is taken back by its number": (
        lambda text: without(2)(behind(5, retracted(3, 4))(text)),
        "# Stopwatch",
        [],
    ),
}


@pytest.mark.parametrize(("edit", "files", "told"), EDITS.values(), ids=EDITS)
@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.slow  # each a whole run and a half
def test_goes_on(desk: Any, edit: Edit, files: str, told: list[str], kept: bool) -> None:
    broken = desk.solve(*STEPS, interrupt)
    edited(broken, edit)
    if not kept:
        shutil.rmtree(broken.folder.workspace)
    assert (shown(desk.take_up(broken.folder, SEE, interrupt)), desk.told) == (files, told)
    desk.told.clear()
    last = desk.take_up(broken.folder, SEE, DONE)
    assert (shown(last), desk.told) == (files, [])
    assert last.is_success is files.startswith("# Stopwatch")


def edited(broken: Outcome, edit: Edit) -> None:
    path = broken.folder.transcript
    path.write_bytes(edit(path.read_text()).encode())


def shown(outcome: Outcome) -> str:
    """What the step that looks at the files has seen."""
    seen = next(
        s.seen.text for s in reversed(outcome.state.steps) if "head -1" in s.said.turn.input
    )
    lines = [line for line in seen.split("\n") if not line.startswith(("exit code", "cat: "))]
    return "\n".join(lines)


def test_another_input_is_done_again(desk: Any) -> None:
    broken = desk.solve(*STEPS, interrupt)
    edited(broken, said(3, "echo a >>", "echo z >>"))
    shutil.rmtree(broken.folder.workspace)
    assert shown(desk.take_up(broken.folder, SEE, interrupt)) == "# Stopwatch\nz\nb"


def test_the_model_is_told_that_files_are_other_than_it_saw(desk: Any) -> None:
    broken = desk.solve(*STEPS, interrupt)
    edited(broken, without(3))
    state = desk.take_up(broken.folder, interrupt).state
    told = [step.number for step in state.steps if "(repeated later" in step.text]
    assert desk.told == [f"step {number} now leaves different files than before" for number in told]
    assert told
    assert (
        state.prompt_tokens
        == fold(transcripts.read(broken.folder.transcript).entries).prompt_tokens
    )


def test_what_is_left_out_of_the_prompt_is_still_the_same_step(desk: Any) -> None:
    broken = desk.solve(*STEPS, interrupt)
    event = compressed_event("shelved", [3])
    edited(broken, lambda text: without(2)(behind(5, write_entry(event))(text)))
    state = desk.take_up(broken.folder, LOOK, interrupt).state
    hidden = [step.said.turn.thought for step in state.steps if step.shown is Shown.SHELVED]
    assert hidden == ["three"]


def test_a_misspelled_label_is_one_line(desk: Any) -> None:
    broken = desk.solve(*STEPS, interrupt)
    edited(broken, said(3, "Thought:", "Thougt:"))
    before = broken.folder.transcript.read_bytes()
    with pytest.raises(TranscriptError) as caught:
        desk.take_up(broken.folder, DONE)
    number = before.partition(b"\nThougt:")[0].count(b"\n") + 2
    assert f"transcript.txt: line {number}: expected a label or `%%` at" in str(caught.value)
    assert broken.folder.transcript.read_bytes() == before


def test_an_observation_that_no_action_asked_for_is_told(desk: Any) -> None:
    broken = desk.solve(*STEPS, interrupt)
    edited(broken, behind(2, "Observation: more\nof it\n"))
    assert shown(desk.take_up(broken.folder, SEE, interrupt)) == "# Stopwatch\na\nb"
    assert desk.told == ["an Observation that no Action asked for is not used: more"]


def test_what_is_shown_is_what_it_says(desk: Any) -> None:
    prompts: list[View] = []
    look = noted(prompts, DONE)

    broken = desk.solve(*STEPS, interrupt)
    edited(broken, said(3, "Thought: three", "Thought: what I would have thought"))
    edited(broken, said(4, "echo b", "echo B"))
    edited(broken, without(2))
    desk.take_up(broken.folder, look)
    assert [turn.split("\n")[0] for turn in prompts[0].turns] == [
        *("Thought: title", "Thought: what I would have thought", "Thought: four", "Thought: look")
    ]
    assert "Action Input: echo B >> new.txt\n" in prompts[0].turns[2]


def test_two_sub_agents_have_two_transcripts_whatever_a_person_left_out(desk: Any) -> None:
    """The second is step 3 as the first was, before a step was left out."""
    ask = call("update_file", "README.md\nAs it should be.")
    changed = " done\nConclusion: it is changed"
    outcome = desk.solve(LOOK, LOOK, ask, TITLE, changed, interrupt)
    edited(outcome, without(1))
    other = TITLE.replace("-# stopwatch\n+# Stopwatch", "-# Stopwatch\n+# STOPWATCH")
    outcome = desk.take_up(outcome.folder, ask, other, changed, interrupt)
    shutil.rmtree(outcome.folder.workspace)
    outcome = desk.take_up(outcome.folder, SEE, DONE)
    assert "# STOPWATCH" in outcome.state.steps[-1].seen.text
    assert [s.seen.facts.get("sub") for s in outcome.state.steps[1:3]] == ["sub/003", "sub/004"]
