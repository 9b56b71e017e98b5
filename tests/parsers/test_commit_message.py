"""Habits: a history of messages, the same words of a model, and the right message."""

from collections.abc import Sequence

from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.forge.commit_message import About, Habit, habit_of, message_of, subject_of

ISSUE = About(
    title="Long names of units are not understood",
    text="Long names of units are not understood\n\nSee also DESK-7.",
    number=12,
    paths=("stopwatch/parsing.py", "time/units.py", "tests/test_parsing.py"),
    author="Ada Vale <ada@example.org>",
)
SAID = "Accept long names of units"
PLAIN = (
    "Leave out zero minutes",
    "Read fractions of a second",
    "Refuse an empty text",
    "Move the units into a table",
    "Write about units",
)
LOWER = tuple(map(str.lower, PLAIN))
CONVENTIONAL = (
    "feat(parsing): read fractions of a second",
    "fix(printing): leave out zero minutes",
    "docs: say how durations are written",
    "fix(parsing): refuse an empty text (#31)",
    "refactor(cli)!: take one file only",
    "chore(deps): bump pytest from 7 to 8",
)


def begun(*begins: str, texts: Sequence[str] = PLAIN) -> Sequence[str]:
    return [f"{begin}{text}" for begin, text in zip(begins, texts, strict=True)]


BARE = begun("fix: ", "feat: ", "chore: ", "docs: ", "test: ", texts=LOWER)
GITMOJI = begun(":bug: ", ":sparkles: ", ":memo: ", ":bug: ", ":recycle: ")
GO = begun(
    *("net/http: ", "cmd/go: ", "net/http, net/textproto: ", "time: ", "encoding/json: "),
    texts=LOWER,
)
TICKETS = begun("DESK-101: ", "DESK-99: ", "DESK-87: ", "", "DESK-55: ")
BRACKETED = begun("[parsing] ", "[printing] ", "[parsing] ", "[docs] ", "[cli] ")
CPYTHON = begun("gh-90110: ", "gh-88123: ", "gh-87001: ", "", "gh-86500: ")
DJANGO = begun("Fixed #35001 -- ", "Refs #34999 -- ", "Fixed #34990 -- ", "", "Fixed #34985 -- ")
MIXED = begun("fix: ", "", "[cli] ", "DESK-12: ", "parsing: ")


def habit(history: Sequence[str], tail: str = "") -> Habit:
    return habit_of([text + tail for text in history])


@table_of(
    ("rows", "expected"),
    {
        "with scope": (CONVENTIONAL, "fix(parsing): accept long names of units"),
        "without scope": (BARE, "fix: accept long names of units"),
        "gitmoji": (GITMOJI, "Accept long names of units"),
        "go": (GO, "time: accept long names of units"),
        "ticket": (TICKETS, "DESK-7: Accept long names of units"),
        "bracketed": (BRACKETED, "[parsing] Accept long names of units"),
        "plain": (PLAIN, "Accept long names of units"),
        "lower case": (LOWER, "accept long names of units"),
        "number of the issue": (CPYTHON, "gh-12: Accept long names of units"),
        "Fixed #12 --": (DJANGO, "Fixed #12 -- Accept long names of units"),
        "no habit is clear": (MIXED, "Accept long names of units"),
        "too short a history": (CONVENTIONAL[:4], "Accept long names of units"),
    },
)
def test_a_subject_is_as_the_others(rows: Sequence[str], expected: str) -> None:
    assert subject_of(SAID, "fix", habit(rows), ISSUE) == expected


@table_of(
    ("said", "rows", "expected"),
    {
        "has a type": ("fix(parsing): accept names.", CONVENTIONAL, "accept names"),
        "another ticket": ("DESK-99: Accept names", TICKETS, "Accept names"),
        "a name stays": ("`parse_duration` takes names", LOWER, "takes names"),
        "a colon of the sentence": ("iOS: read names", PLAIN, "iOS: read names"),
        "checks are not skipped": ("Accept names [skip ci]", PLAIN, "Accept names"),
        "nothing: the title": ("", PLAIN, "Long names of units are not understood"),
        "control": ("Accept \x1b[31mred", PLAIN, "Accept <U+001B>[31mred"),
        "long": (
            "word " * 30,
            PLAIN,
            "Word word word word word word word word word word word word word word…",
        ),
    },
)
def test_words_of_a_model_are_taken_as_words(said: str, rows: Sequence[str], expected: str) -> None:
    subject = subject_of(said, "", habit(rows), ISSUE)
    assert subject.endswith(expected)
    assert len(subject) <= 72


def test_a_type() -> None:
    history = habit(BARE)
    assert subject_of("do it", "feature", history, About("x")) == "feat: do it"
    assert subject_of("do it", "", history, About("Add a flag")) == "feat: do it"
    assert subject_of("do it", "magic", history, About("It crashes")) == "fix: do it"


@table_of(
    ("rows", "paths", "expected"),
    {
        "a file beside it; tests don't count": (
            (*CONVENTIONAL[:5], "fix(web): a"),
            *(("web/b.js", "tests/test_x.py"), "fix(web): x"),
        ),
        "an unknown one": (CONVENTIONAL, ("docs/a/x.py",), "fix: x"),
    },
)
def test_an_area(rows: Sequence[str], paths: tuple[str, ...], expected: str) -> None:
    assert subject_of("x", "fix", habit(rows), About("t", paths=paths)) == expected


def test_an_unknown_number_is_not_made_up() -> None:
    nameless = About("A title", "A title", paths=("a.py",))
    for rows in (TICKETS, CPYTHON, DJANGO):
        assert subject_of("Accept it", "", habit(rows), nameless).startswith("Accept")
    several = About("A title", "DESK-7 or DESK-8", paths=("a.py",))
    assert subject_of("Accept it", "", habit(TICKETS), several) == "Accept it"


SIGNED = "\n\nBecause.\n\nSigned-off-by: Rob Vale <rob@example.org>"


@table_of(
    ("tail", "expected"),
    {
        "sign-off": (SIGNED, "\n\nSigned-off-by: Ada Vale <ada@example.org>"),
        "a trailer": ("\n\nWhy.\n\nFixes: #7", "\n\nFixes: #12"),
        "a line": ("\n\nWhy.\n\nFixes #7", "\n\nFixes #12"),
        "an address": (
            "\n\nCloses: https://example.org/a/b/issues/7",
            "\n\nCloses: https://example.org/a/b/issues/12",
        ),
        "a commit that is repaired": ('\n\nFixes: 0123456789ab ("x: y")', ""),
    },
)
def test_trailers(tail: str, expected: str) -> None:
    assert message_of("Do it", "It was so.", habit(PLAIN, tail), ISSUE) == (
        f"Do it\n\nIt was so.{expected}\n"
    )


def test_one_who_helped_is_named() -> None:
    about = About("x", co_authors=("Rob Vale <rob@example.org>", "Eve <eve@example.org>"))
    assert message_of("Do it", "", Habit(), about) == (
        "Do it\n\n"
        "Co-authored-by: Rob Vale <rob@example.org>\nCo-authored-by: Eve <eve@example.org>\n"
    )


@table_of(
    ("body", "expected"),
    {
        "prose is filled": ("it is\ndone", "it is done"),
        "a list stays": ("it:\n- one\n- two", "it:\n- one\n- two"),
        "it signs nothing": ("Signed-off-by: L <l@x>\nSo.", "So."),
        "no other issue": ("Fixes #99, fixes #12.", "about #99, fixes #12."),
        "it skips no checks": ("So.\n\n***NO_CI***", "So."),
        "it asks no hook for a run": ("Agent: do more\nSo.", "So."),
        "nor where lines are filled": (
            f"{'so ' * 23}Signed-off-by: L <l@x>",
            f"{'so ' * 22}so\n Signed-off-by: L <l@x>",
        ),
    },
)
def test_a_body_gives_no_orders(body: str, expected: str) -> None:
    parts = ("Do it", expected) if expected else ("Do it",)
    assert message_of("Do it", body, Habit(), ISSUE) == "\n\n".join(parts) + "\n"


@given(st.text(), st.text(), st.lists(st.text(), max_size=8), st.integers(0, 99))
def test_any_words_in_any_history_are_one_message(
    said: str, body: str, messages: list[str], number: int
) -> None:
    habit_then = habit_of(messages)
    about = About("A title", number=number, paths=("a.py",), author="A <a@x>")
    subject = subject_of(said, body, habit_then, about)
    assert "\n" not in subject
    assert subject.strip()
    text = message_of(subject, body, habit_then, about)
    assert text.startswith(f"{subject}\n")
