"""What models wrote: data/model-patches.jsonl.gz has 492 patches, as text, before any cleaning.

Each line of it: id, model, repository, base commit, the defects found by hand and tool, raw text.
"""

import gzip
import json
import re
from functools import cache
from pathlib import Path

from check_rows import table_of

from react_agent.parsers.patch.changes import Reading, Role
from react_agent.parsers.patch.reading.reader import read_changes

DATA = Path(__file__).parents[2] / "data" / "model-patches.jsonl.gz"
READ = {Role.HEADER, Role.BODY, Role.DRAFT, Role.IDLE}

# Each with what is wrong with it, by hand.
REFUSED = DATA.with_name("model-patches-refused.txt").read_text(encoding="utf-8").splitlines()
CUT_OFF = {"p0091", "p0103", "p0187", "p0426", "p0429", "p0436", "p0440", "p0467"}
NOT_CHANGES = {  # lines in prose that look like changes
    **{("p0491", line): "below prose, not below a header" for line in (36, 37, 38, 39)},
    **{("p0491", line): "below prose, not below a header" for line in (76, 77, 78, 79)},
}


@cache
def raw_texts() -> dict[str, str]:
    with gzip.open(DATA, "rt", encoding="utf-8", newline="") as file:
        rows = map(json.loads, file)
        return {row["id"]: row["raw"] for row in rows}


@cache
def readings() -> dict[str, Reading]:
    return {name: read_changes(text) for name, text in raw_texts().items()}


def test_each_line_has_a_role() -> None:
    lengths = {name: len(reading.roles) for name, reading in readings().items()}
    assert lengths == {name: text.count("\n") + 1 for name, text in raw_texts().items()}


def test_each_is_read_but_for_those_that_can_not_be() -> None:
    assert {name for name, reading in readings().items() if reading.problem} == {
        line.split()[0] for line in REFUSED
    }
    assert all(bool(reading.changes) != bool(reading.problem) for reading in readings().values())


def test_what_looks_like_a_change_is_one() -> None:
    """A list's item has a blank behind its mark: all else that begins with a mark is a change."""
    overlooked = {
        (name, number)
        for name, reading in readings().items()
        for number, (line, role) in enumerate(_lines(name, reading), 1)
        if role not in READ and re.match(r"@@|[-+](?! \S)", line) and not re.match("-{3,}$", line)
    }
    assert overlooked == NOT_CHANGES.keys()


def test_each_line_of_a_hunk_is_in_it() -> None:
    """By their numbers: what the hunks hold is what the text has in the lines that are theirs."""
    for name, reading in readings().items():
        lines = [line for line, role in _lines(name, reading) if role is Role.BODY]
        held = [
            line.mark + line.text
            for change in reading.changes
            for hunk in change.hunks
            for line in hunk.lines
        ]
        if not reading.problem:
            assert sorted(held) == sorted(line or " " for line in lines), name


@table_of(
    ("name", "hunks"),
    {
        "one hunk": ("p0000", {"b/astropy/modeling/separable.py": [224]}),
        "two drafts": ("p0021", {"b/django/db/models/sql/query.py": [1928, 1937]}),
        "a draft without a fence": ("p0027", {"b/django/utils/text.py": [418]}),
        "a tag": ("p0131", {"b/sklearn/decomposition/kernel_pca.py": [11, 226]}),
        "an open fence": ("p0221", {"b/src/_pytest/assertion/util.py": [266]}),
        "two fences": (
            "p0230",
            {"b/sympy/solvers/polysys.py": [238], "b/sympy/solvers/tests/test_polysys.py": [48]},
        ),
        "drafts elsewhere": ("p0251", {"b/django/db/models/sql/query.py": [1575]}),
        "hunks that change nothing": ("p0436", {"patched_before.c": [143]}),
    },
)
def test_reads_the_hunks(name: str, hunks: dict[str, list[int]]) -> None:
    reading = readings()[name]
    assert {
        change.new: [hunk.start for hunk in change.hunks] for change in reading.changes
    } == hunks


def test_knows_those_that_were_cut_off() -> None:
    cut = {
        name
        for name, reading in readings().items()
        if any(hunk.cut_off for change in reading.changes for hunk in change.hunks)
    }
    assert cut == CUT_OFF


def _lines(name: str, reading: Reading) -> list[tuple[str, Role]]:
    return list(zip(raw_texts()[name].split("\n"), reading.roles, strict=True))
