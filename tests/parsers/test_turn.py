import pytest
from check_rows import table_of

from react_agent.parsers.transcript.labels import Label, dialect
from react_agent.parsers.turn.turn import Kind, Turn, parse_turn, to_the_letter

NO_INPUT = "no `Action Input:` line: taken as empty"


def action(
    thought: str, name: str, given: str = "", *repairs: str, fabricated: bool = False
) -> Turn:
    return Turn(Kind.ACTION, thought, name, given, repairs=repairs, fabricated=fabricated)


def conclusion(thought: str, text: str, *repairs: str, fabricated: bool = False) -> Turn:
    return Turn(Kind.CONCLUSION, thought, conclusion=text, repairs=repairs, fabricated=fabricated)


def dropped(label: str) -> str:
    return f"everything from your own `{label}:` on was dropped"


@table_of(
    ("text", "expected"),
    [
        pytest.param(
            " I look.\nAction: grep\nAction Input: def parse",
            action("I look.", "grep", "def parse"),
            id="as the prompt asks",
        ),
        pytest.param(
            "Thought: I look.\n\nAction: grep\n\nAction Input: x\n\n",
            action("I look.", "grep", "x"),
            id="empty lines between",
        ),
        pytest.param(
            "Thought: one\nThought: two\nmore\nAction: grep\nAction Input: x",
            action("one\ntwo\nmore", "grep", "x"),
            id="thoughts again",
        ),
        pytest.param("Action: ls\nAction Input:", action("", "ls"), id="no thought, empty input"),
        pytest.param("Action: ls", action("", "ls", "", NO_INPUT), id="no input line"),
        pytest.param(
            "Action:\ngrep\nAction Input:\nx\ny", action("", "grep", "x\ny"), id="text below labels"
        ),
        pytest.param(
            "**Thought:** I look.\n**Action:** grep\n**Action Input:** x",
            action("I look.", "grep", "x"),
            id="bold",
        ),
        pytest.param(
            "THOUGHT: I look.\naction 1: grep\nActionInput： x",
            action("I look.", "grep", "x"),
            id="case, number, joined words, full-width colon",
        ),
        pytest.param("Action: `grep`\nAction Input: x", action("", "grep", "x"), id="quoted name"),
        pytest.param("Action: [grep].\nAction Input: x", action("", "grep", "x"), id="in brackets"),
        pytest.param(
            "Action: fly\nAction Input: x", action("", "fly", "x"), id="a name unknown to all"
        ),
        pytest.param(
            "I look.\r\nAction: run\r\nAction Input: a\r\nb\r\n",
            action("I look.", "run", "a\nb"),
            id="CRLF",
        ),
        pytest.param(
            "Action: grep\nAction Input:   x ", action("", "grep", "  x "), id="blanks of the input"
        ),
        pytest.param(
            "Action: run\nAction Input: make\n  test: all\nActions: none\n> Action: x",
            action("", "run", "make\n  test: all\nActions: none\n> Action: x"),
            id="lines that only look like labels",
        ),
        pytest.param(
            "Action: run\nAction Input: a\x00b\ud800\u2028c\x0cd",
            action("", "run", "a\x00b\ud800\u2028c\x0cd"),
            id="odd characters stay",
        ),
    ],
)
def test_reads_an_action(text: str, expected: Turn) -> None:
    assert parse_turn(text) == expected


@table_of(
    ("text", "expected"),
    [
        pytest.param(
            "Action: write\nAction Input: ```\nAction: x\nObservation: y\n```",
            action("", "write", "Action: x\nObservation: y"),
            id="labels in a fence",
        ),
        pytest.param(
            "Action: write\nAction Input:\n\n```python\nx\n\n```\n",
            action("", "write", "x\n"),
            id="fence below the label",
        ),
        pytest.param(
            "Action: write\nAction Input:\n~~~~\n```\nThought: x\n```\n~~~~",
            action("", "write", "```\nThought: x\n```"),
            id="fence in a fence",
        ),
        pytest.param(
            "Action: write\nAction Input: ```\nx\n```\nAction: y",
            action("", "write", "x", dropped("Action")),
            id="labels count again behind it",
        ),
        pytest.param(
            "Action: write\nAction Input: x\n```md\nObservation: y\n```",
            action("", "write", "x\n```md\nObservation: y\n```"),
            id="a fence further down is a part of it",
        ),
        pytest.param(
            "For example\n```\nAction: rm\n```\nAction: ls\nAction Input: .",
            action("For example\n```\nAction: rm\n```", "ls", "."),
            id="fence in a thought",
        ),
        pytest.param(
            "Conclusion: done\n```\nAction: rm\nObservation: x\n```\nas said",
            conclusion("", "done\n```\nAction: rm\nObservation: x\n```\nas said"),
            id="fence in a conclusion",
        ),
        pytest.param(
            "```x``` is code\nAction: ls\nAction Input: .",
            action("```x``` is code", "ls", "."),
            id="code on one line is no fence",
        ),
    ],
)
def test_labels_in_a_fence_do_not_count(text: str, expected: Turn) -> None:
    assert parse_turn(text) == expected


@table_of(
    ("text", "expected"),
    [
        pytest.param("Conclusion: done", conclusion("", "done"), id="alone"),
        pytest.param(
            "I am done.\nConclusion: All is well.\n\nReally.\n",
            conclusion("I am done.", "All is well.\n\nReally."),
            id="behind a thought, over lines",
        ),
        pytest.param("**Final Answer:** done", conclusion("", "done"), id="final answer"),
        pytest.param("Conclusion:\ndone", conclusion("", "done"), id="text below the label"),
        pytest.param(
            "My Conclusion: none yet.\nIn conclusion: look.\nAction: ls\nAction Input: .",
            action("My Conclusion: none yet.\nIn conclusion: look.", "ls", "."),
            id="the word in prose is prose",
        ),
    ],
)
def test_reads_a_conclusion(text: str, expected: Turn) -> None:
    assert parse_turn(text) == expected


@table_of(
    ("text", "expected"),
    [
        pytest.param(
            "Action: a\nAction Input: 1\nAction: b\nAction Input: 2",
            action("", "a", "1", dropped("Action")),
            id="first action wins",
        ),
        pytest.param(
            "Action: a\nAction Input: 1\nAction Input: 2",
            action("", "a", "1", dropped("Action Input")),
            id="first input wins",
        ),
        pytest.param(
            "Action: a\nAction Input: 1\nObservation: fine\nThought: so\nConclusion: done",
            action("", "a", "1", dropped("Observation"), fabricated=True),
            id="an invented run",
        ),
        pytest.param(
            "Action: a\nAction Input: 1\nObservation\uff1a fine",
            action("", "a", "1", dropped("Observation"), fabricated=True),
            id="an invented observation, full-width colon",
        ),
        pytest.param(
            "Action: a\nAction Input: 1\nObservation:\nfine",
            action("", "a", "1", dropped("Observation"), fabricated=True),
            id="an invented observation below its label",
        ),
        pytest.param(
            "Action: a\nAction Input: 1\nThought: now\nAction: b\nObservation: fine",
            action("", "a", "1", dropped("Thought")),
            id="an observation of an invented action",
        ),
        pytest.param(
            "Action: a\nAction Input: 1\nObservation:",
            action("", "a", "1"),
            id="a bare label at the end is a stop",
        ),
        pytest.param(
            "Action: a\nAction Input: 1\nThought:", action("", "a", "1"), id="a bare thought"
        ),
        pytest.param(
            "Action: a\nAction Input: 1\nConclusion: done",
            action("", "a", "1", dropped("Conclusion")),
            id="a conclusion before the action's result",
        ),
        pytest.param(
            "Conclusion: done\nAction: a\nAction Input: 1",
            conclusion("", "done", dropped("Action")),
            id="an action behind a conclusion",
        ),
        pytest.param(
            "Conclusion: done\nConclusion: really",
            conclusion("", "done", dropped("Conclusion")),
            id="first conclusion wins",
        ),
        pytest.param(
            "Conclusion: done\nObservation: good\nObjective: next",
            conclusion("", "done", dropped("Observation"), fabricated=True),
            id="a conclusion with an observation",
        ),
        pytest.param(
            "Action: a\nAction Input: 1\nObjective: another",
            action("", "a", "1", dropped("Objective")),
            id="an invented objective",
        ),
    ],
)
def test_drops_what_follows_and_says_so(text: str, expected: Turn) -> None:
    assert parse_turn(text) == expected


@table_of(
    ("written", "tools", "name"),
    [
        pytest.param("read_file", {"read_file", "grep"}, "read_file", id="exactly"),
        pytest.param("Read-File", {"read_file", "grep"}, "read_file", id="case and hyphen"),
        pytest.param("read file", {"read_file", "grep"}, "read_file", id="blank"),
        pytest.param("**`read_file`**()", {"read_file"}, "read_file", id="decoration"),
        pytest.param("fly", {"read_file"}, "fly", id="unknown: as written"),
        pytest.param("Read-File", {"read_file", "read-file"}, "Read-File", id="could be two"),
        pytest.param(
            "read-file", {"read_file", "read-file"}, "read-file", id="one of two, exactly"
        ),
        pytest.param("READ", set[str](), "READ", id="no tools"),
    ],
)
def test_mends_a_name_that_can_mean_one_tool(written: str, tools: set[str], name: str) -> None:
    turn = parse_turn(f"Action: {written}\nAction Input: x", tools=tools)
    assert turn == action("", name, "x")


def test_says_nothing_of_an_input_that_is_not_needed() -> None:
    assert parse_turn("Action: ls", no_argument_tools=["ls"]) == action("", "ls")


GERMAN = dialect(
    dict(zip(Label, ("Ziel", "Idee", "Tat", "Mit", "Echo", "Fazit"), strict=True)),
)


def test_reads_another_dialect() -> None:
    text = "Idee: ich suche\nTat: grep\nMit: Action: x\nEcho: gefunden"
    assert parse_turn(text, dialect=GERMAN) == action(
        "ich suche", "grep", "Action: x", dropped("Echo"), fabricated=True
    )


LOOK = "I look\nAction: grep\nAction Input: a"


@table_of(
    "reply",
    [
        pytest.param(LOOK, id="to the letter"),
        pytest.param(f"{LOOK}\nObservation: found", id="what was imagined is cut"),
        pytest.param("nothing", id="unreadable anyway"),
    ],
)
def test_what_needed_no_repair_is_to_the_letter(reply: str) -> None:
    turn = parse_turn(reply, tools=["grep"])
    assert to_the_letter(turn) == turn


def test_what_was_repaired_is_not_to_the_letter() -> None:
    turn = parse_turn(f"```\nThought: {LOOK}\n```", tools=["grep"])
    assert (turn.kind, turn.action) == (Kind.ACTION, "grep")
    assert to_the_letter(turn) == Turn(
        Kind.MALFORMED,
        "I look",
        problem="it is not in the format (the fence around the reply was taken away)",
    )
