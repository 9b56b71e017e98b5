"""A run looks back: by words, by numbers, and after it was broken off."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from replies import DONE

from react_agent.runs.commands import Surroundings
from react_agent.runs.solve import Otherwise, resume, solve
from react_agent.state.state import State, Stop

PROFILE = """[profile]
name = {name}
summary = a run that may look back
tools = {tools}
guards = budget malformed stuck history remind

[budget]
steps = 30

[compress]
history = 1

[prompt]
role = You look back.
opening = Tools:
format = Thought, {{tools}}
"""
WRITING = "read_file list_files recall replace"
READ = " what is it about\nAction: read_file\nAction Input: README.md\n"
LIST = " which files are there\nAction: list_files\nAction Input:\n"
Looking = Callable[..., Surroundings]


@pytest.fixture
def looking(desk: Any) -> Looking:
    """The surroundings of a run whose profile offers `recall`."""

    def make(*replies: str, tools: str = "read_file list_files recall update_file") -> Surroundings:
        profiles = desk.folder / "profiles"
        profiles.mkdir(exist_ok=True)
        (profiles / "back.cfg").write_text(PROFILE.format(name="back", tools=tools))
        around: Surroundings = desk.around(*replies)
        return replace(around, settings=replace(around.settings, profiles=profiles))

    return make


def _recall(given: str) -> str:
    return f" look back\nAction: recall\nAction Input: {given}\n"


def _play(desk: Any, looking: Looking, *replies: str) -> State:
    return _played(desk, looking(*replies, DONE))


def _played(desk: Any, around: Surroundings) -> State:
    outcome = solve(desk.request(profile="back"), around)
    assert outcome.stop is Stop.CONCLUDED
    return outcome.state


def _answer(desk: Any, looking: Looking, given: str) -> tuple[str, str]:
    """To a call behind three steps, of which the first read a file."""
    state = _play(desk, looking, READ, LIST, LIST, _recall(given))
    seen = state.steps[3].seen
    return seen.text, seen.facts["status"]


@pytest.mark.parametrize(
    ("given", "status", "expected"),
    [
        pytest.param(
            "adding durations up",
            "ok",
            "step 1, 3 steps ago: read_file README.md\n"
            "     3| Adds up durations as people write them.\n"
            "[to see all that a step showed, write its number: 1; for some of its lines: 1:1-41]",
            id="words",
        ),
        pytest.param("durations zebra", "ok", "; not found in any step: zebra]", id="a word more"),
        pytest.param(
            "zebra",
            "empty",
            "no earlier step contains any of these words: there are steps 1 to 3; "
            "not found in any step: zebra",
            id="no such word",
        ),
        pytest.param(
            "3", "empty", "step 3 is still shown above in full: list_files", id="it stands above"
        ),
        pytest.param("3:1-1", "ok", "\nlines 1 to 1 o", id="a line of what stands above"),
        pytest.param("99", "failed", "there is no step 99: there are steps 1 to 3", id="no step"),
        pytest.param("1:5000", "failed", "step 1 showed ", id="no line"),
        pytest.param('{"top": 1}', "failed", "nothing to search for: ", id="no question"),
        pytest.param("1, 2, 99", "ok", "\n\nthere is no step 99: there are", id="some steps"),
    ],
)
def test_what_it_answers(
    desk: Any, looking: Looking, given: str, status: str, expected: str
) -> None:
    text, found = _answer(desk, looking, given)
    assert (found, expected in text) == (status, True), text


def test_what_a_later_step_changed_is_said_to_be_old(desk: Any, looking: Looking) -> None:
    change = (
        " change\nAction: replace\nAction Input: README.md\n<<<<<<< SEARCH\nAdds up\n=======\n"
        "Sums up\n>>>>>>> REPLACE\n"
    )
    around = looking(READ, change, LIST, _recall("adding up"), _recall("1"), DONE, tools=WRITING)
    by_words, by_number = (step.seen.text for step in _played(desk, around).steps[3:])
    assert "step 1, 3 steps ago, changed since in step 2: read_file README.md" in by_words
    assert by_number.startswith("step 1, 4 steps ago, changed since in step 2: read_file")


def test_a_number_brings_all_of_a_step(desk: Any, looking: Looking) -> None:
    state = _play(desk, looking, READ, LIST, _recall("1"))
    head, thought, told, shown = state.steps[2].seen.text.split("\n", 3)
    assert head == "step 1, 2 steps ago: read_file README.md"
    assert (thought, told) == ("your thought then was: what is it about", "it showed:")
    assert shown == state.steps[0].seen.text


def test_lines_say_what_stands_around_them(desk: Any, looking: Looking) -> None:
    text, _ = _answer(desk, looking, "1:3-4")
    lines = text.split("\n")
    assert lines[2].startswith("lines 3 to 4 of the ")
    assert lines[4] == "   3| Adds up durations as people write them."
    assert lines[5] == "[2 lines above: 1:1-2]"
    assert lines[6].startswith("[") and " below: 1:5-" in lines[6]


def test_there_is_nothing_to_find_at_first(desk: Any, looking: Looking) -> None:
    [step] = _play(desk, looking, _recall("durations")).steps
    assert step.seen.text == "there is nothing to recall yet: no earlier step exists"


def test_a_resumed_run_remembers(desk: Any, looking: Looking) -> None:
    broken = solve(desk.request(profile="back"), looking(READ, LIST))
    assert broken.stop is Stop.MODEL_FAILED
    around = looking(_recall("durations"), DONE)
    outcome = resume(broken.folder, around, Otherwise(), keep=False)
    assert outcome.state.steps[2].seen.text.startswith("step 1, 2 steps ago: read_file README.md")


def test_a_long_step_is_shown_in_parts(desk: Any, looking: Looking) -> None:
    desk.repository.joinpath("long.txt").write_text(
        "".join(f"line {number} {'x' * 90}\n" for number in range(1, 200))
    )
    desk.git("add", "--all")
    desk.git("commit", "-m", "Add lines")
    read = READ.replace("README.md", "long.txt")
    text = _play(desk, looking, read, LIST, LIST, _recall("1")).steps[3].seen.text
    assert len(text) <= 16_000
    note = text.split("\n")[-1]
    assert " below: 1:" in note
    start = note.rpartition(":")[2].rstrip("]")
    state = _play(desk, looking, read, LIST, LIST, _recall(f"1:{start}"))
    *_, told = state.steps[3].seen.text.partition(" that it showed:\n")
    rest, above = told.rsplit("\n", 1)
    first = int(start.partition("-")[0])
    assert rest.split("\n") == state.steps[0].seen.text.split("\n")[first - 1 :]
    assert above == f"[{first - 1} lines above: 1:1-{first - 1}]"


def test_a_number_that_is_no_step_is_looked_for(desk: Any, looking: Looking) -> None:
    desk.repository.joinpath("ports.txt").write_text("the port is 8443\n")
    desk.git("add", "--all")
    desk.git("commit", "-m", "Add a port")
    read = READ.replace("README.md", "ports.txt")
    text = _play(desk, looking, read, LIST, _recall("8443")).steps[2].seen.text
    first, head, *_ = text.split("\n")
    assert first == "there is no step 8443: there are steps 1 to 2; searched for it as a word:"
    assert head == "step 1, 2 steps ago: read_file ports.txt"


def test_what_a_thought_names_comes_by_itself_while_it_holds(desk: Any, looking: Looking) -> None:
    change = (
        " README.md is old\nAction: replace\nAction Input: README.md\n<<<<<<< SEARCH\nAdds up\n"
        "=======\nSums up\n>>>>>>> REPLACE\n"
    )
    again = LIST.replace("which files are there", "what of the durations in README.md")
    around = looking(READ, LIST, again, change, again, again, DONE, tools=WRITING)
    text = solve(desk.request(profile="back"), around).folder.transcript.read_text("utf-8")
    before, _, after = text.partition("Thought: README.md is old")
    assert "%% recalled: step 1, README.md line 3: Adds up durations" in before
    assert "%% recalled: step 1" not in after
