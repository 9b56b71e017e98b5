import re

from fuzz_words import FRAGMENTS, replies
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.text.fence import unfenced
from react_agent.parsers.transcript.writer import turn_text
from react_agent.parsers.turn.tool_name import read_name
from react_agent.parsers.turn.turn import Kind, Turn, parse_turn
from react_agent.parsers.values.arguments import unquoted

tool_names = st.none() | st.sets(st.sampled_from(["grep", "Grep", "x", "read_file", ""]))


@given(replies, tool_names, st.sampled_from([None, "stop", "length"]))
def test_any_text_is_a_turn(text: str, tools: set[str] | None, why: str | None) -> None:
    turn = parse_turn(text, tools=tools, why=why)
    is_malformed = turn.kind is Kind.MALFORMED
    assert bool(turn.action) is (turn.kind is Kind.ACTION)
    assert bool(turn.conclusion) is (turn.kind is Kind.CONCLUSION)
    assert (bool(turn.problem), bool(turn.repairs and is_malformed)) == (is_malformed, False)
    assert "\n" not in turn.action + turn.problem
    assert is_malformed or not turn.truncated


CLOSED = ["y", "```\nAction: y\n```", "cat <<EOF\nThought: y\nEOF", '{"a": 1}', "y\nz"]


@given(
    st.sampled_from(CLOSED),
    st.sampled_from(["Thought", "Action", "Action Input", "Observation", "Conclusion"]),
    replies,
)
def test_text_from_the_next_label_on_changes_nothing(given: str, label: str, text: str) -> None:
    whole = f"Thought: x\nAction: grep\nAction Input: {given}\n"
    alone, followed = parse_turn(whole), parse_turn(f"{whole}{label}: {text}")
    assert (followed.kind, followed.thought) == (alone.kind, alone.thought)
    assert (followed.action, followed.input) == (alone.action, alone.input)


@given(replies)
def test_prose_behind_an_input_is_refused_only_where_another_action_follows(text: str) -> None:
    whole = "Action: grep\nAction Input: y\nI will look at the file then.\n"
    turn = parse_turn(f"{whole}Thought: {text}")
    assert turn.kind is Kind.ACTION or turn.problem.startswith("two actions in one reply")


@given(replies)
def test_what_stands_in_a_closed_fence_is_the_input(text: str) -> None:
    fence = "`" * (3 + text.count("`"))
    turn = parse_turn(f"Action: write\nAction Input:\n{fence}text\n{text}\n{fence}\n")
    assert turn.kind is Kind.ACTION
    assert f"{turn.input}\n" == f"{text}\n".replace("\r\n", "\n")


def _is_plain(text: str) -> bool:
    """What a well-behaved model writes below a label: the transcript can show it as it is."""
    turn = parse_turn(text)
    shown = turn_text(Turn(Kind.MALFORMED, text)).removeprefix("Thought:").removesuffix("\n")
    return turn.thought == text == shown.removeprefix(" ") == unfenced(text) and not turn.truncated


plain = (
    st.text() | st.lists(st.text(max_size=9) | st.sampled_from(FRAGMENTS)).map("\n".join)
).filter(_is_plain)
bare = plain.filter(
    lambda text: (
        not re.match(r"[\s`]*[{[]|\s*```|\s*~~~", text) and "<<" not in text == unquoted(text)
    )
)
names = st.from_regex(r"[a-z_]+", fullmatch=True).filter(lambda name: read_name(name, None))
well_behaved = st.one_of(
    st.tuples(st.just(Kind.ACTION), plain, names, bare),
    st.tuples(st.just(Kind.CONCLUSION), plain, st.just(""), st.just(""), plain.filter(bool)),
).map(lambda fields: Turn(*fields))


@given(well_behaved)
def test_reads_a_turn_as_it_stands_in_the_prompt(turn: Turn) -> None:
    assert parse_turn(turn_text(turn)) == turn
