"""The prompts of real runs, made again of their folders: of roles, sub-agents, other settings."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from check_rows import table_of
from replies import ASK, DONE, LOOK
from replies import TITLE as CHANGE

from react_agent.parsers.settings.procedure import read_procedure
from react_agent.profiles.settings import Settings
from react_agent.runs.history import Prompts, prompts
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.solve import Otherwise, resume
from react_agent.state import transcript as transcripts

ROLES = """\
procedure: two
  profile: turn
  summary every: 0
state: look
  environment: You look. You do not edit.
  role finder:
    task: Find the file.
    tools: list_files read_file
    last: Be brief.
  next: change
state: change
  role author:
    task: Change the file.
    tools: update_file
  next: end_state
"""
PROFILE = (
    "[profile]\nbased on = issue\ngate = off\n[model gpt*]\nmore notes = You are one of those.\n"
)


def told(folder: Path, **options: Any) -> Prompts:
    return prompts(folder, transcripts.read(RunFolder(folder).transcript), **options)


def exact(found: Prompts) -> list[bool | None]:
    return [found.is_exact(number) for number in found.numbers]


def saw(found: Prompts) -> list[str]:
    return [found.view(number).text for number in found.numbers]


def test_roles_and_a_sub_agent_within_one(desk: Any) -> None:
    replies = (LOOK, DONE, ASK, CHANGE, DONE, DONE)
    outcome, views = desk.watched(*replies, procedure=read_procedure(ROLES))
    seen = [view.text for view in views]
    place = outcome.folder.path
    assert told(place).numbers == ()  # none was asked for the run itself
    finder, author = told(place / "sub/001"), told(place / "sub/002")
    helper = told(place / "sub/002/sub/001")
    assert saw(finder) == seen[:2]
    assert [saw(author)[0], *saw(helper), saw(author)[1]] == seen[2:]
    assert exact(finder) + exact(author) + exact(helper) == [True] * 6


def test_taken_up_with_a_model_that_is_told_otherwise(desk: Any) -> None:
    desk.profiles.joinpath("issue.cfg").write_text(PROFILE)
    broken = desk.solve(LOOK, keep=True)
    script = desk.around(DONE).open_model("script")
    around = replace(desk.around(), open_model=lambda spec: script)
    outcome = resume(broken.folder, around, Otherwise(model="openai/gpt-6"), keep=False)
    desk.profiles.joinpath("issue.cfg").unlink()  # all of it is in the transcript
    found = told(outcome.folder.path)
    assert exact(found) == [True, True]
    assert [("You are one of those." in text) for text in saw(found)] == [False, True]
    assert len(found.systems) == 2


@table_of(
    ("made_with", "known"),
    {
        "the web, as many have it": ({"web": ("docs.python.org",)}, True),
        "what only they know": ({"withhold": ("grep",)}, False),
    },
)
def test_settings_are_in_no_transcript(desk: Any, made_with: Any, known: bool) -> None:
    desk.settings = made_with
    outcome, views = desk.watched(LOOK, DONE)
    seen = [view.text for view in views]
    made_with = desk.around().settings
    place = outcome.folder.path
    assert exact(told(place)) == [known, known]
    assert exact(told(place, settings=made_with)) == [True, True]
    assert saw(told(place, settings=made_with)) == seen


def test_settings_that_name_a_tool_there_is_not_are_not_used(desk: Any) -> None:
    assert exact(told(desk.solve(DONE).folder.path, settings=Settings(offer=("gone",)))) == [True]


def test_a_role_whose_run_is_gone_has_steps_and_no_instructions(desk: Any, tmp_path: Path) -> None:
    outcome = desk.solve(LOOK, DONE, DONE, procedure=read_procedure(ROLES))
    alone = tmp_path / "elsewhere/sub/001"
    alone.mkdir(parents=True)
    (outcome.folder.path / "sub/001/transcript.txt").rename(alone / "transcript.txt")
    found = told(alone)
    assert found.problem.startswith("can't read ")
    assert found.view(1).text.startswith("Objective: ")
    assert exact(found) == [False, False]
