"""The `browse` tool: read a web page as text, from allowed hosts at public addresses.

A host name is resolved here, all its addresses are checked, and the connection is made to a checked
address. Every redirect is checked again. No cookies or keys are sent.
"""

import codecs
import http.client
import ipaddress
import re
import socket
import ssl
import textwrap
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import urljoin

from react_agent.parsers.text.html_text import Page, html_text
from react_agent.parsers.values.arguments import Unreadable
from react_agent.parsers.values.targets import (
    PORTS,
    Address,
    PageRequest,
    parse_address,
    parse_page_request,
)
from react_agent.tools.clip import clip_line, counted, fitting
from react_agent.tools.context import Context
from react_agent.tools.deadline import Deadline
from react_agent.tools.observation import ASKED, REFUSED, Observation, Status, failed
from react_agent.tools.registry import Kind, Tool

_HEADERS = (
    ("User-Agent", "react-agent (reads pages for a program)"),
    (
        "Accept",
        "text/html, text/plain, text/markdown, application/json, application/xml;q=0.9, */*;q=0.1",
    ),
    ("Accept-Encoding", "identity"),
    ("Connection", "close"),
)
_MOST_REDIRECTS = 5
_MOST_ADDRESSES = 4  # that are tried
_REDIRECTS = (301, 302, 303, 307, 308)
# Networks that the standard library counts as global, but that are not the public internet.
_NEVER = tuple(
    ipaddress.ip_network(network)
    for network in (
        *("100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24", "224.0.0.0/4"),
        "168.63.129.16/32",  # a cloud's own service, at a public address
        "2001::/23",  # Teredo and other tunnels
        "2002::/16",  # 6to4: holds an IPv4 address
        *("2001:db8::/32", "3fff::/20"),
    )
)
# The allocated part of IPv6: no mapped, translated (64:ff9b::), local or multicast addresses.
_GIVEN_OUT_6 = ipaddress.IPv6Network("2000::/3")
_OFF = "web access is off here: work with what is in the repository"
_CHARSET = re.compile(
    r"utf-?8|utf-?16(?:le|be)?|us-ascii|iso-8859-\d+|latin-?1|windows-\d+|cp\d+|koi8-[ru]"
    r"|gb(?:k|2312|18030)|big5|shift_jis|euc-(?:jp|kr)",
    re.IGNORECASE,
)
_META = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]{1,40})""", re.IGNORECASE)
_NO_SUCH_PAGE = (404, 410)
_CHARSET_BYTES = 2_048  # bytes, for the charset
_ROOM_FOR_NOTES = 500


def is_public(address: str) -> bool:
    """Return whether this is an address of the public internet."""
    try:
        read = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(read, ipaddress.IPv6Address) and (read.scope_id or read not in _GIVEN_OUT_6):
        return False
    return read.is_global and not any(read in network for network in _NEVER)


@dataclass(frozen=True, slots=True)
class Response:
    address: Address  # after redirects
    status: int
    content_type: str
    charset: str
    body: bytes
    is_cut: bool = False
    location: str = ""  # that it redirects to


@dataclass(frozen=True, slots=True)
class Means:
    """The functions that access the web. A caller without a network can pass other functions."""

    resolve: Callable[[str, int], Sequence[str]]
    connect: Callable[[str, int, float], socket.socket]
    secure: Callable[[socket.socket, str], socket.socket]
    is_public: Callable[[str], bool] = is_public
    seconds: float = 20.0  # for all of it
    most_bytes: int = 2 * 1024 * 1024  # of a page, unpacked


def fetch(address: Address, hosts: Sequence[str], means: Means) -> Response | Unreadable:
    ends = time.monotonic() + means.seconds
    for _ in range(_MOST_REDIRECTS + 1):
        if not is_allowed(address, hosts):
            port = f":{address.port}" if address.port not in PORTS.values() else ""
            allowed = ", ".join(hosts)
            return Unreadable(f"{address.host}{port} is not an allowed host; allowed: {allowed}")
        response = _answer(address, means, ends)
        if isinstance(response, Unreadable) or not response.location:
            return response
        following = parse_address(response.location)
        if isinstance(following, Unreadable):
            return Unreadable(f"{address.text} redirects elsewhere: {following.reason}")
        if address.scheme == "https" and following.scheme == "http":
            return Unreadable(f"{address.text} redirects to {following.text}, which is plain http")
        address = following
    return Unreadable(f"more than {_MOST_REDIRECTS} redirects, the last to {address.text}")


def is_allowed(address: Address, hosts: Sequence[str]) -> bool:
    return any(_fits(address, pattern.strip().lower()) for pattern in hosts)


def _fits(address: Address, pattern: str) -> bool:
    """Match a host against `example.org`, `*.example.org` or `*`. A given port must match, too."""
    name, colon, port = pattern.rpartition(":")
    if not colon or not port.isdecimal() or (":" in name and not name.endswith("]")):
        name, port = pattern, ""
    if int(port or 0) != address.port and (port or address.port not in PORTS.values()):
        return False
    name = name.strip("[]")
    return name in ("*", address.host) or (name[:2] == "*." and address.host.endswith(name[1:]))


def _answer(address: Address, means: Means, ends: float) -> Response | Unreadable:
    found = _checked(address, means, ends)
    if isinstance(found, Unreadable):
        return found
    try:
        with closing(_connected(address, found, means, ends)) as raw:
            response: Response | Unreadable = _asked(address, raw, means, ends)
    except (OSError, http.client.HTTPException, ValueError) as error:
        response = Unreadable(f"{address.host} can't be read: {_reason(error)}")
    if time.monotonic() >= ends:  # a cut answer can look complete
        return Unreadable(f"{address.host} took more than {means.seconds:g} s; try another page")
    return response


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({error.verify_message})"
    if isinstance(error, OSError):
        return error.strerror or "it did not answer in time"
    return "its response is damaged"


def _checked(address: Address, means: Means, ends: float) -> Sequence[str] | Unreadable:
    """Return all addresses of a host name. Refuse the name if one of them is not public."""
    found = list[str]()

    def resolve() -> None:
        with suppress(OSError, UnicodeError):
            found.extend(means.resolve(address.host, address.port))

    # A thread, because nothing else ends a DNS query in time.
    asking = threading.Thread(target=resolve, daemon=True)
    asking.start()
    asking.join(max(ends - time.monotonic(), 0))
    if asking.is_alive():
        return Unreadable(f"no name server answered for {address.host} in {means.seconds:g} s")
    if not found:
        return Unreadable(f"the host {address.host} was not found by any name server")
    if not all(means.is_public(one) for one in found):
        return Unreadable(f"{address.host} is not on the public internet: it is not read")
    return found


def _connected(address: Address, found: Sequence[str], means: Means, ends: float) -> socket.socket:
    *others, last = list(dict.fromkeys(found))[:_MOST_ADDRESSES]
    for one in others:
        with suppress(OSError):
            return means.connect(one, address.port, _left(ends) / 2)
    return means.connect(last, address.port, _left(ends))


def _left(ends: float) -> float:
    return max(ends - time.monotonic(), 0.01)


def _asked(address: Address, raw: socket.socket, means: Means, ends: float) -> Response:
    raw.settimeout(_left(ends))
    secured = means.secure(raw, address.host) if address.scheme == "https" else raw
    with closing(secured), Deadline(_left(ends), secured):
        if isinstance(secured, ssl.SSLSocket):
            secured.do_handshake()
        connection = http.client.HTTPConnection(address.host, address.port)
        connection.sock = secured
        connection.putrequest("GET", address.target, skip_host=True, skip_accept_encoding=True)
        for name, value in (("Host", address.text.split("/")[2]), *_HEADERS):
            connection.putheader(name, value)
        connection.endheaders()
        with closing(connection.getresponse()) as answer:
            return _read(address, answer, means.most_bytes)


def _read(address: Address, answer: http.client.HTTPResponse, most: int) -> Response:
    written = str(answer.headers.get("Location", "")) if answer.status in _REDIRECTS else ""
    sent = written.encode("latin-1", "replace").decode(errors="replace")
    location = urljoin(address.text, sent) if sent else ""
    content_type = str(answer.headers.get("Content-Type", "")).split(";")[0].strip().lower()
    charset = answer.headers.get_content_charset("")
    body, is_cut = b"", False
    if answer.status == http.client.OK and is_text(content_type):
        encoding = str(answer.headers.get("Content-Encoding", "")).strip().lower()
        if encoding not in ("identity", ""):  # a small body could unpack to a large one
            raise http.client.UnknownTransferEncoding(encoding)
        body = answer.read(most + 1)
        body, is_cut = body[:most], len(body) > most
    return Response(address, answer.status, content_type, charset, body, is_cut, location)


def is_text(content_type: str) -> bool:
    """Return whether the body of a page with this content type is read."""
    return content_type in ("", "application/json", "application/xml", "application/xhtml+xml") or (
        re.fullmatch(r"text/[\w.+-]+|application/[\w.-]+\+(?:json|xml)", content_type) is not None
    )


def _resolved(host: str, port: int) -> Sequence[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(where[0]) for *_, where in found]


def _connect(address: str, port: int, seconds: float) -> socket.socket:
    return socket.create_connection((address, port), timeout=seconds)


def _secure(raw: socket.socket, host: str) -> socket.socket:
    context = ssl.create_default_context()
    return context.wrap_socket(raw, server_hostname=host, do_handshake_on_connect=False)


INTERNET = Means(_resolved, _connect, _secure)


def browse_by(means: Means) -> Tool:
    usage = "read a web page as text; input: URL, or URL lines 200-300"
    return Tool("browse", usage, Kind.READ, partial(_browse, means=means))


def _browse(text: str, context: Context, means: Means) -> Observation:
    if not context.hosts:
        return failed(_OFF)
    request = parse_page_request(text)
    if isinstance(request, Unreadable):
        return failed(request.reason)
    response = fetch(request.address, context.hosts, means)
    if not isinstance(response, Unreadable):
        seen = _answered(response, request, context)
    elif is_allowed(request.address, context.hosts):
        seen = failed(response.reason)
    else:
        return replace(failed(response.reason), noted={REFUSED: "host"})
    return replace(seen, noted={ASKED: request.address.text})


def _answered(response: Response, request: PageRequest, context: Context) -> Observation:
    where = clip_line(response.address.text, context.limits.line_chars)
    kind, charset = response.content_type, _charset(response)
    if response.status != 200:
        gone = ": there is no such page" if response.status in _NO_SUCH_PAGE else ""
        return failed(f"{where} answers with status {response.status}{gone}")
    if not is_text(kind):
        return failed(f"{where} is {kind[:80]}: only text pages can be read")
    if b"\0" in response.body[:_CHARSET_BYTES] and not charset.startswith("utf-16"):
        return failed(f"{where} is binary: only text pages can be read")
    text = response.body.decode(charset, errors="replace")
    if "html" in kind or (not kind and text[:1] == "<"):
        page = html_text(text, response.address.text)
    else:
        page = Page("", text.replace("\r\n", "\n").replace("\r", "\n").strip("\n"))
    return _shown(page, response, request, context)


def _charset(response: Response) -> str:
    """Return the charset of the page, if it is a text encoding and not another Python codec."""
    meta = _META.search(response.body[:_CHARSET_BYTES])
    if response.body.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    for said in (response.charset, meta[1].decode() if meta else ""):
        with suppress(LookupError):
            if _CHARSET.fullmatch(said):
                return codecs.lookup(said).name
    return "utf-8"


def _shown(page: Page, response: Response, request: PageRequest, context: Context) -> Observation:
    limits, where = context.limits, response.address.text
    if not page.text.strip():
        return Observation(f"{where} has no text without running its scripts", Status.EMPTY)
    lines = [part for line in page.text.split("\n") for part in _wrapped(line, limits.line_chars)]
    first = min(request.lines.start, len(lines))
    asked = lines[first - 1 : request.lines.end]
    shown = asked[: max(fitting(asked, limits.output_chars - _ROOM_FOR_NOTES - 2 * len(where)), 1)]
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
    """Split a paragraph, which is one line, into parts that can be requested one by one."""
    if len(line) <= most:
        return [line]
    return textwrap.wrap(
        line, most, expand_tabs=False, replace_whitespace=False, break_on_hyphens=False
    )


BROWSE = browse_by(INTERNET)
