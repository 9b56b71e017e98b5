"""A run looks back: by words, by numbers, and after it was broken off."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from back_profile import PROFILE
from by_hand import save
from check_rows import EachRow
from replies import DONE, call, replaced

from react_agent.loop.agent import run
from react_agent.runs.run_setup import begin
from react_agent.state.state import State, Stop
from react_agent.tools.observation import Observation

READ = " what is it about\nAction: read_file\nAction Input: README.md\n"
LIST = " which files are there\nAction: list_files\nAction Input:\n"
LINES = "the port is 8443\n" + "".join(f"line {n} {'x' * 90}\n" for n in range(1, 200))
Call = Callable[[str], Observation]
Recall = Callable[..., tuple[Call, State]]


@pytest.fixture(autouse=True)
def _back(desk: Any) -> None:
    """A profile that offers `recall`."""
    desk.profiles.joinpath("back.cfg").write_text(PROFILE)


def _played(desk: Any, *replies: str) -> Any:
    outcome = desk.solve(*replies, profile="back")
    assert outcome.stop is Stop.CONCLUDED
    return outcome.state


@pytest.fixture
def recall(desk: Any) -> Iterator[Recall]:
    """Calls of the tool in a run of three steps, of which the first read a file."""
    save(desk.repository, {"long.txt": LINES})
    with ExitStack() as undo:

        def begun(path: str = "README.md") -> tuple[Call, State]:
            read = READ.replace("README.md", path)
            opened = begin(desk.request(profile="back"), desk.around(read, LIST, LIST))
            undo.callback(opened.transcript.close)
            undo.callback(opened.close)
            run(opened.agent)
            agent = opened.agent

            def call(given: str) -> Observation:
                return agent.registry.call("recall", given, agent.context).observation

            return call, opened.transcript.state

        yield begun


ANSWERS = {
    "words": (
        "adding durations up",
        "ok",
        "step 1, 3 steps ago: read_file README.md\n"
        "     3| Adds up durations as people write them.\n"
        "[to see all that a step showed, write its number: 1; for some of its lines: 1:1-41]",
    ),
    "a word more": ("durations zebra", "ok", "; not found in any step: zebra]"),
    "no such word": (
        "zebra",
        "empty",
        "no earlier step contains any of these words: there are steps 1 to 3; "
        "not found in any step: zebra",
    ),
    "it stands above": ("3", "empty", "step 3 is still shown above in full: list_files"),
    "a line of what stands above": ("3:1-1", "ok", "\nlines 1 to 1 o"),
    "no step": ("99", "failed", "there is no step 99: there are steps 1 to 3"),
    "no line": ("1:5000", "failed", "step 1 showed "),
    "no question": ('{"top": 1}', "failed", "nothing to search for: "),
}


def test_what_it_answers(recall: Recall, each_row: EachRow) -> None:
    call, state = recall()

    def check(row: tuple[str, str, str]) -> None:
        given, status, expected = row
        answer = call(given)
        assert (answer.status, expected in answer.text) == (status, True), answer.text

    each_row(ANSWERS.items(), check)
    head, thought, told, shown = call("1").text.split("\n", 3)
    assert head == "step 1, 3 steps ago: read_file README.md"
    assert (thought, told) == ("your thought then was: what is it about", "it showed:")
    assert shown == state.steps[0].seen.text
    lines = call("1:3-4").text.split("\n")
    assert lines[2].startswith("lines 3 to 4 of the ")
    assert lines[4] == "   3| Adds up durations as people write them."
    assert lines[5] == "[2 lines above: 1:1-2]"
    assert lines[6].startswith("[") and " below: 1:5-" in lines[6]


def test_a_long_step_is_shown_in_parts(recall: Recall) -> None:
    call, state = recall("long.txt")
    text = call("1").text
    assert len(text) <= 16_000
    note = text.split("\n")[-1]
    assert " below: 1:" in note
    start = note.rpartition(":")[2].rstrip("]")
    *_, told = call(f"1:{start}").text.partition(" that it showed:\n")
    rest, above = told.rsplit("\n", 1)
    first = int(start.partition("-")[0])
    assert rest.split("\n") == state.steps[0].seen.text.split("\n")[first - 1 :]
    assert above == f"[{first - 1} lines above: 1:1-{first - 1}]"
    assert call("8443").text == "there is no step 8443: there are steps 1 to 3"


def test_what_a_later_step_changed_is_said_to_be_old(desk: Any) -> None:
    change = replaced("README.md", "Adds up", "Sums up")
    state = _played(
        desk, READ, change, LIST, call("recall", "adding up"), call("recall", "1"), DONE
    )
    by_words, by_number = (step.seen.text for step in state.steps[3:])
    assert "step 1, 3 steps ago, changed since in step 2: read_file README.md" in by_words
    assert by_number.startswith("step 1, 4 steps ago, changed since in step 2: read_file")


def test_there_is_nothing_to_find_at_first(desk: Any) -> None:
    [step] = _played(desk, call("recall", "durations"), DONE).steps
    assert step.seen.text == "there is nothing to recall yet: no earlier step exists"


def test_a_resumed_run_remembers(desk: Any) -> None:
    broken = desk.solve(READ, LIST, profile="back")
    assert broken.stop is Stop.MODEL_FAILED
    outcome = desk.take_up(broken.folder, call("recall", "durations"), DONE)
    assert outcome.state.steps[2].seen.text.startswith("step 1, 2 steps ago: read_file README.md")


def test_what_a_thought_names_comes_by_itself_while_it_holds(desk: Any) -> None:
    change = replaced("README.md", "Adds up", "Sums up", "README.md is old")
    again = LIST.replace("which files are there", "what of the durations in README.md")
    outcome = desk.solve(READ, LIST, again, change, again, again, DONE, profile="back")
    text = outcome.folder.transcript.read_text("utf-8")
    before, _, after = text.partition("Thought: README.md is old")
    assert "%% recalled: step 1, README.md line 3: Adds up durations" in before
    assert "%% recalled: step 1" not in after
