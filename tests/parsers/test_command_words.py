"""The table of commands, and what a line that is being typed asks of it."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.cli.complete import Asked, Command, Slot, asked, read_table, write_table

TEXT = """\
ra
  --help
ra show
  RUN
  --only PART all some
  --full
ra eval
ra eval run
  SET
  ARM one two
"""
TABLE = read_table(TEXT)
RUN, PART, ARM = Slot("RUN"), Slot("PART", ("all", "some")), Slot("ARM", ("one", "two"))
WORDS = st.sampled_from(("RUN", "DIR|FILE", "docker:", "a", "b-c", "PART,..."))
SLOTS = st.builds(Slot, WORDS, st.lists(WORDS, max_size=2).map(tuple))
OPTIONS = st.dictionaries(WORDS.map(lambda word: f"--{word}"), st.none() | SLOTS, max_size=3)
COMMANDS = st.builds(Command, st.lists(SLOTS, max_size=2), OPTIONS)
TABLES = st.dictionaries(st.lists(WORDS, min_size=1, max_size=3).map(tuple), COMMANDS, max_size=4)


@given(TABLES)
def test_reads_back_what_it_writes(table: dict[tuple[str, ...], Command]) -> None:
    assert read_table(write_table(table)) == table


def test_the_table() -> None:
    assert write_table(TABLE) == TEXT
    assert TABLE["ra", "show"] == Command([RUN], {"--only": PART, "--full": None})


@table_of(
    ("line", "expected"),
    [
        pytest.param("ra ", Asked("", ("show", "eval"), None, ("ra",)), id="commands"),
        pytest.param("ra ev", Asked("ev", ("show", "eval"), None, ("ra",)), id="begun"),
        pytest.param("ra eval ", Asked("", ("run",), None, ("ra", "eval")), id="below"),
        pytest.param("ra show ", Asked("", (), RUN, ("ra", "show")), id="argument"),
        pytest.param("ra show x y", Asked("y", (), RUN, ("ra", "show")), id="one more"),
        pytest.param(
            "ra show -", Asked("-", ("--only", "--full"), None, ("ra", "show")), id="options"
        ),
        pytest.param(
            "ra show --only s", Asked("s", PART.words, PART, ("ra", "show")), id="its value"
        ),
        pytest.param(
            "ra show --only=s",
            Asked("s", PART.words, PART, ("ra", "show"), "--only="),
            id="in one word",
        ),
        pytest.param("ra show --full ", Asked("", (), RUN, ("ra", "show")), id="a switch"),
        pytest.param("ra show --only all ", Asked("", (), RUN, ("ra", "show")), id="behind both"),
        pytest.param("ra show -- -", Asked("-", (), RUN, ("ra", "show")), id="no option"),
        pytest.param("ra show --odd ", Asked("", (), RUN, ("ra", "show")), id="not known"),
        pytest.param("ra eval run x ", Asked("", ARM.words, ARM, ("ra", "eval", "run")), id="next"),
        pytest.param("ra odd x", Asked("x", ("show", "eval"), None, ("ra",)), id="no command"),
        pytest.param("ra --help x", Asked("x", ("show", "eval"), None, ("ra",)), id="an option"),
    ],
)
def test_what_a_line_asks(line: str, expected: Asked) -> None:
    assert asked(TABLE, line.split(" ")) == expected


@given(st.lists(st.sampled_from(("ra", "show", "eval", "run", "--only", "--", "-", "--only=", ""))))
def test_any_line_asks_something(words: list[str]) -> None:
    assert asked(TABLE, ["ra", *words, ""]).typed == ""
