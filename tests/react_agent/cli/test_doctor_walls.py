"""react-agent doctor --walls: each wall is tried, and found where it is missing."""

import os
from pathlib import Path
from typing import Any

import pytest

WALLS = ["writes", "reads", "network"]
KEY = "sk-the-key-of-a-test"


def _rows(out: str) -> dict[str, tuple[str, str]]:
    """By its name, the mark of a row and what was found."""
    lines = [line for line in out.split("\n") if line[:4] in (" ok ", " -- ", " !! ")]
    return {line[5:14].strip(): (line[1:3], line[15:]) for line in lines}


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", ["bubblewrap", "landlock"])
def test_every_wall_holds(cli: Any, sandbox: str) -> None:
    answer = cli("doctor", "--walls", "--sandbox", sandbox)
    rows = _rows(answer.out)
    assert (answer.code, answer.err) == (0, "")
    assert {name: rows[name][0] for name in WALLS} == dict.fromkeys(WALLS, "ok")


@pytest.mark.slow
def test_without_a_sandbox_none_does(cli: Any) -> None:
    answer = cli("doctor", "--walls", "--sandbox", "none")
    rows = _rows(answer.out)
    assert (answer.code, answer.err) == (0, "")
    assert {name: rows[name][0] for name in WALLS} == dict.fromkeys(WALLS, "--")
    assert rows["reads"][1] == "not so here: your other files are hidden"


@pytest.mark.slow
def test_tells_where_keys_lie_and_not_what_they_are(cli: Any, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / ".aws").mkdir(parents=True)
    (home / ".aws/credentials").write_text(KEY)
    cli.environment |= {"HOME": str(home), "MY_API_KEY": KEY, "MY_NAME": "somebody"}
    inside = cli("doctor", "--walls", "--sandbox", "bubblewrap").out
    assert "MY_API_KEY" in _rows(inside)["variables"][1]
    assert "MY_NAME" not in inside
    place = f"{home}/.aws/credentials"
    assert _rows(inside)["key files"] == ("ok", f"{place}: seen by no command")
    outside = cli("doctor", "--walls", "--sandbox", "none").out
    assert _rows(outside)["key files"] == ("--", f"commands see {place}")
    assert KEY not in inside + outside


@pytest.mark.slow
def test_leaves_nothing_behind(cli: Any) -> None:
    cli("doctor", "--walls", "--sandbox", "none")
    cache = Path(os.environ["XDG_CACHE_HOME"], "react-agent")
    assert [path.name for path in cache.iterdir()] == []
