"""What tools answer to an input, and what they change: the tables in tests/scenarios/tools."""

from collections.abc import Callable
from pathlib import Path

import pytest
from by_hand import files
from check_rows import EachRow
from scenario_table import Row, parse_table

from react_agent.profiles.toolbox import OURS
from react_agent.tools.context import Context, Limits
from react_agent.tools.observation import Status
from react_agent.tools.registry import Kind

TABLES = sorted((Path(__file__).parents[1] / "scenarios" / "tools").glob("*.txt"))
WORDS = "tools|limits|offered|status|paths|facts|gone"
TEXTS = "file .+|after .+|input|answer"
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin"}


def _parsed(table: Path) -> list[Row]:
    text = table.read_text(encoding="utf-8")
    return parse_table(table.name, text, words=WORDS, texts=TEXTS)


def _facts(row: Row, name: str) -> dict[str, str]:
    return dict(word.split("=") for word in row.words(name).split())


def _files(row: Row, kind: str) -> dict[str, bytes]:
    names = [name for name in row.fields if name.startswith(f"{kind} ")]
    return {
        name.removeprefix(f"{kind} "): row.file_text(name).encode(errors="surrogateescape")
        for name in names
    }


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_what_it_answers_and_changes(
    each_row: EachRow, planted: Callable[..., Path], table: Path
) -> None:
    first, *rows = _parsed(table)

    def check(row: Row) -> None:
        limited = (_facts(first, "limits") | _facts(row, "limits")).items()
        limits = Limits(**{name: int(value) for name, value in limited})  # type: ignore[arg-type]
        for tool in (row.words("tools") or table.stem).split():
            root = planted(_files(first, "file") | _files(row, "file"))
            before, offered = files(root), frozenset(row.words("offered").split())
            context = Context(root, limits, ENVIRONMENT, offered=offered)
            seen = OURS[tool].call(row.text("input").replace("ROOT", str(root)), context)
            paths = tuple(filter(None, row.words("paths").split(", ")))
            expected = (row.text("answer"), Status(row.words("status") or "ok"), paths)
            assert (seen.text, seen.status, seen.paths) == expected
            assert seen.facts == _facts(row, "facts")
            after, gone = _files(row, "after"), row.words("gone").split()
            now = {name: data for name, data in {**before, **after}.items() if name not in gone}
            assert files(root) == now
            if OURS[tool].kind is Kind.WRITE:  # a checkpoint looks at no other files
                assert seen.wrote == seen.paths
                assert {*after, *gone} == ({*paths} if seen.status is Status.OK else set())

    each_row([(row.name, row) for row in rows], check)


def test_no_tool_that_writes_is_forgotten() -> None:
    """`undo` has tests of its own; a sub-agent of `update_file` may run commands."""
    asked = {name for one in TABLES for row in _parsed(one) for name in row.words("tools").split()}
    writing = {tool.name for tool in OURS.values() if tool.kind is Kind.WRITE}
    assert writing - asked == {"undo", "update_file"}
