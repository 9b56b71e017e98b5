"""Profiles in files of one's own: found, based on each other, kept with a run."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from check_rows import table_of
from refusals import refusal
from replies import DONE, interrupt

from react_agent.errors import ConfigError
from react_agent.parsers.settings.hidden import Hidden, HiddenKind
from react_agent.parsers.transcript.entries import Event
from react_agent.profiles.profile import Budget, Profile
from react_agent.profiles.profile_file import Wanted, profile_of, shipped, written_for
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.solve import Otherwise, resume
from react_agent.state import transcript as transcripts
from react_agent.state.state import Stop

MINE = """\
# of mine

[profile]
based on = careful
tools = grep run
unoffered = read_file
[prompt]
more notes =
    First this.

      Then that.
[hidden]
deploy = redirect No.
"""
CAREFUL = "[profile]\nbased on = issue\nsummary = with care\ngate = off\n[budget]\nsteps = 7\n"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    (tmp_path / "mine.cfg").write_text(MINE)
    (tmp_path / "careful.cfg").write_text(CAREFUL)
    return tmp_path / "mine.cfg"


def of(profile: str, own: Path = Path("/nonexistent"), **options: Any) -> Profile:
    return profile_of(written_for(Wanted(profile, **options), own))


def expected() -> Profile:
    issue = shipped("issue")
    return replace(
        issue,
        name="mine",
        summary="with care",
        gate=False,
        tools=("grep", "run"),
        unoffered=("read_file",),
        budget=replace(issue.budget, steps=7),
        notes=f"{issue.notes}\nFirst this.\n\n  Then that.",
        hidden={
            **{
                name: entry
                for name, entry in issue.hidden.items()
                if entry.target in ("", "grep", "run", "read_file")
            },
            "deploy": Hidden(HiddenKind.REDIRECT, "No."),
        },
    )


def test_a_file_is_based_on_one_beside_it(mine: Path) -> None:
    assert of(str(mine)) == expected()
    assert of("mine", mine.parent) == expected()


def test_a_file_where_one_stands(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(mine.parent)
    assert of("mine.cfg") == of("./mine.cfg") == expected()
    with pytest.raises(ConfigError, match=r"^there is no profile 'mine'$"):
        of("mine")


def test_what_is_kept_is_the_same_without_the_files(mine: Path) -> None:
    kept = tuple(written_for(Wanted(str(mine)), Path("/nonexistent")).kept)
    assert [event.text for event in kept if event.name == "profile file"] == [
        str(mine.with_name("careful.cfg")),
        str(mine),
    ]
    mine.unlink()
    mine.with_name("careful.cfg").unlink()
    assert of("mine", kept=kept) == expected()
    assert tuple(written_for(Wanted("mine", kept=kept), Path("/nonexistent")).kept) == kept


def test_a_transcript_that_somebody_edited() -> None:
    kept = (Event("profile text", "[profile]"), Event("profile text", "tolls = run"))
    with pytest.raises(ConfigError, match=r"^profile the transcript, line 2: .* has no 'tolls'"):
        of("mine", kept=kept)


def test_one_of_the_same_name_may_be_based_on_the_shipped(tmp_path: Path) -> None:
    (tmp_path / "issue.cfg").write_text("[profile]\nbased on = issue\nsummary = mine\n")
    (tmp_path / "other.cfg").write_text("[profile]\nbased on = issue\ntools = run\n")
    assert of("issue", tmp_path) == replace(shipped("issue"), summary="mine")
    assert (of("other", tmp_path).summary, of("other", tmp_path).tools) == ("mine", ("run",))
    kept = tuple(written_for(Wanted("other"), tmp_path).kept)
    assert of("other", tmp_path, kept=kept) == of("other", tmp_path)


@table_of(
    ("text", "message"),
    {
        "on itself": (
            "[profile]\nbased on = mine\n",
            "profile {file}, line 2: 'mine' is not a valid base profile",
        ),
        "a base in another section": (
            "[profile]\ntools = run\n[prompt]\nbased on = small\n",
            "profile {file}, line 4: [prompt] has no 'based on'",
        ),
        "no such section to amend": (
            "[profile]\ntools = run\n[model * bugdet]\nsteps = 1\n",
            "profile {file}, line 3: expected one of [profile], ",
        ),
        "bytes": ("\xff", "{file} is not text in UTF-8"),
    },
)
def test_says_what_is_wrong_and_where(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "mine.cfg"
    file.write_text(text, encoding="latin-1")
    assert refusal(ConfigError, of, str(file)).startswith(message.format(file=file))


def test_two_that_are_based_on_each_other(tmp_path: Path) -> None:
    (tmp_path / "one.cfg").write_text("[profile]\nbased on = two\n")
    (tmp_path / "two.cfg").write_text("[profile]\nbased on = one\n")
    line = f"profile {tmp_path}/two.cfg, line 2: 'one' is not a valid base profile"
    assert refusal(ConfigError, of, "one", tmp_path) == line


def test_a_run_keeps_the_text_and_needs_the_file_no_more(desk: Any, mine: Path) -> None:
    """Taken up, and done again, with the file gone: the prompts are the same."""
    broken = desk.solve(" look\nAction: run\nAction Input: true\n", interrupt, profile=str(mine))
    assert broken.stop is Stop.INTERRUPTED
    state = broken.state
    assert (state.header["profile"], len(state.steps)) == ("mine", 1)
    assert Event("profile text", "      Then that.") in state.profile
    mine.unlink()
    mine.with_name("careful.cfg").unlink()
    outcome = desk.take_up(broken.folder, DONE)
    assert outcome.stop is Stop.CONCLUDED
    assert_same_again(desk, outcome.folder)


def test_a_profile_that_mends_nothing_tells_what_it_would_have_mended(
    desk: Any, tmp_path: Path
) -> None:
    strict = tmp_path / "strict.cfg"
    strict.write_text("[profile]\nbased on = issue\ngate = off\nrepair = no\n")
    fenced = "```\nThought: look\nAction: run\nAction Input: pwd\n```"
    outcome = desk.solve(fenced, DONE, profile=str(strict))
    assert outcome.state.steps[0].seen.text.split("\n")[0] == (
        "Your reply could not be read: it is not in the format (the fence around the reply was "
        "removed). It began:"
    )
    assert desk.solve(fenced, DONE).state.steps[0].said.turn.action == "run"


def assert_same_again(desk: Any, folder: RunFolder) -> None:
    outcome = desk.replay(folder)
    assert (outcome.stop, desk.told) == (Stop.CONCLUDED, [])
    first = transcripts.read(folder.transcript).entries
    second = transcripts.read(outcome.folder.transcript).entries
    for name in ("profile", "profile file", "profile text", "amended", "limits"):
        told = [
            [one for one in all_ if isinstance(one, Event) and one.name == name]
            for all_ in (first, second)
        ]
        assert told[0][: len(told[1])] == told[1]


AMENDED = """\
[profile]
based on = issue
gate = off
[budget]
steps = 9
[model qwen*]
more notes = Be brief.
tools = grep run
[model */deepseek* budget]
steps = 5
[model *coder* limits]
command_seconds = 11
[model Qwen* budget]
steps = 12
"""


@table_of(
    ("model", "tools", "steps", "seconds", "notes"),
    {
        "none": ("gpt-6", 9, 9, 120, False),
        "of a maker": ("deepseek/deepseek-r1", 9, 5, 120, False),
        "several, in order": ("qwen/deepseek-coder", 2, 12, 11, True),
    },
)
def test_amendments(
    tmp_path: Path, model: str, tools: int, steps: int, seconds: int, notes: bool
) -> None:
    file = tmp_path / "amended.cfg"
    file.write_text(AMENDED)
    profile = profile_of(written_for(Wanted(str(file)), tmp_path), model)
    assert (len(profile.tools), profile.budget, profile.limits.command_seconds) == (
        tools,
        replace(Budget(), steps=steps),
        seconds,
    )
    assert profile.notes.endswith("\nBe brief.") == notes


def test_a_file_stands_above_the_amendments_of_its_base(tmp_path: Path) -> None:
    (tmp_path / "amended.cfg").write_text(AMENDED)
    file = tmp_path / "top.cfg"
    file.write_text("[profile]\nbased on = amended\ntools = run\n")
    written = written_for(Wanted(str(file)), tmp_path)
    assert profile_of(written, "qwen3").tools == ("run",)
    assert profile_of(written, "qwen3").budget.steps == 12


def test_amendments_follow_the_model(desk: Any, tmp_path: Path) -> None:
    """And a replay has those of the run that it does again."""
    file = tmp_path / "amended.cfg"
    file.write_text(AMENDED)
    replies = (" g\nAction: run\nAction Input: true\n", interrupt)
    broken, seen = desk.watched(*replies, profile=str(file), model="openai/qwen3-coder")
    assert broken.state.header["amended"] == "qwen3-coder"
    assert "steps=12 " in broken.state.header["limits"]
    assert "Be brief." in seen[-1].system

    other = desk.around(DONE).open_model("script")
    around = replace(desk.around(), open_model=lambda spec: other)
    outcome = resume(broken.folder, around, Otherwise(model="openai/gpt-6"), keep=False)
    assert outcome.state.header["amended"] == ""
    assert "steps=9 " in outcome.state.header["limits"]
    assert "Be brief." not in other.seen[-1].system


def test_a_replay_is_amended_as_it_was(desk: Any, tmp_path: Path) -> None:
    file = tmp_path / "amended.cfg"
    file.write_text(AMENDED)
    replies = (" g\nAction: run\nAction Input: true\n", DONE)
    model = "completions/qwen/deepseek-coder"
    outcome = desk.solve(*replies, profile=str(file), model=model)
    file.unlink()
    assert_same_again(desk, outcome.folder)
