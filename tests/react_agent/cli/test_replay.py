"""react-agent replay, and what it does not take for a difference."""

import re
from pathlib import Path
from typing import Any

import pytest
from by_hand import save


@pytest.fixture
def run(cli: Any, repository: Path) -> str:
    save(repository, {".react-agent.cfg": "[react_agent]\nmodel = theirs\n"})
    assert cli.solve("do it", cli.record(("list_files", ""))).code == 1
    return str(cli.runs[0].name)


REFUSED = (
    "%% not used: .react-agent.cfg may not set 'model'\n"
    "%% sandbox none: commands run as you: they can read and change everything that you can\n"
)


def test_the_same_again(cli: Any, run: str) -> None:
    before = cli.holdings()
    answer = cli("replay", run)
    verdict = "1 step, ended as concluded: every prompt as recorded\n"
    assert (answer.code, answer.out, answer.err) == (0, f"{REFUSED}{verdict}", "")
    assert cli.holdings() == before


def test_a_transcript_of_any_name(cli: Any, run: str) -> None:
    """With another Observation, with a blank line more, and cut short."""
    text = (cli.runs[0] / "transcript.txt").read_text()

    def replayed(changed: str) -> Any:
        (cli.folder / "sent.txt").write_text(changed)
        return cli("replay", "sent.txt")

    answer = replayed(text.replace("11 files", "12 files"))
    assert answer.code == 1
    assert re.search("^step 1.*holds 12 files.*holds 11 files", answer.out, re.MULTILINE)
    assert answer.out.endswith("ended as concluded: 1 difference\n")
    answer = replayed(text.replace("\n%% step: n=1", "\n\n%% step: n=1"))
    assert (answer.code, answer.err) == (1, "")
    assert answer.out.endswith(
        'Observation was "" and is ""\n1 step, ended as concluded: 1 difference\n'
    )
    answer = replayed(text.replace("\n%% turn: n=1", "\n%% turn: why=soon n=1"))
    assert (answer.code, answer.err) == (0, "")
    answer = replayed(text[: text.index("Thought: enough")])
    assert answer.code == 0
    assert answer.out.endswith("1 step, ended as model_failed: every prompt as recorded\n")
