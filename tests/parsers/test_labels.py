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
        pytest.param("Action:grep", Labelled(Label.ACTION, "grep"), id="no blank"),
        pytest.param("Action:  grep ", Labelled(Label.ACTION, " grep "), id="one blank goes"),
        pytest.param("Action:", Labelled(Label.ACTION, ""), id="nothing behind"),
        pytest.param("Action : grep", Labelled(Label.ACTION, "grep"), id="blank before the colon"),
        pytest.param("Action：grep", Labelled(Label.ACTION, "grep"), id="full-width colon"),
        pytest.param("Action：a:b", Labelled(Label.ACTION, "a:b"), id="first colon: full-width"),
        pytest.param("Action: a：b", Labelled(Label.ACTION, "a：b"), id="first colon: plain"),
        pytest.param("ACTION: grep", Labelled(Label.ACTION, "grep"), id="upper case"),
        pytest.param("action: grep", Labelled(Label.ACTION, "grep"), id="lower case"),
        pytest.param("**Action:** grep", Labelled(Label.ACTION, "grep"), id="bold with colon"),
        pytest.param("**Action**: grep", Labelled(Label.ACTION, "grep"), id="bold word"),
        pytest.param("**Action:**grep", Labelled(Label.ACTION, "grep"), id="bold, no blank"),
        pytest.param("**Action**: **x**", Labelled(Label.ACTION, "**x**"), id="bold text stays"),
        pytest.param("**Thought**:**x** y", Labelled(Label.THOUGHT, "**x** y"), id="glued bold"),
        pytest.param("***Action:*** grep", Labelled(Label.ACTION, "grep"), id="bold italic"),
        pytest.param("*Action:* grep", Labelled(Label.ACTION, "grep"), id="italic"),
        pytest.param("_Action:_ grep", Labelled(Label.ACTION, "grep"), id="italic by underscore"),
        pytest.param("__Action:__ grep", Labelled(Label.ACTION, "grep"), id="bold by underscores"),
        pytest.param("`Action:` grep", Labelled(Label.ACTION, "grep"), id="code"),
        pytest.param("Action: `grep`", Labelled(Label.ACTION, "`grep`"), id="code behind"),
        pytest.param("### Action: grep", Labelled(Label.ACTION, "grep"), id="heading"),
        pytest.param("### **Action:** grep", Labelled(Label.ACTION, "grep"), id="bold heading"),
        pytest.param("* **Action:** grep", Labelled(Label.ACTION, "grep"), id="bold bullet"),
        pytest.param("Action 2: grep", Labelled(Label.ACTION, "grep"), id="numbered"),
        pytest.param("**Action 2:** grep", Labelled(Label.ACTION, "grep"), id="bold and numbered"),
        pytest.param("2. Action: grep", Labelled(Label.ACTION, "grep"), id="list"),
        pytest.param("2) Action: grep", Labelled(Label.ACTION, "grep"), id="list, parenthesis"),
        pytest.param("2. **Action:** grep", Labelled(Label.ACTION, "grep"), id="bold in a list"),
        pytest.param("**2. Action:** grep", Labelled(Label.ACTION, "grep"), id="list in bold"),
        pytest.param("\ufeffAction: grep", Labelled(Label.ACTION, "grep"), id="behind a BOM"),
        pytest.param("\u200bAction: grep", Labelled(Label.ACTION, "grep"), id="zero-width space"),
        pytest.param("\u200dAction: grep", Labelled(Label.ACTION, "grep"), id="joiner"),
        pytest.param("Action Input: x", Labelled(Label.INPUT, "x"), id="two words"),
        pytest.param("ActionInput: x", Labelled(Label.INPUT, "x"), id="words joined"),
        pytest.param("Action_Input: x", Labelled(Label.INPUT, "x"), id="by an underscore"),
        pytest.param("Action  Input: x", Labelled(Label.INPUT, "x"), id="two blanks"),
        pytest.param("**Action Input 2:** x", Labelled(Label.INPUT, "x"), id="all of it"),
        pytest.param("Final Answer: done", Labelled(Label.CONCLUSION, "done"), id="final answer"),
        pytest.param("FINAL ANSWER: done", Labelled(Label.CONCLUSION, "done"), id="shouted"),
        pytest.param("Conclusion: done", Labelled(Label.CONCLUSION, "done"), id="conclusion"),
        pytest.param("Observation 1: x", Labelled(Label.OBSERVATION, "x"), id="observation"),
        pytest.param("Objective: x", Labelled(Label.OBJECTIVE, "x"), id="objective"),
        pytest.param("THOUGHT: x", Labelled(Label.THOUGHT, "x"), id="thought"),
    ],
)
def test_recognises_a_label_in_many_spellings(line: str, expected: Labelled) -> None:
    assert generous(line) == expected


@table_of(
    "line",
    [
        pytest.param("", id="empty"),
        pytest.param(":", id="colon"),
        pytest.param("grep", id="no colon"),
        pytest.param("Action grep", id="word without a colon"),
        pytest.param("The action: grep", id="word in prose"),
        pytest.param("In conclusion: done", id="conclusion in prose"),
        pytest.param("Actions: grep", id="plural"),
        pytest.param("Action taken: grep", id="more words"),
        pytest.param("Input: grep", id="half of a label"),
        pytest.param(" Action: grep", id="behind a blank"),
        pytest.param("\tAction: grep", id="behind a tab"),
        pytest.param("    Action: grep", id="indented"),
        pytest.param("> Action: grep", id="quoted"),
        pytest.param("+Action: grep", id="added in a diff"),
        pytest.param("-Action: grep", id="removed in a diff"),
        pytest.param("- Action: grep", id="item of a list"),
        pytest.param('"Action": "grep"', id="JSON"),
        pytest.param("x.py:3:Action: grep", id="line of a search"),
        pytest.param("    3\tAction: grep", id="numbered line of a file"),
        pytest.param("Action" + " " * 40 + ": grep", id="colon far away"),
        pytest.param("%% Action: grep", id="bookkeeping"),
    ],
)
def test_takes_nothing_else_for_a_label(line: str) -> None:
    assert generous(line) is None


@table_of(
    ("line", "expected"),
    [
        pytest.param("Action: grep", Labelled(Label.ACTION, "grep"), id="one blank goes"),
        pytest.param("Action:grep", Labelled(Label.ACTION, "grep"), id="no blank"),
        pytest.param("Action:  x:y", Labelled(Label.ACTION, " x:y"), id="the rest stays"),
        pytest.param("Action Input:", Labelled(Label.INPUT, ""), id="nothing behind"),
        pytest.param("ACTION: grep", None, id="other case"),
        pytest.param("Action : grep", None, id="blank before the colon"),
        pytest.param("**Action:** grep", None, id="bold"),
        pytest.param(" Action: grep", None, id="indented"),
        pytest.param("Final Answer: x", None, id="another spelling"),
        pytest.param("Action", None, id="no colon"),
    ],
)
def test_a_file_has_one_spelling(line: str, expected: Labelled | None) -> None:
    assert strict(line) == expected


@pytest.mark.parametrize("spoken", [DEFAULT, GERMAN], ids=["default", "german"])
@pytest.mark.parametrize("label", Label)
def test_reads_what_it_writes(spoken: Dialect, label: Label) -> None:
    assert generous(f"{spoken.write(label)} x", spoken) == Labelled(label, "x")


@table_of(
    ("line", "expected"),
    [
        pytest.param("SCHLUSS: x", Labelled(Label.CONCLUSION, "x"), id="case of another script"),
        pytest.param("**Antwort:** x", Labelled(Label.CONCLUSION, "x"), id="also"),
        pytest.param("Action: x", None, id="not of this dialect"),
    ],
)
def test_a_dialect_has_its_own_words(line: str, expected: Labelled | None) -> None:
    assert generous(line, GERMAN) == expected


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
        pytest.param("**Action: grep**", Labelled(Label.ACTION, "grep"), id="all of it bold"),
        pytest.param("**Action: grep** ", Labelled(Label.ACTION, "grep"), id="and a blank"),
        pytest.param("**Action: a ** b ", Labelled(Label.ACTION, "a ** b "), id="within it"),
        pytest.param("**Action: **a**", Labelled(Label.ACTION, "**a**"), id="of the text"),
        pytest.param("`Action: grep`", None, id="all of it code speaks of a label"),
        pytest.param("`Action: grep` ", None, id="all of it code, and a blank"),
        pytest.param("`Action:x`", None, id="all of it code, without a blank"),
        pytest.param("`Action:` `x`", Labelled(Label.ACTION, "`x`"), id="both are code"),
        pytest.param("`Action:` x`", None, id="code in code"),
        pytest.param("`Action`: x`", Labelled(Label.ACTION, "x`"), id="the label is code"),
        pytest.param("ACTION: x`", Labelled(Label.ACTION, "x`"), id="a backtick behind"),
        pytest.param("Action：a：b", Labelled(Label.ACTION, "a：b"), id="first of wide colons"),
        pytest.param("2.Action: x", Labelled(Label.ACTION, "x"), id="a number without a blank"),
        pytest.param("**.Action: x", None, id="a full stop without a number"),
        pytest.param("* - Action: x", None, id="an item in an item"),
        pytest.param(f"{TOKEN}Action: x", Labelled(Label.ACTION, "x"), id="behind a token"),
        pytest.param(f"{4 * TOKEN}Action: x", Labelled(Label.ACTION, "x"), id="behind tokens"),
        pytest.param(f"{TOKEN}Action{40 * ' '}: x", None, id="a colon far behind a token"),
        pytest.param(f"{TOKEN}Action{40 * ' '}：x", None, id="a wide colon far behind a token"),
    ],
)
def test_what_surrounds_a_label_goes(line: str, expected: Labelled | None) -> None:
    assert generous(line) == expected


@table_of(
    ("begun", "may_be"),
    [
        pytest.param("", True, id="nothing yet"),
        pytest.param("Obs", True, id="a beginning"),
        pytest.param("Observation", True, id="all but the colon"),
        pytest.param("Observe", False, id="another word"),
        pytest.param("Act", False, id="of a label that is not asked for"),
        pytest.param("OBS", True, id="in another case"),
        pytest.param("2", True, id="a number"),
        pytest.param("2. ", True, id="of a list"),
        pytest.param("** 2", True, id="behind a decoration"),
        pytest.param("**X", False, id="another word behind a decoration"),
        pytest.param("Observation: x", False, id="a colon: it is one, or none"),
        pytest.param(39 * "*", True, id="much decoration"),
        pytest.param(40 * "*", False, id="too much of it"),
        pytest.param("<", True, id="a token"),
        pytest.param("<X", True, id="a token with a name"),
        pytest.param("<|im", True, id="a special token"),
        pytest.param("<b>", False, id="markup"),
        pytest.param("< a", False, id="a sign"),
        pytest.param(f"<{38 * 'x'}", True, id="a long token"),
        pytest.param(f"<{39 * 'x'}", False, id="too long for a token"),
        pytest.param(f"{TOKEN}Obs", True, id="behind a token"),
        pytest.param(f"{TOKEN}{106 * ' '}Obs", True, id="far behind a token"),
        pytest.param(f"{TOKEN}{107 * ' '}Obs", False, id="too far behind a token"),
    ],
)
def test_a_line_may_still_become_a_label(begun: str, may_be: bool) -> None:
    assert may_become_one(begun, DEFAULT, lambda label: label is Label.OBSERVATION) is may_be
