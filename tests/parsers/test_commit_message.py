"""Habits: a history of messages, the same words of a model, and the right message."""

from collections.abc import Callable, Sequence

from check_rows import EachRow
from hypothesis import given
from hypothesis import strategies as st
from reader_rows import FOLDER, read_rows

from react_agent.parsers.forge.commit_message import About, Habit, habit_of, message_of, subject_of

ISSUE = About(
    title="Long names of units are not understood",
    text="Long names of units are not understood\n\nSee also DESK-7.",
    number=12,
    paths=("stopwatch/parsing.py", "time/units.py", "tests/test_parsing.py"),
    author="Ada Vale <ada@example.org>",
)
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
FIXED = begun(
    "Fixes DESK-9: ", "Fixes DESK-8: ", "Closes DESK-7: ", "Fixes DESK-6: ", "Fixes DESK-5: "
)
BRACKETED = begun("[parsing] ", "[printing] ", "[parsing] ", "[docs] ", "[cli] ")
CPYTHON = begun("gh-90110: ", "gh-88123: ", "gh-87001: ", "", "gh-86500: ")
DJANGO = begun("Fixed #35001 -- ", "Refs #34999 -- ", "Fixed #34990 -- ", "", "Fixed #34985 -- ")
MIXED = begun("fix: ", "", "[cli] ", "DESK-12: ", "parsing: ")


def habit(history: Sequence[str], tail: str = "") -> Habit:
    return habit_of([text + tail for text in history])


HISTORIES = {
    "BARE": BARE,
    "GITMOJI": GITMOJI,
    "GO": GO,
    "TICKETS": TICKETS,
    "FIXED": FIXED,
    "BRACKETED": BRACKETED,
    "CPYTHON": CPYTHON,
    "DJANGO": DJANGO,
    "MIXED": MIXED,
    "PLAIN": PLAIN,
    "LOWER": LOWER,
    "CONVENTIONAL": CONVENTIONAL,
    "SHORT": CONVENTIONAL[:4],
    "WEB": (*CONVENTIONAL[:5], "fix(web): a"),
}


def _subject(history: str, said: str, kind: str, about: About = ISSUE) -> str:
    return subject_of(said, kind, habit(HISTORIES[history]), about)


FUNCTIONS: dict[str, Callable[..., object]] = {
    "message": lambda tail, body: message_of(
        "Do it", body, habit(PLAIN, tail) if tail else Habit(), ISSUE
    ),
    "subject": _subject,
    "subject_about": lambda history, said, kind, title, *paths: _subject(
        history, said, kind, About(title, paths=paths)
    ),
    "subject_without_number": lambda history, text: _subject(
        history, "Accept it", "", About("A title", text, paths=("a.py",))
    ),
}


def test_gives_the_value_of_each_row(each_row: EachRow) -> None:
    each_row(read_rows(FOLDER / "own/commit-message.txt"), lambda row: row.check(FUNCTIONS))


def test_one_who_helped_is_named() -> None:
    about = About("x", co_authors=("Rob Vale <rob@example.org>", "Eve <eve@example.org>"))
    assert message_of("Do it", "", Habit(), about) == (
        "Do it\n\n"
        "Co-authored-by: Rob Vale <rob@example.org>\nCo-authored-by: Eve <eve@example.org>\n"
    )


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
