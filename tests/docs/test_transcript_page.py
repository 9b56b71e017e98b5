"""The specification of the transcript: its examples are read and written, its tables are whole."""

import ast
import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from check_rows import table_of
from code_blocks import text_of

from react_agent.parsers.transcript.entries import HEADER, VERSION, About, Event, Said
from react_agent.parsers.transcript.reader import read_transcript
from react_agent.parsers.transcript.writer import write_transcript
from react_agent.parsers.turn.turn import parse_turn
from react_agent.procedure import course
from react_agent.state.state import EVENTS, Stop
from react_agent.tools.observation import Status
from react_agent.tools.registry import How, Kind

pytestmark = pytest.mark.checkout

ROOT = Path(__file__).parents[2]
PAGE = text_of("docs/transcript.md")
FIRST = f"%% {HEADER}: {VERSION}\n"
EXAMPLES = re.findall(r"(?ms)^```transcript(-by-hand)?\n(.*?)^```$", PAGE)
FOLDERS = {"react_agent": ROOT / "react_agent", "react_agent.tools": ROOT / "tools"}
# They write facts as well, into files of their own.
ELSEWHERE = ("forges", "hook", "cli")
FACTS = ("facts", "noted", "made", "cost")


@table_of(("by_hand", "example"), EXAMPLES)
def test_an_example_is_read_and_written(by_hand: str, example: str) -> None:
    text = example if example.startswith(FIRST) else FIRST + example
    reading = read_transcript(text)
    written = write_transcript(reading.entries)
    assert reading.torn == ""
    assert read_transcript(written) == reading
    assert (written != text) if by_hand else (written == text)


def test_a_raw_reply_reads_as_what_stands_above_it() -> None:
    read = [read_transcript(FIRST + example).entries for _, example in EXAMPLES[1:]]
    said = [one for entries in read for one in entries if isinstance(one, Said) and one.raw]
    assert said
    assert [parse_turn(one.raw or "", tools=["grep"]) for one in said] == [one.turn for one in said]


def test_the_program_on_the_page_reads_a_transcript(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "transcript.txt").write_text(EXAMPLES[0][1])
    monkeypatch.chdir(tmp_path)
    [program] = re.findall(r"(?ms)^```python\n(.*?)^```$", PAGE)
    exec(program, {})
    assert capsys.readouterr().out == "grep 1.204\nreplace 2.310\n 0.871\n"


@pytest.mark.check
def test_every_event_and_every_fact_is_in_a_table() -> None:
    assert set(_written_facts()) - _names(re.sub(r"(?ms)^```.*?^```$", "", PAGE)) == set()
    tables = PAGE.partition("\n## Events\n")[2].partition("\n## ")[0]
    listed = {name for row in re.findall(r"(?m)^\| (`.*?) \|", tables) for name in _names(row)}
    between = {course.ENTERED, course.JUDGED, course.PICKED, course.SUMMARY}
    assert set(re.findall(r"(?m)^\| `%% ([^`]+):` \|", PAGE)) == set(About)
    assert listed == {*EVENTS, *between, *_written_events()} - {HEADER}


@table_of(
    ("row", "words"),
    [
        pytest.param("stop", set(Stop), id="stop"),
        pytest.param("status", set(Status), id="status"),
        pytest.param("kind", set(Kind), id="kind"),
        pytest.param("how", {*How, "gate"} - {How.VISIBLE}, id="how"),
    ],
)
def test_a_row_names_all_words(row: str, words: set[str]) -> None:
    found = re.search(rf"(?m)^\| `{row}` \| (.*) \|$", PAGE)
    assert found is not None
    assert _names(found[1]) == words


def _names(text: str) -> set[str]:
    return {name.rstrip("=") for name in re.findall(r"`([^`]+)`", text)}


@cache
def _modules() -> list[tuple[str, ast.Module]]:
    return list(_parsed_modules())


def _parsed_modules() -> Iterator[tuple[str, ast.Module]]:
    for package, folder in FOLDERS.items():
        for path in folder.rglob("*.py"):
            name = ".".join((package, *path.relative_to(folder).with_suffix("").parts))
            if not set(name.split(".")) & set(ELSEWHERE):
                yield name, ast.parse(path.read_text(encoding="utf-8"))


def _written_events() -> Iterator[str]:
    """`Event(NAME, ...)`; names that a variable holds are those of a table of events."""
    for module, tree in _modules():
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(id="Event"), args=[first, *_]) if _is_ours(module):
                    yield from _worth(module, first)


def _is_ours(module: str) -> bool:
    """What is called an event there; a server's are others."""
    return getattr(importlib.import_module(module), "Event", None) is Event


def _written_facts() -> Iterator[str]:
    """Keys of what is assigned or added to `facts`, and of `facts[...] = ...`."""
    for module, tree in _modules():
        for node in ast.walk(tree):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in FACTS:
                    yield from _keys(module, value)
                case ast.AugAssign(target=ast.Name(id=name), value=value) if name in FACTS:
                    yield from _keys(module, value)
                case ast.Assign(targets=[ast.Subscript(ast.Name(id=name), at)]) if name in FACTS:
                    yield from _worth(module, at)


def _keys(module: str, value: ast.expr) -> Iterator[str]:
    for node in ast.walk(value):
        if isinstance(node, ast.Dict):
            for key in filter(None, node.keys):
                yield from _worth(module, key)


def _worth(module: str, node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.Name(name) if name.isupper():
            yield str(getattr(importlib.import_module(module), name))
