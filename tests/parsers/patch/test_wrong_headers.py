"""Headers of hunks that are wrong: repaired and listed wherever nothing can have been cut off."""

from check_rows import table_of

from react_agent.parsers.patch import Refused, Repaired, repair

FILES = {"x.py": "".join(f"{line}\n" for line in "pqrstuabcdef")}
NAMES = "--- a/x.py\n+++ b/x.py\n"
IN_CONTEXT = " a\n-b\n+B\n c\n"
IN_A_CHANGE = " a\n-b\n+B\n+C\n"
AFTER = {
    IN_CONTEXT: FILES["x.py"].replace("b", "B"),
    IN_A_CHANGE: FILES["x.py"].replace("b", "B\nC"),
}
CUT = "looks cut off"

CLOSED = "So:\n\n```diff\n{}```\n"
NEVER_CLOSED = "```diff\n{}"


def result(header: str, body: str, around: str = "{}") -> Repaired | Refused:
    return repair(around.format(f"{NAMES}{header}\n{body}"), FILES)


def text_of(done: Repaired | Refused) -> str | None:
    assert isinstance(done, Repaired), done.reasons
    return done.results[0].text


@table_of(
    ("header", "body", "is_read"),
    {
        "low": ("@@ -7,1 +7,1 @@", IN_CONTEXT, True),
        "low, in a change": ("@@ -7,1 +7,1 @@", IN_A_CHANGE, True),
        "zero": ("@@ -7,0 +7,0 @@", IN_CONTEXT, True),
        "high": ("@@ -7,9 +7,9 @@", IN_CONTEXT, False),
        "high, in a change": ("@@ -7,9 +7,9 @@", IN_A_CHANGE, False),
        "high by one, in a change": ("@@ -7,3 +7,3 @@", IN_A_CHANGE, False),
        "a slip above context": ("@@ -7,4 +7,5 @@", IN_CONTEXT, True),
    },
)
def test_a_fence_that_never_closes(header: str, body: str, is_read: bool) -> None:
    done = result(header, body, NEVER_CLOSED)
    if is_read:
        assert text_of(done) == AFTER[body]
        assert isinstance(done, Repaired)
        assert sum(said.startswith("hunk 1: ") and "counted" in said for said in done.repairs) == 1
    else:
        assert isinstance(done, Refused)
        assert CUT in done.reasons[0]


@table_of(
    ("header", "body", "is_read"),
    {
        "high, in context": ("@@ -7,9 +7,9 @@", IN_CONTEXT, True),
        "high, in a change": ("@@ -7,9 +7,12 @@", IN_A_CHANGE, False),
        "low": ("@@ -7,1 +7,1 @@", IN_A_CHANGE, True),
    },
)
def test_a_text_without_a_fence(header: str, body: str, is_read: bool) -> None:
    done = result(header, body)
    assert isinstance(done, Repaired) is is_read
    assert not is_read or text_of(done) == AFTER[body]


@table_of(
    ("announced", "came", "is_read"),
    [(4, 3, True), (4, 2, False), (7, 5, True), (12, 9, True), (12, 8, False)],
)
def test_a_new_file_at_the_end_may_lack_few_of_its_lines(
    announced: int, came: int, is_read: bool
) -> None:
    lines = "".join(f"+{number}\n" for number in range(came))
    patch = f"--- /dev/null\n+++ b/n.py\n@@ -0,0 +1,{announced} @@\n{lines}"
    assert isinstance(repair(patch, FILES), Repaired) is is_read
    assert isinstance(repair(CLOSED.format(patch), FILES), Repaired)


def test_counts_do_not_decide_between_two_places() -> None:
    twice = {"x.py": "a\nb\nc\n" * 2}
    done = repair(CLOSED.format(f"{NAMES}@@ -90,9 +90,9 @@\n{IN_CONTEXT}"), twice)
    assert isinstance(done, Refused)
    assert "fits equally well" in done.reasons[0]
