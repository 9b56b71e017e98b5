"""Texts and events as a page words them."""

import re

from check_rows import table_of
from html_of import Elements

from react_agent.page.markup import code, diff, gist
from react_agent.page.plot import chart
from react_agent.page.run import notes
from react_agent.parsers.text.counted import size_of
from react_agent.parsers.transcript.entries import HEADER, Event, Objective, Reading, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.runs.history import story
from react_agent.state.steps import compressed_event

BLOCK = "a.py\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE"


@table_of(
    ("event", "expected"),
    {
        "left out": (
            compressed_event("compressed", [2, 4, 5, 6]),
            "From here on, prompts leave out what steps 2, 4–6 showed",
        ),
        "always": (compressed_event("shelved", [3], stage="history"), ""),
        "taken back": (
            compressed_event("retracted", [3], "it is wrong"),
            "Step 3 taken back: it is wrong",
        ),
        "asked": (
            Event("asked", "for=condense in=10 out=2"),
            "A model was asked to condense: 10 tokens in, 2 out",
        ),
        "open": (
            Event("open", "not_run no test was run"),
            "Open at the Conclusion: no test was run",
        ),
        "bookkeeping": (Event("sandbox", "none"), ""),
    },
)
def test_says_what_happened(event: Event, expected: str) -> None:
    assert Elements(notes([event], "")).text() == expected


def test_steps_that_an_event_names_are_links() -> None:
    page = Elements(notes([compressed_event("shelved", [1, 2, 5])], "7."))
    links = [found["href"] for tag, found in page.tags if tag == "a"]
    assert links == ["#step-7.1", "#step-7.2", "#step-7.5"]


@table_of(
    ("text", "looks", "expected"),
    {
        "added": ("@@ -1 +1 @@\n-a\n+b\n c", "added", "+b\n"),
        "no head is a line": ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n", "taken", ""),
        "block, before": (BLOCK, "taken", "old\n"),
        "block, after": (BLOCK, "added", "new\n"),
    },
)
def test_colours_lines(text: str, looks: str, expected: str) -> None:
    page = Elements(diff(text))
    assert page.text(looks) == expected
    assert page.text("diff") == f"\n{text}"  # to the letter, behind what a browser drops


@table_of(
    ("text", "first"),
    {
        "short": ("ls", "code"),
        "two lines": ("a\nb", "pre"),
        "an edit": (BLOCK, "pre"),
        "long": ("a\n" * 30, "details"),
    },
)
def test_folds_an_input_that_is_long(text: str, first: str) -> None:
    assert Elements(code(text)).tags[0][0] == first


def test_a_gist_of_a_program_has_its_last_words() -> None:
    assert gist("exit code 1\nmuch\nFAILED (failures=1)\n") == "exit code 1 … FAILED (failures=1)"
    assert (gist("\n first\nsecond"), gist("")) == ("first", "nothing")
    assert size_of("a\nb") == "2 lines, 3 B"


def test_a_chart_has_as_many_steps_as_there_are_prompts() -> None:
    said = Said(Turn(Kind.ACTION, "x", "ls", ""), facts={"in": "100", "cost": "0.5"})
    entries = [Event(HEADER, "2"), Objective("x"), said, Seen("y"), said, Seen("y"), said]
    drawn = chart(story(Reading(tuple(entries))))
    page = Elements(drawn)
    assert [found["data-steps"] for tag, found in page.tags if "data-steps" in found] == ["3"]
    assert "prompts of 100 tokens at first, of 100 at most" in drawn
    assert not chart(story(Reading(tuple(entries[:2]))))


def test_the_first_prompt_is_that_of_the_first_reply_of_a_model() -> None:
    guard, said = (
        Said(Turn(Kind.ACTION, "x", "ls", ""), facts=facts)
        for facts in ({"by": "guard"}, {"in": "100"})
    )
    entries = [Event(HEADER, "2"), Objective("x"), guard, Seen("y"), said]
    drawn = chart(story(Reading(tuple(entries))))
    assert "prompts of 100 tokens at first, of 100 at most" in drawn


@table_of("tokens", ["100", "11", "8800"])
def test_no_area_of_a_chart_is_above_its_plot(tokens: str) -> None:
    said = Said(Turn(Kind.ACTION, "x", "ls", ""), facts={"in": tokens})
    entries = [Event(HEADER, "2"), Objective("x"), said, Seen("y"), said, Seen("y"), said]
    paths = [
        found["d"]
        for tag, found in Elements(chart(story(Reading(tuple(entries))))).tags
        if "d" in found
    ]
    heights = [int(height) for path in paths for height in re.findall(r"V(-?\d+)", path)]
    assert heights
    assert min(heights) >= 0
