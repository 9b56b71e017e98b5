"""What the documents say of patches: examples that work, each correction and module."""

import re
from pathlib import Path

import pytest

from react_agent.parsers.patch import Refused, Repaired, repair
from react_agent.parsers.patch.changes import Repair
from react_agent.parsers.patch.placing.indentation import CORRECTIONS
from react_agent.parsers.patch.words import repairs_in_words

pytestmark = pytest.mark.checkout
DOCS = Path(__file__).parents[3] / "docs"
PACKAGE = DOCS.parent / "parsers" / "patch"
FILES = {"src/x.py": "one\ntwo\nthree\n"}


@pytest.fixture(scope="module")
def page() -> str:
    return (DOCS / "repair.md").read_text()


def _section(page: str, title: str) -> str:
    return page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def _blocks(text: str) -> list[str]:
    """What is indented, without the indentation."""
    found = re.findall(r"(?:^ {4}.*\n|^\n(?= {4}))+", text, re.MULTILINE)
    return [re.sub("^ {4}", "", block.strip("\n"), flags=re.MULTILINE) + "\n" for block in found]


def _first_column(text: str, heading: str) -> list[str]:
    table = text.partition(f"\n| {heading} |")[2].partition("\n\n")[0]
    return [row.split(" | ")[0].removeprefix("| ") for row in table.split("\n")[2:]]


def _examples(page: str) -> list[str]:
    return _blocks(_section(page, "What it reads").partition("Given this")[0])


def test_each_example_is_read(page: str) -> None:
    examples = _examples(page)
    found = [repair(example, FILES) for example in examples]
    texts = [one.results[0].text if isinstance(one, Repaired) else one.reasons for one in found]
    assert texts == ["one\nzwei\nthree\n"] * len(examples)
    assert len(examples) >= 7


def test_what_is_refused_is_said_so(page: str) -> None:
    text, *examples = _blocks(_section(page, "What it refuses"))
    files = {"src/stores.py": text}
    found = [repair(patch, files) for patch in examples[::2]]
    assert [one.reasons for one in found if isinstance(one, Refused)] == [
        (said.removesuffix("\n"),) for said in examples[1::2]
    ]


def test_it_has_each_correction(page: str) -> None:
    placed = _section(page, "How hunks are placed")
    said = [*repairs_in_words([Repair(fix) for fix in CORRECTIONS])]
    assert _first_column(placed, "what is undone") == said


def test_the_library_is_called_so(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = _section(page, "As a library").partition("```python\n")[2].partition("```")[0]
    exec(compile(code, "repair.md", "exec"), {})
    assert capsys.readouterr().out.endswith("('path x.py read as src/x.py',) one\nzwei\nthree\n\n")
