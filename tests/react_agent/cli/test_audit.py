"""react-agent audit: what it says of a transcript, by the file alone."""

from pathlib import Path
from typing import Any

from check_rows import table_of

DATA = Path(__file__).parents[2] / "data" / "audit"
RUN, AUDIT, OLD = ((DATA / f"{name}.txt").read_text() for name in ("run", "audit", "old_run"))


def _saved(folder: Path, text: str) -> str:
    path = folder / "copied.txt"
    path.write_text(text)
    return str(path)


def test_tells_all_of_a_run(cli: Any, tmp_path: Path) -> None:
    path = _saved(tmp_path, RUN)
    assert cli("audit", path, path).ends_well() == AUDIT * 2


def test_what_ends_a_command_is_none(cli: Any, tmp_path: Path) -> None:
    path = _saved(tmp_path, RUN.replace("tool=run exit=-15", "tool=kill"))
    assert "what 1 command read is unknown" in cli("audit", path, "--only", "read").out


@table_of(
    ("text", "expected"),
    {
        "torn": (
            RUN + "Thought: on\nAction: run\n",
            "missing  the last entry is incomplete: it is left out of this report\n",
        ),
        "killed": (
            RUN.replace("%% stop: interrupted by the keyboard\n", ""),
            "missing  interrupted after step 9: a reply of the model may have been on its way, and "
            "what it cost is not known\n",
        ),
        "cut off": (
            RUN[: RUN.index("%% stop: concluded")],
            "missing  the run has not ended, or its end is missing from the transcript\n",
        ),
        "old": (
            OLD,
            "missing  the run has not ended, or its end is missing from the transcript\n"
            "missing  1 line of 'ran' without details: not recorded\n"
            "missing  2 lines of 'reached' without details: not recorded\n",
        ),
        "without the run within it": (
            RUN.replace("kind=write", "kind=write sub=sub/010"),
            "missing  step 10: the transcript sub/010 of its inner run can't be read\n",
        ),
        "leads out": (
            RUN.replace("kind=write", "kind=write sub=../../x"),
            "missing  step 10: ../../x is not the folder of an inner run\n",
        ),
    },
)
def test_says_what_it_can_not_tell(cli: Any, tmp_path: Path, text: str, expected: str) -> None:
    answer = cli("audit", _saved(tmp_path, text), "--only", "missing")
    assert "".join(answer.out.splitlines(keepends=True)[1:]) == expected
    assert (answer.code, answer.err) == (1, "")


def test_a_command_may_contain_the_words_for_it(cli: Any, tmp_path: Path) -> None:
    text = RUN.replace("make test\necho", "grep 'not recorded' a.py\necho not recorded")
    answer = cli("audit", _saved(tmp_path, text))
    assert "bubblewrap: grep 'not recorded' a.py\nran      step 5 | echo not recorded" in answer.out
    assert (answer.code, answer.err) == (0, "")


@table_of(
    ("text", "arguments", "complaint"),
    {
        "another file": ("hello\n", (), "line 1: expected `%% react-agent"),
        "empty": ("", (), "has no complete entry: there is nothing to audit"),
        "part": (RUN, ("--only", "x"), "there is no part 'x'; choose from read,"),
        "gone": (RUN, ("--only", "spent"), "removed: react-agent page RUN"),
    },
)
def test_says_in_a_line_why_not(
    cli: Any, tmp_path: Path, text: str, arguments: tuple[str, ...], complaint: str
) -> None:
    answer = cli("audit", _saved(tmp_path, text), *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert complaint in answer.err
    assert answer.err.count("\n") == 1
