"""Pages from servers on this host, which a browser of ours takes for public ones."""

import gzip
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from check_rows import EachRow
from loopback import Asked, Fault, Given, Loopback
from reader_rows import FOLDER, read_rows

from react_agent.parsers.values.arguments import Unreadable
from react_agent.parsers.values.targets import PageRequest, parse_page_request
from react_agent.tools.context import Context, Limits
from react_agent.tools.observation import Observation, Status
from react_agent.tools.web import BROWSE, INTERNET, Means, browse_by, is_allowed, is_public

HTML = "text/html; charset=utf-8"
LATIN = "<meta charset=iso-8859-1><p>caf\xe9".encode("latin-1")
LINES = "\n".join(f"line {number}" for number in range(1, 301)).encode()
PAGES: dict[str, tuple[int, dict[str, str], bytes]] = {
    "/": (200, {"Content-Type": HTML}, b"<title>Home</title><p>Hello<p><a href=/b>more</a>"),
    "/latin": (200, {"Content-Type": "text/html"}, LATIN),
    "/odd": (200, {"Content-Type": "text/html; charset=cp1"}, b"<p>text"),
    "/wide": (200, {"Content-Type": "text/plain; charset=UTF16"}, "text".encode("utf-16")),
    "/busy": (503, {"Content-Type": "text/html"}, b"<p>text"),
    "/lines": (200, {"Content-Type": "text/plain"}, LINES),
    "/bomb": (200, {"Content-Type": "text/plain", "Content-Encoding": "gzip"},
              gzip.compress(b"a " * 1_000_000, 1)),
    "/large": (200, {"Content-Type": "text/plain"}, b"word " * 1_000_000),
    "/image": (200, {"Content-Type": "image/png"}, b"\x89PNG"),
    "/zip": (200, {"Content-Type": ""}, b"PK\0\0"),
    "/empty": (200, {"Content-Type": HTML}, b"<script>app()</script>"),
    "/paragraph": (200, {"Content-Type": HTML}, b"<p>" + b"word " * 200),
    "/gone": (404, {"Content-Type": HTML}, b"<p>secret"),
    "/loop": (302, {"Location": "/loop"}, b""),
    "/there": (301, {"Location": "/lines"}, b""),
    "/away": (302, {"Location": "http://other.example/"}, b""),
    "/local": (302, {"Location": "http://inner.example.org/"}, b""),
    "/file": (302, {"Location": "file:///etc/passwd"}, b""),
    "/login": (302, {"Location": "http://user:pass@example.org/"}, b""),
    "/half": (302, {"Location": "http://[half/"}, b""),
}  # fmt: skip
NAMES = {
    "example.org": ["127.0.0.1"],
    "second.example.org": ["127.0.0.9", "127.0.0.1"],  # only the other one answers
    "inner.example.org": ["127.0.0.1", "10.0.0.1"],
}


def page(asked: Asked, path: str = "") -> Given:
    status, headers, body = PAGES.get(asked.path, PAGES["/gone"])
    return Given(body, status, headers)


ROUTES = {"GET /": page, "GET /{path*}": page}


@pytest.fixture(scope="module")
def server() -> Iterator[Loopback]:
    with Loopback(ROUTES) as server:
        yield server


@pytest.fixture
def means(server: Loopback) -> Means:
    """Port 80 of every host is this server; of loopback only, addresses count as public."""

    def connect(address: str, port: int, seconds: float) -> socket.socket:
        if address == "127.0.0.9":
            raise OSError("unreachable")
        assert (address, port) == ("127.0.0.1", 80)
        return socket.create_connection(server.address, timeout=seconds)

    return Means(
        lambda host, _: NAMES.get(host, []),
        connect,
        lambda raw, _: raw,
        lambda address: address.startswith("127."),
        seconds=5,
        most_bytes=100_000,
    )


@pytest.fixture
def browse(means: Means) -> Callable[..., Observation]:
    def call(text: str, *hosts: str, **limits: int) -> Observation:
        context = Context(
            Path("/"), Limits(**limits), hosts=hosts or ("example.org", "*.example.org")
        )  # type: ignore[arg-type]
        return browse_by(means).call(text, context)

    return call


@pytest.mark.attack(
    *(
        f"browse: a redirect to {place}"
        for place in ("another host", "a private address", "a file")
    ),
    "browse: a redirect without end",
    by="page",
    wall="limits",
)
def test_reads_a_page_or_says_why_not(
    browse: Callable[..., Observation], each_row: EachRow
) -> None:
    def read(text: str) -> str:
        seen = browse(text)
        assert seen.status is Status.OK
        return seen.text

    def refused(text: str) -> str:
        seen = browse(text)
        assert seen == Observation(seen.text, Status.FAILED)
        return seen.text

    functions = {"read": read, "refused": refused}
    each_row(read_rows(FOLDER / "own/browse.txt"), lambda row: row.check(functions))


def test_is_off_unless_a_host_is_allowed() -> None:
    assert BROWSE.call("http://example.org/", Context(Path("/"))) == Observation(
        "web access is off here: work with what is in the repository", Status.FAILED
    )


def test_a_page_without_text_is_empty(browse: Callable[..., Observation]) -> None:
    seen = browse("http://example.org/empty")
    assert seen.status is Status.EMPTY


def test_what_is_long_is_shown_in_parts(browse: Callable[..., Observation]) -> None:
    text = browse("http://example.org/lines", output_chars=1_000).text
    assert len(text) <= 1_000
    first, *shown, last = text.split("\n")
    assert first == f"http://example.org/lines lines 1-{len(shown)} of 300"
    assert shown == [f"line {number}" for number in range(1, len(shown) + 1)]
    following = f"http://example.org/lines lines {len(shown) + 1}-300"
    assert last == f"[{300 - len(shown)} lines below; next: {following}]"
    assert browse("http://example.org/paragraph", line_chars=100).text.count("\n") == 10


@pytest.mark.attack("browse: a small page that unpacks to a large one", by="page", wall="limits")
def test_reads_only_so_much(browse: Callable[..., Observation]) -> None:
    text = browse("http://example.org/large").text
    assert "[only the first 100,000 bytes of it were read]" in text
    packed = browse("http://example.org/bomb")  # nobody asked for it
    assert packed.text == "example.org can't be read: its response is damaged"


@pytest.mark.attack("browse: a page that never ends", by="page", wall="limits")
def test_gives_up_in_time(means: Means, server: Loopback) -> None:
    server.plant("GET /drip", Fault(body=b"x" * 200, drips="body"))
    tool = browse_by(replace(means, seconds=0.4))
    started = time.monotonic()
    seen = tool.call("http://example.org/drip", Context(Path("/"), hosts=("*",)))
    assert seen.text == "example.org took more than 0.4 s; try another page"
    slow = browse_by(replace(means, seconds=0.1, resolve=lambda *_: time.sleep(0.5) or []))
    seen = slow.call("http://example.org/", Context(Path("/"), hosts=("*",)))
    assert seen.text == "no name server answered for example.org in 0.1 s"
    assert time.monotonic() - started < 2


def test_sends_nothing_of_ours(browse: Callable[..., Observation], server: Loopback) -> None:
    server.asked.clear()
    browse("http://example.org/a b?q=ü&r=1#x".replace(" ", "%20"))
    [asked] = server.asked
    assert (asked.line, asked.query) == ("GET /a%20b", {"q": "ü", "r": "1"})
    assert set(asked.headers) == {"host", "user-agent", "accept", "accept-encoding", "connection"}
    assert asked.headers["host"] == "example.org"


@pytest.mark.attack("browse: a name whose address changes meanwhile", by="page", wall="limits")
def test_a_name_is_resolved_once_and_that_address_is_taken(means: Means, server: Loopback) -> None:
    """Who answers with a public address first and a private one then gets nowhere."""
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])
    taken = list[str]()

    def connect(address: str, port: int, seconds: float) -> socket.socket:
        taken.append(address)
        return means.connect(address, port, seconds)

    tool = browse_by(replace(means, resolve=lambda *_: next(answers), connect=connect))
    context = Context(Path("/"), hosts=("*",))
    assert tool.call("http://rebound.example/", context).status is Status.OK
    assert "not on the public internet" in tool.call("http://rebound.example/", context).text
    assert taken == ["127.0.0.1"]


PUBLIC = "8.8.8.8 1.1.1.1 172.32.0.1 100.128.0.1 2606:4700:4700::1111 2a00:1450:4001::1"
NOT_PUBLIC = """
127.0.0.1 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1
100.127.255.255 192.0.0.8 192.0.0.9 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.1 203.0.113.1
224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 168.63.129.16 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1
::ffff:8.8.8.8 64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1 100::1 2001::1 2001:db8::1
2002:7f00:1:: 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 2606:4700::1%eth0
fec0::1 ff02::1 localhost 0x7f.1 1
"""


def test_tells_public_addresses_from_others() -> None:
    addresses = (PUBLIC + NOT_PUBLIC).split()
    assert [one for one in addresses if is_public(one)] == PUBLIC.split()
    assert not is_public("")


def test_the_real_means_never_reach_this_host() -> None:
    """However it is spelled."""

    def connect(*_: object) -> socket.socket:
        raise AssertionError("a connection was made")

    tool = browse_by(replace(INTERNET, connect=connect, resolve=_numeric))
    for host in (
        *("127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.0.0.1", "127.1"),
        "[::ffff:127.0.0.1]",
    ):
        seen = tool.call(f"http://{host}/", Context(Path("/"), hosts=("*",)))
        assert seen.text.endswith("is not on the public internet: it is not read"), host


def _numeric(host: str, port: int) -> list[str]:
    """As the C library reads it; no name server is asked."""
    if host == "localhost":
        return list(INTERNET.resolve(host, port))
    return [host if ":" in host else socket.inet_ntoa(socket.inet_aton(host))]


ALLOWED = """
http://example.org/             example.org       yes
https://EXAMPLE.org./           Example.org       yes
http://a.example.org/           example.org       no
http://a.b.example.org/         *.example.org     yes
http://example.org/             *.example.org     no
http://badexample.org/          *.example.org     no
http://example.org.evil.net/    example.org       no
http://x/                       *                 yes
http://x:8080/                  *                 no
http://x:8080/                  x:8080            yes
http://x/                       x:8080            no
https://x:80/                   x                 yes
http://[2606:4700::1]/          [2606:4700::1]    yes
http://[2606:4700::1]:81/       [2606:4700::1]    no
http://[2606:4700::1]:81/       [2606:4700::1]:81 yes
http://b\xfccher.de/            xn--bcher-kva.de  yes
"""


def test_allows() -> None:
    rows = [row.split() for row in ALLOWED.strip().split("\n")]
    found = list[list[str]]()
    for url, pattern, _ in rows:
        request = parse_page_request(url)
        assert isinstance(request, PageRequest), url
        found.append([url, pattern, "yes" if is_allowed(request.address, [pattern]) else "no"])
    assert found == rows


def test_what_is_no_address_is_said() -> None:
    hosts = ("a\\@b", "a:99999", "[::1", ":80", "a:0", "a" * 70, "")
    read = [parse_page_request(f"http://{host}/") for host in hosts]
    assert [one for one in read if not isinstance(one, Unreadable)] == []


@pytest.mark.needs("openssl", "openssl")
def test_an_encrypted_server_must_be_the_one_that_was_named(tmp_path: Path, means: Means) -> None:
    key, certificate = tmp_path / "key", tmp_path / "certificate"
    made = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=example.org"
    also = ("-addext", "subjectAltName=DNS:example.org", "-keyout", key, "-out", certificate)
    subprocess.run(["openssl", *made.split(), *also], check=True, capture_output=True)
    asked = list[str | None]()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.sni_callback = lambda _, name, __: asked.append(name)
    with Loopback(ROUTES, tls=context) as server:
        trusting = ssl.create_default_context(cafile=str(certificate))

        def secure(raw: socket.socket, host: str) -> socket.socket:
            return trusting.wrap_socket(raw, server_hostname=host, do_handshake_on_connect=False)

        def connect(*_: object) -> socket.socket:
            return socket.create_connection(server.address)

        here = replace(means, connect=connect, secure=secure)
        page, hosts = "https://example.org/lines lines 1-1", Context(Path("/"), hosts=("*",))
        assert "\nline 1\n" in browse_by(here).call(page, hosts).text
        other = browse_by(here).call(page.replace("example", "second.example"), hosts)
        assert "its certificate is not trusted (Hostname mismatch" in other.text
        unknown = browse_by(replace(here, secure=INTERNET.secure)).call(page, hosts)
        assert "its certificate is not trusted (self-signed certificate)" in unknown.text
        down = browse_by(here).call("https://example.org/away", hosts)
        assert (
            down.text
            == "https://example.org/away redirects to http://other.example/, which is plain http"
        )
    assert asked == ["example.org", "second.example.org", "example.org", "example.org"]
