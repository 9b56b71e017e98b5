"""react-agent doctor --walls: each wall is tried, and found where it is missing."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from react_agent.doctor.doctor import Mark
from react_agent.doctor.doctor_walls import EXCESSES, met
from react_agent.profiles.settings import Settings
from react_agent.runs.commands import Outer, standing
from react_agent.tools.context import Context

WALLS = ["writes", "reads", "keys", "signals", "network"]
LIMITS = ["processes", "memory", "file size", "temporary", "time", "daemons"]
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
    assert [(name, rows[name][0]) for name in rows if name in (*WALLS, *LIMITS)] == [
        (name, "ok") for name in (*WALLS, *LIMITS)
    ]


@pytest.mark.slow
def test_without_a_sandbox_only_limits_do(cli: Any) -> None:
    answer = cli("doctor", "--walls", "--sandbox", "none")
    rows = _rows(answer.out)
    assert (answer.code, answer.err) == (0, "")
    assert [rows[name][0] for name in (*WALLS, *LIMITS)] == ["--"] * 5 + ["ok"] * 3 + ["--"] + [
        "ok"
    ] * 2
    assert rows["reads"][1] == "not so here: your other files are not seen"


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


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    given = Outer(dict(os.environ), tmp_path, tmp_path, Settings(sandbox="none"))
    with standing(given) as (context, *_):
        yield context


@pytest.mark.parametrize("excess", EXCESSES, ids=lambda one: one.what)
def test_a_limit_that_is_not_met_is_found_out(context: Context, excess: Any) -> None:
    row = met(replace(excess, much="true", little="true"), context)
    assert (row.mark, row.found) == (Mark.BAD, f"not so here: {excess.stopped}")


def test_a_limit_that_stops_a_little_too_says_nothing(context: Context) -> None:
    row = met(replace(EXCESSES[0], little="false"), context)
    assert row.mark is Mark.SO_SO
