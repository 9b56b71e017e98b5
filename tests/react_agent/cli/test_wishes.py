"""react-agent inspect wishes"""

from pathlib import Path
from typing import Any

RUN = (Path(__file__).parents[2] / "data" / "wishes.txt").read_text()


def test_tells_what_was_wished_for_and_how_to_answer_it(cli: Any, tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "transcript.txt").write_text(RUN)
    out = cli("inspect", "wishes", str(run)).ends_well()
    head, _, entries = out.partition("To handle these wishes, add the lines you agree with to ")
    assert head == ("fly: once in 1 run\n    then came: grep (1)\n    input: to the moon\n")
    assert entries.endswith("config.cfg:\n[react_agent:hidden]\nfly = alias grep\n")


def test_no_runs_no_wishes(cli: Any) -> None:
    answer = cli("inspect", "wishes")
    assert answer.out == "No wish in 0 runs: every tool that was called answers.\n"
    assert answer.code == 0
