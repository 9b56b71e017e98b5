"""Every code block of README.md and docs/ is run or read by a test, or says why not."""

from pathlib import Path

import pytest
from block_kinds import Kind, kind_of, read
from check_rows import table_of
from code_blocks import PAGES, ROOT, Block, Fate, Mark, blocks_of, marks_in, spoken_code, text_of
from shown_commands import calls_in, objection

TEXTS = {page: text_of(page) for page in PAGES}
BLOCKS = {page: blocks_of(page, text) for page, text in TEXTS.items()}
pages = table_of("page", [*PAGES])


@pytest.mark.checkout
@pages
def test_each_block_is_of_a_kind_or_says_why_not(page: str) -> None:
    unknown = [str(block) for block in BLOCKS[page] if block.mark is None and not kind_of(block)]
    assert unknown == []


@pytest.mark.checkout
@pages
def test_each_mark_is_for_something(page: str) -> None:
    marks = [block.mark for block in BLOCKS[page] if block.mark]
    assert [mark for mark in marks_in(TEXTS[page]) if mark not in marks] == []
    made = ("<!-- the attacks, from the tests -->",)
    others = TEXTS[page].count("<!-- ") - sum(map(TEXTS[page].count, made))
    assert others == len(list(marks_in(TEXTS[page]))), "a mark is misspelled"


@pytest.mark.checkout
@pages
def test_a_block_that_another_test_takes_is_known_to_it(page: str) -> None:
    for block in BLOCKS[page]:
        if block.mark and block.mark.fate is Fate.TESTED:
            assert Path(page).name in (ROOT / block.mark.words).read_text(encoding="utf-8")


@pytest.mark.checkout
@pages
def test_what_is_printed_has_commands_before_it(page: str) -> None:
    before: Block | None = None
    for block in BLOCKS[page]:
        if block.mark and block.mark.fate is Fate.PRINTED:
            assert before and before.mark is None and kind_of(before) is Kind.COMMANDS, str(block)
        else:
            before = block


@pytest.mark.checkout
@pages
def test_our_readers_read_what_is_shown(page: str, tmp_path: Path) -> None:
    for block in BLOCKS[page]:
        kind = kind_of(block)
        if block.mark is None and kind:
            read(kind, block.text, tmp_path)


@pytest.mark.checkout
@pages
def test_there_are_the_commands_and_options_that_it_shows(page: str) -> None:
    texts = [block.text for block in BLOCKS[page]]
    texts += [code for code in spoken_code(TEXTS[page]) if code.startswith("react-agent ")]
    wrong = {
        " ".join(call): said
        for text in texts
        for call in calls_in(text)
        if (said := objection(call))
    }
    assert wrong == {}


def test_a_mark_is_for_one_block() -> None:
    text = "<!-- not run: a picture -->\n\n    x\n\n    y\n\nb\n\n    z\n"
    marked = Block("p", 3, "x\n\ny\n", "", Mark(Fate.NOT_RUN, "a picture"))
    assert blocks_of("p", text) == [marked, Block("p", 9, "z\n")]


@table_of(
    ("text", "expected"),
    {
        "a remark": ("react-agent show RUN     read it", [["show", "RUN"]]),
        "two lines": ("react-agent fork R \\\n  --at 7", [["fork", "R", "--at", "7"]]),
        "in a pipe": ("cat x | react-agent repair | git apply", [["repair"]]),
        "quotes": ("react-agent solve '#1 a'", [["solve", "#1 a"]]),
        "what it says": ("react-agent: no such thing", []),
    },
)
def test_finds_calls(text: str, expected: list[list[str]]) -> None:
    assert list(calls_in(text)) == expected


@table_of(
    ("call", "expected"),
    {
        "what is lacking": ("solve", ""),
        "no command": ("--version", ""),
        "no such command": ("shw RUN", "there is no command 'shw'"),
        "none in a group": ("eval rn", "there is no command 'rn'"),
        "no such option": ("show RUN --tokns", "No such option: --tokns"),
        "not of the filter": ("repair --explian x", "No such option: --explian"),
    },
)
def test_objects_to_what_there_is_not(call: str, expected: str) -> None:
    assert objection(call.split()).startswith(expected)
    assert bool(objection(call.split())) == bool(expected)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Kind.SETTINGS, "[react_agent]\nmodle = x\n"),
        (Kind.SETTINGS, "[react_agent]\ntest = true\nmodel = x\n"),
        (Kind.PROFILE, "[profile]\nguard = dog\n"),
        (Kind.PROCEDURE, "procedure: x\nstate: a\n  next: nowhere\n"),
        (Kind.TRANSCRIPT, "Thought:without a blank\n"),
        (Kind.YAML, "a: [\n"),
        (Kind.ISSUE, "---\n---\nx\n"),
        (Kind.COMMIT, "a\n\nagent, fix it\n"),
        (Kind.PYTHON, "def x(:\n"),
    ],
)
def test_a_mistake_is_seen(kind: Kind, text: str, tmp_path: Path) -> None:
    with pytest.raises(Exception):  # noqa: B017  each reader has its own
        read(kind, text, tmp_path)
