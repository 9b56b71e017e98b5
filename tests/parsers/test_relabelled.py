"""`Note:` for `Thought:`, there and back."""

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.servers.rewriting import as_notes, from_notes
from react_agent.parsers.transcript.labels import NOTE, THOUGHT, generous
from react_agent.parsers.transcript.writer import observation_text, turn_text
from react_agent.parsers.turn.turn import Kind, Turn, parse_turn

TOOLS = ("read", "create")
texts = st.lists(
    st.sampled_from(["Thought: ", "Note: ", "Notes:", "Action: ", "\\", "\n", "\n", " ", "x", "**"])
    | st.text(max_size=3)
).map("".join)
PARTS = (
    "\n{}: ",
    "a",
    "\n",
    "Action: read\n",
    "Action Input: ",
    "x\n",
    "```\n",
    "Observation: ",
    "**",
)


@given(st.lists(st.sampled_from(PARTS), max_size=14).map("".join))
def test_is_read_as_if_it_had_been_in_our_words(form: str) -> None:
    """A model that says Note is understood like one that says Thought.

    Of a reply that can't be read in either, the words on what is wrong with it may differ.
    """
    form += "\nAction: read"  # behind an input, a note leads to an action, or is a line of it
    theirs, ours = form.replace("{}", "Note"), form.replace("{}", "Thought")
    read, meant = parse_turn(from_notes(theirs), tools=TOOLS), parse_turn(ours, tools=TOOLS)
    if read.kind is Kind.MALFORMED:
        assert meant.kind is Kind.MALFORMED
    else:
        assert repr(read).replace("Note", "Thought") == repr(meant)


@given(texts)
def test_what_is_in_our_words_stays_or_is_ours(text: str) -> None:
    once = from_notes(text)
    assert from_notes(once) == once
    assert once.count("\n") == text.count("\n")


@given(texts, texts, texts, st.sampled_from([Kind.ACTION, Kind.CONCLUSION]))
def test_a_prompt_has_one_label_a_turn(said: str, given: str, seen: str, kind: Kind) -> None:
    """No line of a text that begins like ours passes for a thought."""
    turn = Turn(kind, thought=said, action="read", input=given, conclusion=given)
    shown = as_notes(turn_text(turn) + observation_text(seen))
    labelled = (generous(line, NOTE) for line in shown.split("\n") if line[:4] == "Note")
    assert [found.rest for found in labelled if found and found.label is THOUGHT] == [
        shown.partition("\n")[0].removeprefix("Note:").removeprefix(" ")
    ]
