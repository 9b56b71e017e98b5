import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.transcript.labels import (
    DEFAULT,
    Dialect,
    Label,
    Labelled,
    dialect,
    generous,
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
