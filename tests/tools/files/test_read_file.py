from collections.abc import Callable
from pathlib import Path

import pytest

from react_agent.tools.context import Context, Limits
from react_agent.tools.files.read_file import READ_FILE
from react_agent.tools.observation import Observation, Status

LIMITS = Limits(window_lines=4, line_chars=60)


@pytest.fixture
def root(planted: Callable[..., Path]) -> Path:
    ten = "".join(f"line {number}\n" for number in range(1, 11)).encode()
    return planted({"src/ten.txt": ten, "src/two.txt": b"one\n\n"}, added=False)


def read(root: Path, text: str, limits: Limits = LIMITS) -> Observation:
    return READ_FILE.call(text, Context(root, limits))


def test_an_empty_file_is_said_to_be_empty(root: Path) -> None:
    for name in ("x", '{"path": "x"}', "path: x"):  # the others are no objects
        (root / name).touch()
        assert read(root, name) == Observation(f"{name} is empty", Status.EMPTY, (name,))


def test_says_where_a_link_leads(root: Path) -> None:
    (root / "link").symlink_to("src/two.txt")
    assert read(root, "link").text.split("\n")[:2] == [
        "link lines 1-2 of 2",
        "[it is a symbolic link to src/two.txt: edit that]",
    ]


def test_a_window_ends_where_the_room_ends(root: Path) -> None:
    (root / "x").write_text(f"{'a' * 90}\n" * 50)
    text = read(root, "x", Limits(read_chars=1000)).text
    assert len(text) <= 1000
    lines = text.split("\n")
    assert lines[:2] == ["x lines 1-9 of 50", "[at most 1,000 characters are shown at once]"]
    assert lines[-1] == "[41 lines below; next: x:10-50]"


def test_what_a_small_file_does_not_need_the_others_get(root: Path) -> None:
    (root / "x").write_text(f"{'a' * 90}\n" * 50)
    alone = read(root, "x", Limits(read_chars=2000)).text
    text = read(root, "src/two.txt\nx", Limits(read_chars=2000)).text
    assert len(text) <= 2000
    assert [line for line in f"{alone}\n{text}".split("\n") if " lines 1-" in line] == [
        "x lines 1-19 of 50", "src/two.txt lines 1-2 of 2", "x lines 1-19 of 50",
    ]  # fmt: skip


def test_a_line_without_its_number_is_clipped_only_if_it_is_too_long(root: Path) -> None:
    (root / "x").write_text("a" * 60 + "\n")
    shown = read(root, "x", Limits(line_chars=60, line_numbers=False)).text
    assert shown == "x lines 1-1 of 1\n" + "a" * 60


def test_a_line_that_has_no_room_is_shown_all_the_same(root: Path) -> None:
    (root / "x").write_text(f"{'a' * 300}\nb\n")
    lines = read(root, "x", Limits(read_chars=200)).text.split("\n")
    assert (lines[0], lines[-1]) == ("x lines 1-1 of 2", "[1 line below; next: x:2-2]")
