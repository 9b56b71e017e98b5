"""What an audit says was written is what git says of the branch, whatever tools wrote it."""

from typing import Any

import pytest
from check_rows import table_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from replies import DONE, READ, UNDO, call, replaced, run

from react_agent.runs.audit import Audited, audit, audited
from react_agent.runs.report import Outcome

CALLS = (
    call("write_file", "new.py\nNEW = 1"),
    call("write_file", "docs/more.md\n# More\n\nText."),
    call("write_file", "new.py\nit is there already"),
    replaced("README.md", "# stopwatch", "# stopwatch\na line of it"),
    call("write_file", "stopwatch/more.py\nMORE = 1"),
    replaced("README.md", "no line of it", "lost"),
    replaced("README.md", "# stopwatch", "# Stopwatch"),
    replaced("README.md", "what is nowhere", "found"),
    run("echo end >> README.md"),
    run("rm stopwatch/printing.py"),
    run("git mv stopwatch/units.py stopwatch/uno.py"),
    run("chmod +x README.md"),
    run("echo scratch > scratch.txt"),
    run("printf 'a\\0b' >> README.md"),
    run("git checkout -- . ; git clean -qfd"),
    run("false"),
    UNDO,
    READ,
)


def _texts(run: Audited, section: str) -> list[str]:
    return [text for name, text in audit(run, section) if name == section]


def _of_git(desk: Any, branch: str) -> list[str]:
    """The same, in the words of an audit."""
    rows = desk.git("diff", "--no-renames", "--numstat", "main", branch).splitlines()
    told = (row.split("\t") for row in rows)
    return [
        f"branch: {path} {'(binary)' if added == '-' else f'+{added} -{removed}'}"
        for added, removed, path in told
    ]


def _check(desk: Any, outcome: Outcome) -> None:
    run = audited(outcome.folder.transcript)
    made = [line for line in _texts(run, "wrote") if line.startswith("branch: ")]
    assert made == (_of_git(desk, outcome.branch) if outcome.branch else [])
    assert _texts(run, "missing") == ["nothing"]


@table_of(
    "calls",
    {
        "new, inserted, replaced": (0, 3, 6),
        "by commands": (0, 8, 9, 10),
        "taken back": (3, 16, 6),
        "nothing is left": (8, 14),
        "binary now": (13, 3),
    },
)
def test_it_says_what_git_says(desk: Any, calls: tuple[int, ...]) -> None:
    _check(desk, desk.solve(*(CALLS[at] for at in calls), DONE))


@pytest.mark.slow
@pytest.mark.hypothesis
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(calls=st.lists(st.sampled_from(CALLS), min_size=1, max_size=7))
def test_it_says_what_git_says_of_any_calls(desk: Any, calls: list[str]) -> None:
    _check(desk, desk.solve(*calls, DONE))


def test_a_fact_that_is_gone_is_said(desk: Any) -> None:
    path = desk.solve(CALLS[3], DONE).folder.transcript
    path.write_text(path.read_text().replace(" wrote=README.md:+1-0", ""))
    assert _texts(audited(path), "missing") == ["1 line of 'wrote' without details: not recorded"]
