"""Read a request for a web page, or for some of its lines.

request = URL [["lines"] start [("-" | "to" | "..") end]]     | an object or fields with a url
address = ("http" | "https") "://" host [":" port] [path] ["?" query]; https by default
"""

import re
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from react_agent.parsers.values.arguments import (
    ALL_LINES,
    OF_LINES,
    SPAN,
    Argument,
    Span,
    Unreadable,
    read_arguments,
    span_in,
    span_of,
    texts,
)

PORTS = {"http": 80, "https": 443}
_URL = re.compile(r"""[a-z][a-z0-9+.-]*://[^\s<>"'`]+""", re.IGNORECASE)
_BARE = re.compile(r"""(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:/[^\s<>"'`]*)?""", re.IGNORECASE)
_LINES = re.compile(rf"[\s)>`\"',:]*(?:lines?:?\s*)?{SPAN}\s*", re.IGNORECASE)
_URLS = Argument(
    {"url", "link", "uri", "address", "page", "website", "href", ""}, texts, begins=True
)
_NOT_IN_ONE = re.compile(r"[\x00-\x20\x7f\\]")
_PATH_SAFE = "/%:@!$&'()*+,;=~-._?"
_LONGEST = 2_000
_HINT = "write URL, or URL lines 200-300"


@dataclass(frozen=True, slots=True)
class Address:
    scheme: str
    host: str  # in lower case, as in the request
    port: int
    target: str  # path and query

    @property
    def text(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = f":{self.port}" if self.port != PORTS[self.scheme] else ""
        return f"{self.scheme}://{host}{port}{self.target}"


@dataclass(frozen=True, slots=True)
class PageRequest:
    address: Address
    lines: Span = ALL_LINES


def parse_page_request(text: str) -> PageRequest | Unreadable:
    requests = read_arguments(text, (_URLS, *OF_LINES), _HINT)
    if isinstance(requests, Unreadable):
        return requests
    for request in requests[:1]:
        text = f"{(*request.all(_URLS), '')[0]} {span_of(request) or ''}"
    found = _URL.search(text) or _BARE.search(text)
    if not found:
        return Unreadable(f"no URL found: {_HINT}")
    url = found[0].rstrip(".,;:!")
    url = url.rstrip(")]") if "(" not in url and "[" not in url else url
    address = parse_address(url if "://" in url else f"https://{url}")
    if isinstance(address, Unreadable):
        return address
    lines = _LINES.fullmatch(text[found.start() + len(url) :])
    return PageRequest(address, span_in(lines) if lines else ALL_LINES)


def parse_address(url: str) -> Address | Unreadable:
    if len(url) > _LONGEST or _NOT_IN_ONE.search(url):
        return Unreadable("not a valid URL: it is too long or contains a space")
    try:
        parts = urlsplit(url)
        host, port = _host(parts.hostname or ""), parts.port
        query = f"?{quote(parts.query, safe=_PATH_SAFE)}" if parts.query else ""
        path = quote(parts.path or "/", safe=_PATH_SAFE.replace("?", ""))
    except ValueError:  # also of half a character
        return Unreadable(f"{url[:80]} is not a valid URL: {_HINT}")
    scheme = parts.scheme.lower()
    if scheme not in PORTS:
        return Unreadable(f"{scheme}: not supported, only http and https are")
    if "@" in parts.netloc:
        return Unreadable(
            "URLs with a user name or password are refused: write the URL without them"
        )
    if not host or port == 0:
        return Unreadable(f"{url[:80]} names no host: {_HINT}")
    return Address(scheme, host, port or PORTS[scheme], path + query)


def _host(name: str) -> str:
    """Return the host in ASCII. Raises ValueError if it can't be a host."""
    bare = name.rstrip(".")
    if ":" in bare or not bare:
        return bare
    return bare.encode("idna").decode("ascii").lower()
