"""What the documents say of patches: examples that work."""

import re
from pathlib import Path

import pytest

from react_agent.parsers.patch import Refused, Repaired, repair

pytestmark = pytest.mark.checkout
DOCS = Path(__file__).parents[3] / "docs"
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


def _examples(page: str) -> list[str]:
    return _blocks(_section(page, "What it reads").partition("Given this")[0])


def test_each_example_is_read(page: str) -> None:
    examples = _examples(page)
    found = [repair(example, FILES) for example in examples]
    texts = [one.results[0].text if isinstance(one, Repaired) else one.reasons for one in found]
    assert texts == ["one\nzwei\nthree\n"] * len(examples)
    assert len(examples) >= 5


def test_what_is_refused_is_said_so(page: str) -> None:
    text, *examples = _blocks(_section(page, "What it refuses"))
    files = {"src/stores.py": text}
    found = [repair(patch, files) for patch in examples[::2]]
    assert [one.reasons for one in found if isinstance(one, Refused)] == [
        (said.removesuffix("\n"),) for said in examples[1::2]
    ]


def test_the_library_is_called_so(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = _section(page, "As a library").partition("```python\n")[2].partition("```")[0]
    exec(compile(code, "repair.md", "exec"), {})
    assert capsys.readouterr().out.endswith("('path x.py read as src/x.py',) one\nzwei\nthree\n\n")
