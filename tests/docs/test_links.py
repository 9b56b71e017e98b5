"""Every link between Markdown files leads to a file, and to a heading of it."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from check_rows import each_of, table_of

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")),
    ROOT / "tests/scenarios/README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
FENCED = re.compile(r"(?ms)^(```+|~~~+).*?^\1[ \t]*$")
INDENTED = re.compile(r"(?m)^(    |\t).*$")
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
HEADING = re.compile(r"(?m)^#{1,6} +(.+?) *#*$")
LINK = re.compile(r"\]\(<?([^()\s>]+)>?(?: \"[^\"]*\")?\)|\b(?:src|srcset|href)=\"([^\"]+)\"")
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:")


def links(text: str) -> Iterator[str]:
    bare = CODE.sub("", INDENTED.sub("", FENCED.sub("", text)))
    for found in LINK.finditer(bare):
        target = found[1] or found[2]
        if not ELSEWHERE.match(target):
            yield target


def anchors(text: str) -> Iterator[str]:
    """As forges make them."""
    times: Counter[str] = Counter()
    for title in HEADING.findall(FENCED.sub("", text)):
        shown = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", title)
        slug = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        yield f"{slug}-{times[slug]}" if times[slug] else slug
        times[slug] += 1


def broken(page: Path, text: str) -> Iterator[str]:
    for target in links(text):
        name, _, anchor = target.partition("#")
        place = page.parent / name if name else page
        if not place.exists():
            yield f"{page.name}: there is no {target}"
        elif anchor and anchor not in set(anchors(place.read_text(encoding="utf-8"))):
            yield f"{page.name}: {name or 'the page'} has no heading #{anchor}"


@pytest.mark.checkout
@table_of("page", PAGES)
def test_links_lead_somewhere(page: Path) -> None:
    assert list(broken(page, page.read_text(encoding="utf-8"))) == []


@each_of(
    ("text", "expected"),
    {
        "there": ("[a](there.md) [b](there.md#two-words)", []),
        "elsewhere": ("[a](https://example.org/none.md)", []),
        "in code": ("`[a](none.md)`\n\n    [a](none.md)\n", []),
        "in a fence": ("```\n[a](none.md)\n```\n", []),
        "no file": ("[a](none.md#x)", ["x.md: there is no none.md#x"]),
        "no heading": ("[a\nb](there.md#none)", ["x.md: there.md has no heading #none"]),
        "the second of that name": ("# A\n# A\n[a](#a-1)", []),
    },
)
def test_says_which_links_are_broken(tmp_path: Path, text: str, expected: list[str]) -> None:
    (tmp_path / "there.md").write_text("# Two words\n")
    page = tmp_path / "x.md"
    page.write_text(text)
    assert list(broken(page, text)) == expected
