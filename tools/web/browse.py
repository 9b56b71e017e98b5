"""Read a page of the web as text, where that is allowed."""

import codecs
import re
from dataclasses import replace

from react_agent.parsers.text.html_text import Page, html_text
from react_agent.parsers.values.pages import PageRequest, parse_page_request
from react_agent.parsers.values.unreadable import Unreadable
from react_agent.tools.clip import clip_line, counted
from react_agent.tools.context import Context
from react_agent.tools.observation import ASKED, REFUSED, Observation, Status, failed
from react_agent.tools.registry import Kind, Tool
from react_agent.tools.web.web import INTERNET, Means, Response, fetch, is_allowed, is_text

_OFF = "the web is off here: work with what is in the repository"
_CHARSET = re.compile(
    r"utf-?8|utf-?16(?:le|be)?|us-ascii|iso-8859-\d+|latin-?1|windows-\d+|cp\d+|koi8-[ru]"
    r"|gb(?:k|2312|18030)|big5|shift_jis|euc-(?:jp|kr)",
    re.IGNORECASE,
)
_META = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]{1,40})""", re.IGNORECASE)
_LOOKED_AT = 2_048  # bytes, for the charset
_ROOM_FOR_NOTES = 500


def browse_by(means: Means) -> Tool:
    def call(text: str, context: Context) -> Observation:
        return _browse(text, context, means)

    return Tool(
        "browse", "read a web page as text; input: URL, or URL lines 200-300", Kind.READ, call
    )


def _browse(text: str, context: Context, means: Means) -> Observation:
    if not context.hosts:
        return failed(_OFF)
    request = parse_page_request(text)
    if isinstance(request, Unreadable):
        return failed(request.reason)
    address = request.address
    response = fetch(address, context.hosts, means)
    if not isinstance(response, Unreadable):
        seen = _answered(response, request, context)
    elif is_allowed(address, context.hosts):
        seen = failed(response.reason)
    else:
        return replace(failed(response.reason), noted={REFUSED: "host"})
    return replace(seen, noted={ASKED: address.text})


def _answered(response: Response, request: PageRequest, context: Context) -> Observation:
    where = clip_line(response.address.text, context.limits.line_chars)
    if response.status != 200:
        return failed(
            f"{where} answers with status {response.status}: there is no such page for us"
        )
    if not is_text(response.content_type):
        return failed(f"{where} is {response.content_type[:80]}: only pages of text can be read")
    if b"\0" in response.body[:_LOOKED_AT] and not _charset(response).startswith("utf-16"):
        return failed(f"{where} is binary: only pages of text can be read")
    return _shown(_page(response), response, replace(request, address=response.address), context)


def _page(response: Response) -> Page:
    text = response.body.decode(_charset(response), errors="replace")
    if "html" in response.content_type or (not response.content_type and text[:1] == "<"):
        return html_text(text, response.address.text)
    return Page("", text.replace("\r\n", "\n").replace("\r", "\n").strip("\n"))


def _charset(response: Response) -> str:
    """What the page says, if that is a charset and not another of Python's codecs."""
    meta = _META.search(response.body[:_LOOKED_AT])
    if response.body.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    for said in (response.charset, meta[1].decode() if meta else ""):
        if _CHARSET.fullmatch(said):
            return said.lower()
    return "utf-8"


def _shown(page: Page, response: Response, request: PageRequest, context: Context) -> Observation:
    limits, where = context.limits, response.address.text
    if not page.text.strip():
        text = f"{where} holds no text that can be read without running what is in it"
        return Observation(text, Status.EMPTY, scope=where)
    lines = [part for line in page.text.split("\n") for part in _wrapped(line, limits.line_chars)]
    first = min(request.lines.start, len(lines))
    asked = lines[first - 1 : request.lines.end]
    shown = asked[: _fitting(asked, limits.output_chars - _ROOM_FOR_NOTES - 2 * len(where))]
    last = first + len(shown) - 1
    title = f" ({clip_line(page.title, 100)})" if page.title else ""
    parts = [f"{where}{title} lines {first}-{last} of {len(lines)}"]
    if request.lines.start > len(lines):
        parts.append(f"[there is no line {request.lines.start}: this is the last]")
    if response.is_cut:
        parts.append(f"[only the first {counted(len(response.body), 'byte')} of it were read]")
    parts += shown
    if left := len(lines) - last:
        following = f"{where} lines {last + 1}-{len(lines)}"
        parts.append(f"[{counted(left, 'line')} below; next: {following}]")
    return Observation("\n".join(parts), facts={"address": where})


def _wrapped(line: str, most: int) -> list[str]:
    """A paragraph is one line: in parts, so that each can be asked for."""
    parts = list[str]()
    at = 0
    while len(line) - at > most:
        blank = line.rfind(" ", at + most // 2, at + most)
        end = blank if blank > 0 else at + most
        parts.append(line[at:end])
        at = end + (blank > 0)
    return [*parts, line[at:]]


def _fitting(lines: list[str], room: int) -> int:
    """How many of them there is room for, one at least."""
    for number, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            return max(number, 1)
    return len(lines)


BROWSE = browse_by(INTERNET)
