import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.transcript.labels import (
    DEFAULT,
    Dialect,
    Label,
    Labelled,
    dialect,
    generous,
    may_become_one,
    strict,
)

GERMAN = dialect(
    {
        Label.OBJECTIVE: "Ziel",
        Label.THOUGHT: "Gedanke",
        Label.ACTION: "Handlung",
        Label.INPUT: "Eingabe",
        Label.OBSERVATION: "Beobachtung",
        Label.CONCLUSION: "Schluß",
    },
    also={"Antwort": Label.CONCLUSION},
)


@table_of(
    ("line", "expected"),
    [
        pytest.param("Action: grep", Labelled(Label.ACTION, "grep"), id="as written"),
        pytest.param("Action：grep", Labelled(Label.ACTION, "grep"), id="full-width colon"),
        pytest.param("Action：a:b", Labelled(Label.ACTION, "a:b"), id="first colon: full-width"),
        pytest.param("***Action:*** grep", Labelled(Label.ACTION, "grep"), id="bold italic"),
    ],
)
def test_recognises_a_label_in_many_spellings(line: str, expected: Labelled) -> None:
    assert generous(line) == expected


def test_takes_nothing_else_for_a_label() -> None:
    assert generous("Input: grep") is None
    assert generous(" Action: grep") is None


def test_a_file_has_one_spelling() -> None:
    assert strict("Action: grep") == Labelled(Label.ACTION, "grep")
    assert strict("ACTION: grep") is strict("Action") is None


@pytest.mark.parametrize("spoken", [DEFAULT, GERMAN], ids=["default", "german"])
@pytest.mark.parametrize("label", Label)
def test_reads_what_it_writes(spoken: Dialect, label: Label) -> None:
    assert generous(f"{spoken.write(label)} x", spoken) == Labelled(label, "x")


def test_a_dialect_has_its_own_words() -> None:
    assert generous("SCHLUSS: x", GERMAN) == Labelled(Label.CONCLUSION, "x")


@given(
    st.sampled_from(Label),
    st.sampled_from(["", "**", "__", "`", "### ", "1. ", "\u200b", "***"]),
    st.sampled_from([":", "：", " :", " 3:"]),
    st.text(st.characters(exclude_characters=" *_`\n"), min_size=1),
)
def test_decoration_does_not_count(label: Label, before: str, colon: str, rest: str) -> None:
    assert generous(f"{before}{label.upper()}{colon} {rest}") == Labelled(label, rest)


@given(st.text() | st.sampled_from(Label).flatmap(lambda label: st.text().map(f"{label}:".__add__)))
def test_what_is_strictly_a_label_is_generously_one(line: str) -> None:
    found, may_be = strict(line), generous(line)
    assert found is None or (may_be is not None and may_be.label is found.label)
    assert may_be is None or line.endswith(may_be.rest)


TOKEN = "<|im_end|>"


@table_of(
    ("line", "expected"),
    [
        pytest.param("**Action: grep** ", Labelled(Label.ACTION, "grep"), id="and a blank"),
        pytest.param("**Action: a ** b ", Labelled(Label.ACTION, "a ** b "), id="within it"),
        pytest.param("`Action: grep` ", None, id="all of it code, and a blank"),
        pytest.param("`Action`: x`", Labelled(Label.ACTION, "x`"), id="the label is code"),
        pytest.param("**.Action: x", None, id="a full stop without a number"),
        pytest.param(f"{TOKEN}Action: x", Labelled(Label.ACTION, "x"), id="behind a token"),
    ],
)
def test_what_surrounds_a_label_goes(line: str, expected: Labelled | None) -> None:
    assert generous(line) == expected


@table_of(
    ("begun", "may_be"),
    [
        pytest.param("", True, id="nothing yet"),
        pytest.param("Obs", True, id="a beginning"),
        pytest.param("Act", False, id="of a label that is not asked for"),
        pytest.param(40 * "*", False, id="too much of it"),
        pytest.param("<", True, id="a token"),
        pytest.param("<b>", False, id="markup"),
        pytest.param(f"<{39 * 'x'}", False, id="too long for a token"),
        pytest.param(f"{TOKEN}{107 * ' '}Obs", False, id="too far behind a token"),
    ],
)
def test_a_line_may_still_become_a_label(begun: str, may_be: bool) -> None:
    assert may_become_one(begun, DEFAULT, lambda label: label is Label.OBSERVATION) is may_be
