"""docs/repair.md shows what the command says, and what the library gives."""

from pathlib import Path

import pytest
from code_blocks import blocks_of, text_of

from react_agent.cli.repair import main

pytestmark = pytest.mark.checkout
Printed = pytest.CaptureFixture[str]


def _section(title: str) -> str:
    return text_of("docs/repair.md").partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def _blocks(text: str) -> list[str]:
    return [block.text for block in blocks_of("docs/repair.md", text)]


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That the page speaks of."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src/x.py").write_text("one\ntwo\nthree\n")
    monkeypatch.chdir(tmp_path)


def _said(patch: str, capfd: Printed) -> tuple[int, str, str]:
    Path("reply.txt").write_text(patch)
    return (main(["reply.txt"]), *capfd.readouterr())


def test_its_examples_are_read(capfd: Printed) -> None:
    shown, _, given = _section("What it reads").partition("Given this")
    examples = _blocks(shown)
    assert len(examples) >= 5
    for example in examples:
        code, patch, _ = _said(example, capfd)
        assert (code, "\n one\n-two\n+zwei\n three\n" in patch) == (0, True)
    reply, *_, repairs = _blocks(given)
    assert _said(reply, capfd)[::2] == (0, repairs)


def test_what_is_refused_is_said_so(capfd: Printed) -> None:
    text, *examples = _blocks(_section("What it refuses"))
    Path("src/stores.py").write_text(text)
    for patch, said in zip(examples[::2], examples[1::2], strict=True):
        assert _said(patch, capfd) == (1, "", said)


def test_the_library_is_called_so(capfd: Printed) -> None:
    [code, *_] = _blocks(_section("As a library"))
    exec(compile(code, "repair.md", "exec"), {})
    assert capfd.readouterr().out == (
        "diff --git a/src/x.py b/src/x.py\n--- a/src/x.py\n+++ b/src/x.py\n"
        "@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n"
        " ('path x.py read as src/x.py',) one\nzwei\nthree\n\n"
    )
