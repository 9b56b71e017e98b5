"""Where the old text of a replacement stands, and what the file says with the new one."""

import pytest
from check_rows import table_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from react_agent.parsers.edits.edits import Replacement, replaced
from react_agent.parsers.patch import Refused, Repaired

NUMBERS = "hunk 1: the line numbers of a listing were left out"
MARKS = "hunk 1: marks that only a transcript has were left out"
PART = "matched as part of a line"
ELSEWHERE = "quotes lines that the file does not have: read the file again, and quote it"
SEVERAL = "quote more of the lines around the one you mean, or say that you mean all of them"


def shifted(how: str) -> str:
    return f"hunk 1: re-indented by {how}, its new lines too"


def made(content: str, *wanted: Replacement) -> tuple[str, ...]:
    """The new content and what was mended, or the first lines of why not."""
    found = replaced(wanted, {"f": content})
    if isinstance(found, Refused):
        return tuple(reason.split("\n")[0] for reason in found.reasons)
    [result] = found.results
    assert result.text is not None
    return (result.text, *found.repairs)


@table_of(
    ("content", "old", "new", "after", "mended"),
    [
        pytest.param(
            "\ta\r\n", "a\n", "b\nc\n", "\tb\r\n\tc\r\n", shifted("1 tab more"), id="tab, CRLF"
        ),
        pytest.param(
            "  a\n", "   1| a\n", "b\n", "  b\n", f"{NUMBERS}; {shifted('2 spaces more')[8:]}",
            id="numbered lines, other indentation",
        ),
        pytest.param(
            "Action: a\n\f\n", "\\Action: a\n<U+000C>\n", "\\Action: b\n<U+000C>\n",
            "Action: b\n\f\n", MARKS, id="our marks",
        ),
        pytest.param("1.42, 42.5, 42\n", "42\n", "24\n", "1.42, 42.5, 24\n", PART, id="decimals"),
    ],
)  # fmt: skip
def test_finds_lines_the_strictest_way_first(
    content: str, old: str, new: str, after: str, mended: str
) -> None:
    assert made(content, Replacement("f", old, new)) == (after, *filter(None, [mended]))


@table_of(
    ("content", "old", "new", "after"),
    {
        "a newline": ("a\nb\n", "\nb", "c", ("ac\n",)),
        "a part of a word": ("max = 1\n", "x = 1", "y", ("may\n",)),
        "CRLF": ("a\r\nb\r\n", "a\nb", "c\nd", ("c\r\nd\r\n",)),
        "two that lap over": (
            "aaa",
            "aa",
            "b",
            (f"the old text occurs several times in f, at lines 1: {SEVERAL}",),
        ),
        "two": (
            "a\nb\na\n",
            "a",
            "b",
            (f"the old text occurs several times in f, at lines 1, 3: {SEVERAL}",),
        ),
    },
)
def test_finds_any_text_of_an_object(
    content: str, old: str, new: str, after: tuple[str, ...]
) -> None:
    assert made(content, Replacement("f", old, new, whole_lines=False)) == after


@table_of(
    ("content", "old", "new", "reason"),
    [
        pytest.param("a\n\nb = .42\n", "42\n", "24\n", ELSEWHERE, id="a part of a number"),
        pytest.param("  a\n b\n", "a\nb\n", "c\n", ELSEWHERE, id="indented differently"),
        pytest.param("f(a, b, c)\n", "a, b\n", "a, b, c\n", ELSEWHERE, id="a part, done before"),
    ],
)
def test_guesses_nothing(content: str, old: str, new: str, reason: str) -> None:
    assert made(content, Replacement("f", old, new)) == (f"hunk 1 of f {reason}",)


def test_says_where_all_the_parts_are() -> None:
    assert made("a = 42\n\nb = 42\n", Replacement("f", "42\n", "24\n")) == (
        f"the old text occurs several times in f, at lines 1, 3: {SEVERAL}",
    )


ANY = st.text(alphabet=st.sampled_from("ab \n\r\t1|\\<"), max_size=30) | st.text(max_size=30)


@settings(max_examples=25)
@given(ANY, ANY, ANY, st.data())
def test_what_stands_once_is_replaced_and_nothing_else(
    before: str, new: str, behind: str, data: st.DataObject
) -> None:
    old = data.draw(ANY.filter(bool))
    content = before + old + behind
    assume(sum(content.startswith(old, at) for at in range(len(content))) == 1)
    expected = content.replace(old, new, 1)
    assume(expected != content)
    assert made(content, Replacement("f", old, new, whole_lines=False)) == (expected,)


LINES = st.lists(st.text(alphabet="ab \t", max_size=3), max_size=8)


@settings(max_examples=25)
@given(LINES, LINES.filter(lambda lines: any(map(str.strip, lines))), LINES, LINES)
def test_whole_lines_that_stand_once_are_replaced(
    above: list[str], old: list[str], new: list[str], below: list[str]
) -> None:
    lines = [*above, *old, *below]
    assume(sum(lines[at : at + len(old)] == old for at in range(len(lines))) == 1)
    joined = ["".join(f"{line}\n" for line in part) for part in (lines, old, new)]
    expected = "".join(f"{line}\n" for line in (*above, *new, *below))
    assume(expected != joined[0])
    assert made(joined[0], Replacement("f", joined[1], joined[2])) == (expected,)


@pytest.mark.parametrize("whole_lines", [True, False])
def test_each_sees_what_those_before_it_left(whole_lines: bool) -> None:
    steps = [("one\n", "two three\n"), ("three\n", "four\n"), ("two four\n", "done\n")]
    wanted = (Replacement("f", old, new, whole_lines=whole_lines) for old, new in steps)
    said = (f"edit 2: {PART}",) if whole_lines else ()
    assert made("one\n", *wanted) == ("done\n", *said)


def test_all_of_them_or_none() -> None:
    wanted = (Replacement("f", "a\n", "b\n"), Replacement("f", "zz\n", "y\n"))
    assert made("a\n", *wanted) == (f"edit 2: hunk 1 of f {ELSEWHERE}",)


@table_of(
    ("content", "old", "after"),
    [
        pytest.param("a\nba\n", "a", "x\nbx\n", id="and parts of them"),
        pytest.param("aaa", "aa", "xa", id="that lap over"),
    ],
)
def test_everywhere_when_all_are_meant(content: str, old: str, after: str) -> None:
    assert made(content, Replacement("f", old, "x", whole_lines=False, all=True)) == (after,)


@pytest.mark.parametrize("name", ["new/n", "blank"])
@pytest.mark.parametrize(("new", "whole_lines"), [("a\nb\n", True), ("a", False)])
def test_without_an_old_text_it_is_all_of_a_file(name: str, new: str, whole_lines: bool) -> None:
    found = replaced([Replacement(name, "", new, whole_lines)], {"blank": "", "f": "1\n"})
    assert isinstance(found, Repaired)
    assert [(result.new, result.text) for result in found.results] == [(name, new)]


@table_of(
    ("wanted", "reason"),
    {
        "no old text": (
            [Replacement("f", "", "x\n")],
            "f exists already: quote its lines to change it, or write another name",
        ),
        "by itself": (
            [Replacement("f", "a", "a", whole_lines=False)],
            "it changes nothing: the file has this text already",
        ),
    },
)
def test_refuses(wanted: list[Replacement], reason: str) -> None:
    assert replaced(wanted, {"f": "a\n"}) == Refused((reason,))


def test_says_which_file_another_path_was_taken_for() -> None:
    found = replaced([Replacement("cart.py", "a", "b", whole_lines=False)], {"shop/cart.py": "a"})
    assert isinstance(found, Repaired)
    assert (found.results[0].text, found.repairs) == ("b", ("path cart.py read as shop/cart.py",))
