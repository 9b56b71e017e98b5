"""The prompts of a run as bars."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from check_rows import table_of

from react_agent.cli.show_tokens import drawn
from react_agent.loop.spent import Spent
from react_agent.parsers.transcript.entries import (
    HEADER,
    VERSION,
    Entry,
    Event,
    Objective,
    Said,
    Seen,
)
from react_agent.parsers.transcript.writer import write_transcript
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.runs.history import Asked, Call, Part, Row, Taken, TooLong

COLOUR = re.compile(r"\x1b\[[\d;]*m")
WIDTHS = (40, 57, 80, 120, 200)


def made_of(*tokens: int) -> Mapping[Part, int]:
    return dict(zip(Part, (*tokens, *[0] * len(Part)), strict=False))


def a_call(step: int, *tokens: int, limit: int | None = 4000, **spent: Any) -> Call:
    spent = {"prompt_tokens": sum(tokens), "reply_tokens": 100, **spent}
    return Call(step, made_of(*tokens), Spent(**spent), is_counted=True, limit=limit)


ROWS: list[Row] = [
    a_call(1, 1000, 200, 10, written=1200, money=0.002),
    a_call(2, 1000, 200, 100, 300, 1400, cached=1500, written=1500, money=0.003),
    TooLong(4100, is_counted=True),
    Asked("condense", Spent(2000, 150, money=0.001), is_counted=True),
    Taken("oldest", 3, 1200),
    Taken("condensed", 1, 300),
    a_call(3, 1000, 200, 200, 400, 100, 300, 100, cached=1150, money=0.002),
]

GOLDEN = """\
= instructions  o objective  t thoughts  i inputs  # observations
r recalled  ! hints
one character is 82 tokens
limit of a prompt: 4,000 (|)

step  prompt                                              tokens  cached
   1  ============ooo                                  |   1,210
   2  ============oootiiii#################            |   3,000    50 %
   !  did not fit                                          4,100
   +  condense, reply 150                                  2,000
   -  oldest, 3 steps                                     -1,200
   -  condensed, 1 step                                     -300
   3  ============ooottiiiii#rrrr!                     |   2,300    50 %

calls       3, and 1 beside steps
sent        8,510 tokens
cached      2,650 (31 %)
written     2,700 to the cache
reply       450 tokens
cost        0.0080 $
compressed  1,500 tokens taken out

all prompts together, by part
= instructions       ~3,000    46 %
o objective            ~600     9 %
t thoughts             ~310     5 %
i inputs               ~700    11 %
# observations       ~1,500    23 %
r recalled             ~300     5 %
! hints                ~100     2 %
"""


def plain(rows: list[Row], columns: int) -> list[str]:
    return [line.plain.rstrip() for line in drawn(rows, columns)]


def test_a_row_a_step_and_what_happened_between_them() -> None:
    assert plain(ROWS, 72) == GOLDEN.splitlines()


@table_of("columns", WIDTHS)
def test_fits_any_width(columns: int) -> None:
    lines = plain(ROWS, columns)
    assert max(map(len, lines)) <= columns
    (largest,) = (line for line in lines if line.startswith("   2  "))
    assert len(largest) == columns
    assert re.fullmatch(r"   2  =+o+t*i+#+ *\| +3,000 +50 %( +1,500)?", largest)
    assert largest.endswith("1,500") is (columns >= 80)


def test_bars_are_as_long_as_the_endpoint_counted() -> None:
    twice = a_call(2, 500, 0, 500, limit=None, prompt_tokens=2000)
    first, second = plain([a_call(1, 500, 0, 500, limit=None), twice], 80)[4:6]
    assert [line.count("=") for line in (first, second)] == [14, 28]
    assert [line.count("t") for line in (first, second)] == [14, 29]


def test_a_limit_far_away_does_not_flatten_the_bars() -> None:
    lines = plain([a_call(1, 1000, 200, limit=96_000)], 80)
    assert "limit of a prompt: 96,000 (not drawn)" in lines
    assert "|" not in lines[5]
    assert lines[5].count("=") > 40


def test_a_limit_that_became_smaller_is_drawn_where_it_was() -> None:
    lines = plain([a_call(1, 900), a_call(2, 900, limit=1000)], 80)
    first, second = (line for line in lines if line.startswith("   "))
    assert "limit of a prompt: 4,000 (not drawn), then 1,000 (|)" in lines
    assert ("|" in first, second.find("|")) == (False, 63)


TURN = Turn(Kind.ACTION, "look", "grep", "x")


def recorded(cli: Any, *entries: Entry) -> str:
    header = (Event(HEADER, VERSION), Objective("do it"))
    (cli.folder / "t.txt").write_text(write_transcript([*header, *entries]))
    return "t.txt"


def test_without_counts_every_number_is_marked_as_estimated(cli: Any) -> None:
    answer = cli("show", recorded(cli, Said(TURN), Seen("a\n" * 90), Said(TURN)), "--tokens")
    assert (answer.code, answer.err) == (0, "")
    assert re.search(r"\n   2  o*t+i*#+ +~\d+\n", answer.out)
    assert re.search(r"\nsent +~\d+ tokens\n", answer.out)
    assert "no instructions: the transcript does not say" in answer.out
    assert "cached  " not in answer.out.partition("calls")[2]


def test_a_stage_that_somebody_wrote_can_not_speak_to_the_terminal(cli: Any) -> None:
    evil = Event("asked", "for=\x1b[2Jx%0Ay in=5 out=1")
    answer = cli("show", recorded(cli, Said(TURN), Seen("s"), evil, Said(TURN)), "--tokens")
    assert "   +  <U+001B>[2Jx y, reply 1" in answer.out


@pytest.mark.parametrize("other", ["--raw", "--full"])
def test_shows_bars_or_text(cli: Any, other: str) -> None:
    line = f"--tokens stands alone: leave out {other}"
    assert cli.refused("show", recorded(cli, Said(TURN)), "--tokens", other) == (2, line)


def test_a_run_that_asked_no_model_has_nothing_to_count(cli: Any) -> None:
    line = "t.txt holds no reply of a model: there is nothing to count"
    code, said = cli.refused("show", recorded(cli), "--tokens")
    assert (code, said.endswith(line)) == (2, True)


def test_colours_on_a_terminal_and_a_pager(cli: Any) -> None:
    paged = cli.folder / "paged"
    file = recorded(cli, Said(TURN), Seen("a\n" * 90), Said(TURN))
    env = {"PAGER": f"tee {paged}"}
    assert cli.on_terminal("show", file, "--tokens", env=env, columns=60)[0] == 0
    sent = paged.read_text()
    assert "\x1b[33m####" in sent
    piped = cli.run("show", file, "--tokens", env={"COLUMNS": "60"}).out
    assert COLOUR.sub("", sent) == piped
    assert max(map(len, piped.splitlines())) == 60
