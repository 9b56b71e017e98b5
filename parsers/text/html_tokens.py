r"""HTML in pieces, in one pass: each character is looked at a fixed number of times.

page = (text | comment | tag | raw)*        raw = script, style ... and all up to its end tag

What is never closed, a comment, a tag or a script, takes the rest with it, as in a browser.
"""

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from html import unescape

_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)"
    r"""(?P<rest>(?:[^>"'=]|=\s*+"[^"]*+"|=\s*+'[^']*+'|["'=])*+)>"""
)
_ATTRIBUTE = re.compile(
    r"""(?P<name>[^\s=>"'/]++)(?:\s*+=\s*+(?:"(?P<double>[^"]*+)"|'(?P<single>[^']*+)'"""
    r"""|(?P<bare>[^\s"'>]++)))?"""
)
_LETTER = re.compile(r"/?[a-zA-Z]")
RAW = frozenset({"script", "style", "iframe", "noembed", "noframes", "xmp", "textarea", "title"})


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Start:
    name: str
    written: str  # its attributes

    @property
    def attributes(self) -> dict[str, str]:
        found = _ATTRIBUTE.finditer(self.written)
        return {one["name"].casefold(): unescape(_value(one)) for one in found}


@dataclass(frozen=True, slots=True)
class End:
    name: str


Token = Text | Start | End


def tokens(page: str) -> Iterator[Token]:
    at = 0
    while at < len(page):
        opened = page.find("<", at)
        if opened != at:
            end = opened if opened >= 0 else len(page)
            yield Text(unescape(page[at:end]))
            at = end
        elif page.startswith(("<!", "<?"), at) or not _LETTER.match(page, at + 1):
            at = yield from _other(page, at)
        else:
            at = yield from _tag(page, at)


def _other(page: str, at: int) -> Generator[Token, None, int]:
    """A comment, a declaration, or a sign that begins nothing; where what follows it begins."""
    if page.startswith("<!--", at):
        return _behind(page, "-->", at + 2)
    if page.startswith(("<!", "<?", "</"), at):
        return _behind(page, ">", at)
    yield Text("<")
    return at + 1


def _tag(page: str, at: int) -> Generator[Token, None, int]:
    found = _TAG.match(page, at)
    if not found:
        return len(page)
    name = found["name"].lower()
    if found["end"]:
        yield End(name)
        return found.end()
    yield Start(name, found["rest"])
    if name not in RAW:
        return found.end()
    closing = re.compile(f"</{name}(?=[\\s/>])", re.IGNORECASE).search(page, found.end())
    if not closing:
        return len(page)
    yield Text(unescape(page[found.end() : closing.start()]))
    return closing.start()


def _behind(page: str, mark: str, at: int) -> int:
    end = page.find(mark, at)
    return end + len(mark) if end >= 0 else len(page)


def _value(found: re.Match[str]) -> str:
    return found["double"] or found["single"] or found["bare"] or ""
