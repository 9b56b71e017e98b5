"""Tries what is asked of a network where there is everything: `other_network.py FOLDER SANDBOX`.

To be started in a network namespace of its own, which it furnishes with a cloud's metadata service,
a neighbour and a name server. Prints, as JSON, what was answered to each try.
"""

import errno
import fcntl
import json
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from react_agent.tools.context import Context
from react_agent.tools.sandbox.sandbox import Places
from react_agent.tools.sandbox.sandboxes import choose
from react_agent.tools.shell import process
from react_agent.tools.shell.process import ResourceLimits
from react_agent.tools.web import BROWSE

METADATA, METADATA_6, NEIGHBOUR = "169.254.169.254", "fd00:ec2::254", "10.0.0.7"
SET_ADDRESS, SET_FLAGS, SET_MASK, UP = 0x8916, 0x8914, 0x891C, 0x41
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
ANSWER = b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nplanted"
TCP = "import socket as s; c = s.create_connection(('{host}', {port}), 5); print(c.recv(99))"
UDP = (
    "import socket as s; c = s.socket(s.AF_INET, s.SOCK_DGRAM); c.settimeout(5); "
    "c.sendto(b'?', ('{host}', {port})); print(c.recv(99))"
)
BY_COMMAND = {
    "a cloud's metadata": TCP.format(host=METADATA, port=80),
    "a cloud's metadata, IPv6": TCP.format(host=METADATA_6, port=80),
    "a neighbour": TCP.format(host=NEIGHBOUR, port=8080),
    "a name server": UDP.format(host=NEIGHBOUR, port=53),
}
BY_BROWSE = {
    "metadata": f"http://{METADATA}/",
    "metadata, IPv6": f"http://[{METADATA_6}]/",
    "metadata, IPv4 in IPv6": f"http://[::ffff:{METADATA}]/",
    "metadata, as one number": "http://2852039166/",
    "metadata, in hexadecimal": "http://0xa9fea9fe/",
    "metadata, in octal": "http://0251.0376.0251.0376/",
    "metadata, with a part left out": "http://169.254.43518/",
    "a neighbour": f"http://{NEIGHBOUR}:8080/",
    "this machine": "http://127.0.0.1:80/",
    "this machine, as zero": "http://0/",
    "a file": "file:///etc/passwd",
    "gopher": f"gopher://{METADATA}:80/_GET",
    "dict": f"dict://{METADATA}:80/x",
}


def main(folder: Path, sandbox: str) -> None:
    _furnish()
    for part in ("workspace/.git", "home/tmp", "cut"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    places = Places(folder / "workspace", folder / "home", folder / "cut")
    chosen = choose(sandbox, places, ENVIRONMENT, {})

    def said(script: str) -> bool:
        argv = chosen.sandbox(["python3", "-c", script], places.root)
        done = process.run(
            argv, cwd=places.root, env=ENVIRONMENT, timeout_s=20, limits=ResourceLimits()
        )
        return b"planted" in done.output

    context = Context(places.root, hosts=("*", f"{NEIGHBOUR}:8080", "127.0.0.1:80"))
    answers = {
        "by command": {name: said(script) for name, script in BY_COMMAND.items()},
        "by browse": {name: BROWSE.call(url, context).text for name, url in BY_BROWSE.items()},
    }
    print(json.dumps(answers))


def _furnish() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asks:
        fcntl.ioctl(asks, SET_FLAGS, struct.pack("16sH14x", b"lo", UP))
        for number, host in enumerate((METADATA, NEIGHBOUR), 1):
            name = f"lo:{number}".encode()
            for call, address in ((SET_ADDRESS, host), (SET_MASK, "255.255.255.255")):
                packed = struct.pack(
                    "16sHH4s8x", name, socket.AF_INET, 0, socket.inet_aton(address)
                )
                fcntl.ioctl(asks, call, packed)
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as asks:
        host = socket.inet_pton(socket.AF_INET6, METADATA_6)
        fcntl.ioctl(asks, SET_ADDRESS, struct.pack("16sIi", host, 128, socket.if_nametoindex("lo")))
    for server in _servers():
        threading.Thread(target=_serve, args=(server,), daemon=True).start()


def _servers() -> Iterator[socket.socket]:
    yield socket.create_server(("0.0.0.0", 80))
    yield _at_ipv6()
    yield socket.create_server((NEIGHBOUR, 8080))
    names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    names.bind((NEIGHBOUR, 53))
    yield names


def _at_ipv6() -> socket.socket:
    """The kernel takes a moment until an address that was added can be used."""
    deadline = time.monotonic() + 20
    while True:
        try:
            return socket.create_server((METADATA_6, 80), family=socket.AF_INET6)
        except OSError as error:
            if error.errno != errno.EADDRNOTAVAIL or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _serve(server: socket.socket) -> None:
    while True:
        if server.type == socket.SOCK_DGRAM:
            server.sendto(ANSWER, server.recvfrom(99)[1])
        else:
            with server.accept()[0] as caller:
                caller.sendall(ANSWER)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
