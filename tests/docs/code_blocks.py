"""The code blocks of our documents, and what is said to become of each.

In a line of its own just before a block may stand one of

    <!-- not run: WHY -->     nothing in it could be run or read here
    <!-- tested: FILE -->     that test takes it from the page
    <!-- printed -->          the commands before it print it; `...` stands for anything

and for every block of a page, anywhere in it, one of

    <!-- this page, not run: WHY -->
    <!-- this page, tested: FILE -->

A block without any of these is run, or read, for what it is: test_code_blocks.py, test_sessions.py.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
# None beside a wheel's tests.
PAGES = {
    str(path.relative_to(ROOT)): path
    for pattern in ("README.md", "CONTRIBUTING.md", "docs/*.md")
    for path in sorted(ROOT.glob(pattern))
}


def text_of(page: str) -> str:
    """Of `docs/x.md`; beside a wheel there is none."""
    return PAGES[page].read_text(encoding="utf-8") if page in PAGES else ""


class Fate(StrEnum):
    """What a page says of a block."""

    NOT_RUN = "not run"
    TESTED = "tested"
    PRINTED = "printed"


@dataclass(frozen=True, slots=True)
class Mark:
    fate: Fate
    words: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    page: str
    line: int
    text: str
    language: str = ""  # of a fence
    mark: Mark | None = None

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


_WORDS = "|".join(Fate)
_MARK = re.compile(rf"<!-- (this page, )?({_WORDS})(?:: (\S.*?))? -->")
_PARSER = MarkdownIt("commonmark")


def blocks_of(page: str, text: str) -> list[Block]:
    return list(_blocks(page, text))


def _blocks(page: str, text: str) -> Iterator[Block]:
    of_page, before = _of_page(text), None
    for token in _PARSER.parse(text):
        if token.type in ("fence", "code_block"):
            yield Block(
                page, (token.map or [0])[0] + 1, token.content, token.info, before or of_page
            )
        before = _mark(token.content) if token.type == "html_block" else None


def _of_page(text: str) -> Mark | None:
    found = next((mark for mark in _MARK.finditer(text) if mark[1]), None)
    return Mark(Fate(found[2]), found[3] or "") if found else None


def _mark(text: str) -> Mark | None:
    found = _MARK.fullmatch(text.strip())
    return Mark(Fate(found[2]), found[3] or "") if found and not found[1] else None


def marks_in(text: str) -> Iterator[Mark]:
    """All of a page, whether a block follows or not."""
    yield from (Mark(Fate(found[2]), found[3] or "") for found in _MARK.finditer(text))


def spoken_code(text: str) -> Iterator[str]:
    """What stands between backticks in the lines of a page."""
    for token in _PARSER.parse(text):
        yield from (each.content for each in token.children or () if each.type == "code_inline")
