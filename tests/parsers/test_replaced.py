"""Where the old text of a replacement stands, and what the file says with the new one."""

import pytest
from check_rows import table_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from react_agent.parsers.edits.edits import Replacement, replaced
from react_agent.parsers.patch import Refused, Repaired

PART = "matched as part of a line"
ELSEWHERE = "quotes lines that the file does not have: read the file again, and quote it"


def made(content: str, *wanted: Replacement) -> tuple[str, ...]:
    """The new content and what was mended, or the first lines of why not."""
    found = replaced(wanted, {"f": content})
    if isinstance(found, Refused):
        return tuple(reason.split("\n")[0] for reason in found.reasons)
    [result] = found.results
    assert result.text is not None
    return (result.text, *found.repairs)


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
