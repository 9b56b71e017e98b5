from check_rows import table_of

from react_agent.parsers.patch.reading.reader import read_changes


def diff(name: str, start: int, *lines: str) -> str:
    return "\n".join((f"--- a/{name}", f"+++ b/{name}", f"@@ -{start},9 +{start},9 @@", *lines))


def fenced(text: str) -> str:
    return f"```diff\n{text}\n```"


FIRST = diff("x.py", 5, " def first(a):", "-    return a", "+    return a + 1")
AGAIN = diff("x.py", 5, " def first(a):", "-    return a", "+    return a + 2")
BELOW = diff("x.py", 50, " def second(b):", "-    return b * 2", "+    return b * 3")
OTHER = diff("y.py", 5, " def other(c):", "-    return c % 3", "+    return c % 4")
MADE = "--- /dev/null\n+++ b/x.py\n@@ -0,0 +1,2 @@\n+def first(a):\n+    return a"


def offered(first: str, second: str) -> str:
    return f"Option 1:\n{fenced(first)}\nAlternatively, with more around it:\n{fenced(second)}"


def test_two_alternatives_that_make_the_same_change_are_one() -> None:
    wider = FIRST.replace("-5,9 +5,9", "-4,9 +4,9").replace(" def", " \n def")
    reading = read_changes(offered(FIRST, wider))
    [hunk] = reading.changes[0].hunks
    assert reading.problem == ""
    assert ["".join(line) for line in hunk.lines] == [" ", *FIRST.split("\n")[3:]]


@table_of("other", [AGAIN, FIRST.replace("-5,9", "-500,9"), BELOW, OTHER, f"{FIRST}\n{OTHER}"])
def test_two_alternatives_that_differ_are_refused(other: str) -> None:
    assert "offered as alternatives" in read_changes(offered(FIRST, other)).problem


@table_of(
    ("text", "reason"),
    {
        "another file, thought over": (
            f"{fenced(FIRST)}\nWait, it is in the other file:\n{fenced(OTHER)}",
            "it is not clear whether the change to x.py in lines 2-7 still applies after the "
            "text below it: send the final diff only, once for each file",
        ),
        "made and changed": (
            f"{fenced(MADE)}\nNow the rest:\n{fenced(BELOW)}",
            "it is not clear whether the change to x.py in lines 10-15 replaces the one in "
            "lines 2-6: send the final diff only, once for each file",
        ),
        "taken back": (
            f"{fenced(FIRST)}\nWait, that is wrong.",
            "the text below the last change withdraws it, 'Wait, that is wrong.': send the "
            "final diff only",
        ),
    },
)
def test_says_what_can_not_be_told(text: str, reason: str) -> None:
    reading = read_changes(text)
    assert (reading.problem, reading.changes) == (reason, ())
