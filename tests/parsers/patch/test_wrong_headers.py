"""Headers of hunks that are wrong: repaired and listed wherever nothing can have been cut off."""

from collections.abc import Callable
from itertools import product

import pytest
from check_rows import table_of

from react_agent.parsers.patch import Refused, Repaired, repair

FILES = {
    "x.py": "".join(f"{line}\n" for line in "pqrstuabcdef"),
    "y.py": "old\n",
}
NAMES = "--- a/x.py\n+++ b/x.py\n"
IN_CONTEXT = " a\n-b\n+B\n c\n"
IN_A_CHANGE = " a\n-b\n+B\n+C\n"
AFTER = {
    IN_CONTEXT: FILES["x.py"].replace("b", "B"),
    IN_A_CHANGE: FILES["x.py"].replace("b", "B\nC"),
}
COUNTS = {IN_CONTEXT: (3, 3), IN_A_CHANGE: (2, 3)}
OTHER_FILE = "--- a/y.py\n+++ b/y.py\n@@ -1 +1 @@\n-old\n+new\n"
OTHER_HUNK = "@@ -11 +11 @@\n-e\n+E\n"
CUT = "looks cut off"

Around = Callable[[str], str]


def closed(patch: str) -> str:
    return f"So:\n\n```diff\n{patch}```\n"


def closed_with_prose(patch: str) -> str:
    return f"```diff\n{patch}\n```\n\nThis mends it.\n"


def opened_in_the_prompt(patch: str) -> str:
    return f"{patch}```\n"


def before_a_hunk(patch: str) -> str:
    return f"{patch}{OTHER_HUNK}"


def before_a_file(patch: str) -> str:
    return f"{patch}{OTHER_FILE}"


def never_closed(patch: str) -> str:
    return f"```diff\n{patch}"


def alone(patch: str) -> str:
    return patch


WHOLE = (closed, closed_with_prose, opened_in_the_prompt, before_a_hunk, before_a_file)
HEADERS = [
    "@@ -7,9 +7,9 @@",  # both too high
    "@@ -7,9 +7,3 @@",  # old too high
    "@@ -7,3 +7,20 @@",  # new too high
    "@@ -7,1 +7,1 @@",  # both too low
    "@@ -7,1 +7,3 @@",  # old too low
    "@@ -7,3 +7,1 @@",  # new too low
    "@@ -7,0 +7,0 @@",  # zero
    "@@ -7,0 +7,3 @@",  # old zero
    "@@ -7,3 +7,0 @@",  # new zero
    "@@ -7,9 +7,1 @@",  # one too high, one too low
    "@@ -7 +7 @@",  # no counts
    "@@ -90,9 +95,9 @@",  # start wrong too
]
UNCOUNTED = ["@@", "@@ @@", "@@ ... @@", "@@ ... @@ def f():", "@@ -,+ @@", "@@ -90 @@"]


def result(text: str) -> Repaired | Refused:
    return repair(text, FILES)


def of_counts(done: Repaired) -> list[str]:
    return [said for said in done.repairs if said.startswith("hunk 1: ") and "counted" in said]


@table_of(("header", "around", "body"), product(HEADERS, WHOLE, (IN_CONTEXT, IN_A_CHANGE)))
def test_wrong_counts_are_repaired_and_listed(header: str, around: Around, body: str) -> None:
    done = result(around(f"{NAMES}{header}\n{body}"))
    assert isinstance(done, Repaired), done.reasons
    assert done.results[0].text == _with_other(AFTER[body], around)
    if around is before_a_file:
        return  # its repairs carry the name of the file
    [said] = of_counts(done)
    assert f"there are {COUNTS[body][0]} and {COUNTS[body][1]}" in said


def _with_other(text: str, around: Around) -> str:
    return text.replace("\ne\n", "\nE\n") if around is before_a_hunk else text


@table_of(("header", "around"), product(UNCOUNTED, [*WHOLE, never_closed, alone]))
def test_missing_counts_are_found(header: str, around: Around) -> None:
    for body in (IN_CONTEXT, IN_A_CHANGE):
        done = result(around(f"{NAMES}{header}\n{body}"))
        assert isinstance(done, Repaired), done.reasons
        assert done.results[0].text == _with_other(AFTER[body], around)


@table_of(
    ("header", "body", "is_read"),
    [
        pytest.param("@@ -7,1 +7,1 @@", IN_CONTEXT, True, id="low"),
        pytest.param("@@ -7,1 +7,1 @@", IN_A_CHANGE, True, id="low, in a change"),
        pytest.param("@@ -7,0 +7,0 @@", IN_CONTEXT, True, id="zero"),
        pytest.param("@@ -7,9 +7,9 @@", IN_CONTEXT, False, id="high"),
        pytest.param("@@ -7,9 +7,9 @@", IN_A_CHANGE, False, id="high, in a change"),
        pytest.param("@@ -7,3 +7,3 @@", IN_A_CHANGE, False, id="high by one, in a change"),
        pytest.param("@@ -7,4 +7,5 @@", IN_CONTEXT, True, id="a slip above context"),
    ],
)
def test_a_fence_that_never_closes(header: str, body: str, is_read: bool) -> None:
    done = result(never_closed(f"{NAMES}{header}\n{body}"))
    if is_read:
        assert isinstance(done, Repaired), done.reasons
        assert done.results[0].text == AFTER[body]
        assert len(of_counts(done)) == 1
    else:
        assert isinstance(done, Refused)
        assert CUT in done.reasons[0]


@table_of(
    ("header", "body", "is_read"),
    [
        pytest.param("@@ -7,9 +7,9 @@", IN_CONTEXT, True, id="high, in context"),
        pytest.param("@@ -7,9 +7,12 @@", IN_A_CHANGE, False, id="high, in a change"),
        pytest.param("@@ -7,1 +7,1 @@", IN_A_CHANGE, True, id="low"),
    ],
)
def test_a_text_without_a_fence(header: str, body: str, is_read: bool) -> None:
    done = result(f"{NAMES}{header}\n{body}")
    assert isinstance(done, Repaired) is is_read
    if isinstance(done, Repaired):
        assert done.results[0].text == AFTER[body]


@table_of(
    ("announced", "came", "is_read"),
    [(4, 3, True), (4, 2, False), (7, 5, True), (12, 9, True), (12, 8, False)],
)
def test_a_new_file_at_the_end_may_lack_few_of_its_lines(
    announced: int, came: int, is_read: bool
) -> None:
    lines = "".join(f"+{number}\n" for number in range(came))
    patch = f"--- /dev/null\n+++ b/n.py\n@@ -0,0 +1,{announced} @@\n{lines}"
    assert isinstance(result(patch), Repaired) is is_read
    assert isinstance(result(closed(patch)), Repaired)


def test_a_hunk_at_its_line_lists_its_counts() -> None:
    lines = {"x.py": "".join(f"{n}\n" for n in range(1, 10)) + "a\nb\n"}
    done = repair("```diff\n--- a/x.py\n+++ b/x.py\n@@ -10,4 +10,5 @@\n a\n+new\n b\n```\n", lines)
    assert isinstance(done, Repaired)
    assert done.repairs == (
        "the fence around the patch was left out",
        "hunk 1: its header counted 4 and 5 lines, there are 2 and 3",
    )


def test_counts_do_not_decide_between_two_places() -> None:
    twice = {"x.py": "a\nb\nc\n" * 2}
    done = repair(closed(f"{NAMES}@@ -90,9 +90,9 @@\n{IN_CONTEXT}"), twice)
    assert isinstance(done, Refused)
    assert "fits equally well" in done.reasons[0]
