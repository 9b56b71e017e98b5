"""Calls as models write them, from the reply to the tool that runs: none is a mangled half."""

from pathlib import Path

from check_rows import EachRow, table_of

from react_agent.parsers.turn.turn import parse_turn
from react_agent.profiles.profile import Profile
from react_agent.profiles.profile_file import shipped
from react_agent.profiles.settings import Settings
from react_agent.profiles.toolbox import registry_for, with_settings
from react_agent.tools.context import Context
from react_agent.tools.observation import Observation
from react_agent.tools.registry import Registry, Tool, build

ROWS = Path(__file__).parents[1] / "scenarios" / "calls" / "issue.txt"


def pretending(tool: Tool) -> Tool:
    """A tool that only says what it was given."""

    def say(given: str, context: Context) -> Observation:
        return Observation(given)

    return Tool(tool.name, tool.usage, tool.kind, say, tool.needs_input)


def registry_of(profile: Profile) -> Registry:
    real = registry_for(profile)
    offered = [pretending(tool) for tool in real.visible.values()]
    return build(offered, profile.hidden, [pretending(tool) for tool in real.unoffered.values()])


@table_of("name", ["issue", "planner", "small", "monologue", "turn"])
def test_an_editor_is_answered_with_what_changes_a_file(name: str) -> None:
    registry = registry_of(with_settings(shipped(name), Settings()))
    said = "Editors can't be used here: there is no keyboard input. Change x.py with `replace`."
    assert registry.call("vim", "x.py", Context(Path("/nonexistent"))).observation.text == said


def rows() -> list[list[str]]:
    lines = ROWS.read_text(encoding="utf-8").split("\n")
    return [
        [cell.strip().replace(r"\|", "|").replace(r"\n", "\n") for cell in line.split(" | ")]
        for line in lines
        if line and not line.startswith("#")
    ]


def test_what_is_run_or_answered(each_row: EachRow) -> None:
    registry = registry_of(with_settings(shipped("issue"), Settings()))
    names, bare = registry.names, registry.names_without_input

    def check(row: list[str]) -> None:
        name, given, how, by, expected = row
        reply = f"Thought: now this\nAction: {name}\nAction Input: {given}\n"
        turn = parse_turn(reply, tools=names, no_argument_tools=bare)
        answer = registry.call(turn.action, turn.input, Context(Path("/nonexistent")))
        assert (answer.how, answer.tool or answer.entry) == (how, by)
        if not answer.tool:
            assert answer.observation.text.startswith(expected)
            return
        said, _, rest = answer.observation.text.rpartition("]\n")
        assert rest == expected
        if answer.tool != "run":
            assert bool(said) == (turn.input != expected)  # what was read otherwise is said

    each_row([(f"{row[0]} {row[1]}", row) for row in rows()], check)


def test_there_are_enough_rows() -> None:
    assert len(rows()) >= 120
