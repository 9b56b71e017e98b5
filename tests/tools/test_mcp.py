"""Tools of MCP servers: the official SDK's own server, over stdio and HTTP."""

import contextlib
import json
import logging
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from check_rows import table_of

from react_agent.tools.context import Context
from react_agent.tools.mcp import Server, ServerFailed, Servers
from react_agent.tools.observation import Observation, Status, failed

SCRIPT = Path(__file__).parents[1] / "mcp_server" / "server.py"
COMMAND = f"{sys.executable} -P {SCRIPT} stdio"
STDIO = Server("tickets", COMMAND, variables=("SHOWN",))
SECRET = {"SHOWN": "seen", "HIDDEN": "sk-hidden"}


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    with contextlib.closing(Servers(Context(tmp_path), SECRET)) as servers:
        yield servers


@pytest.fixture
def over_http(tmp_path: Path) -> Iterator[Server]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    argv = [sys.executable, "-P", str(SCRIPT), str(port)]
    with subprocess.Popen(argv, cwd=tmp_path, stderr=subprocess.DEVNULL) as process:
        for _ in range(600):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.1)
        yield Server("tickets", url=f"http://127.0.0.1:{port}/mcp")
        process.kill()


def _starts(servers: Servers) -> int:
    return (servers.context.root / "starts").read_text().count("\n")


def test_over_stdio_and_started_anew_where_it_dies_or_hangs(tmp_path: Path) -> None:
    started = list[tuple[Sequence[str], Path]]()

    def sandbox(argv: Sequence[str], cwd: Path) -> list[str]:
        started.append((argv, cwd))
        return list(argv)

    with contextlib.closing(Servers(Context(tmp_path, sandbox=sandbox), SECRET)) as servers:
        names = [one.name for one in servers.listed(STDIO)]
        assert names == ["find", "broken", "long", "dies", "hangs", "reads"]
        found = servers.call(STDIO, "find", {"query": "x", "labels": ["a"]})
        assert found == Observation("'x' 3 None ['a']")
        assert servers.call(STDIO, "broken", {}).text.startswith("Error executing tool broken")
        assert servers.call(STDIO, "reads", {"name": "SHOWN"}) == Observation("seen")
        assert servers.call(STDIO, "reads", {"name": "HIDDEN"}) == Observation("unset")
        assert servers.call(STDIO, "find", {"limit": "x"}).status is Status.FAILED
        assert servers.call(STDIO, "nosuch", {}).status is Status.FAILED
        assert _starts(servers) == 1
        dies = servers.call(STDIO, "dies", {})
        assert (dies.status, dies.text[:29]) == (Status.FAILED, "The server tickets has ended:")
        assert servers.call(STDIO, "find", {"query": "x"}).status is Status.OK
        assert _starts(servers) == 2
        servers._open["tickets"][0].session._session_read_timeout_seconds = 0.1  # the SDK's own
        slow, began = replace(STDIO, seconds=1), time.monotonic()
        told = "The server tickets did not answer in 1 s"
        assert servers.call(slow, "hangs", {}) == failed(told)
        assert time.monotonic() - began < 30
        assert servers._open == {}
    assert started == [([sys.executable, "-P", str(SCRIPT), "stdio"], tmp_path)] * 2


PAGES = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    given = asked.get("params") or {}
    tools = [{"name": "two" if given.get("cursor") else "one", "inputSchema": {"type": "object"}}]
    result = {"tools": tools} if given.get("cursor") else {"tools": tools, "nextCursor": "2"}
    if asked["method"] == "initialize":
        result = {"protocolVersion": given["protocolVersion"], "capabilities": {"tools": {}}}
        result["serverInfo"] = {"name": "s", "version": "1"}
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""


def test_a_list_of_several_pages(servers: Servers, tmp_path: Path) -> None:
    (tmp_path / "pages.py").write_text(PAGES)
    paged = Server("paged", f"{sys.executable} -P {tmp_path}/pages.py")
    assert [one.name for one in servers.listed(paged)] == ["one", "two"]


@pytest.mark.attack("errors without end", by="MCP server", wall="limits")
@pytest.mark.attack("escapes in what the SDK prints", by="MCP server", wall="escaping")
def test_what_else_it_says_goes_nowhere(servers: Servers, tmp_path: Path) -> None:
    name = "str(os.path.samestat(os.fstat(2), os.stat(os.devnull)))"
    script = PAGES.replace("import json, sys", "import json, os, sys")
    script = script.replace('"two" if given.get("cursor") else "one"', name)
    (tmp_path / "nowhere.py").write_text(script)
    paged = Server("nowhere", f"{sys.executable} -P {tmp_path}/nowhere.py")
    assert [one.name for one in servers.listed(paged)] == ["True", "True"]
    handlers = logging.getLogger("mcp").handlers
    assert any(isinstance(one, logging.NullHandler) for one in handlers)


SCHEMA = 'import json, sys\nSLOW = {"properties": {"x": {"pattern": "^(a+)+$"}}, "type": "object"}'
RESULT = """\
    if asked["method"] == "tools/call":
        result = {"content": [], "structuredContent": {"x": "a" * 40 + "!"}}
    if "id" in asked:"""


@pytest.mark.attack("a pattern for its own answers", by="MCP server", wall="limits")
def test_no_pattern_of_a_server_is_matched(servers: Servers, tmp_path: Path) -> None:
    script = PAGES.replace("import json, sys", SCHEMA).replace('    if "id" in asked:', RESULT)
    script = script.replace('"inputSchema"', '"outputSchema": SLOW, "inputSchema"')
    (tmp_path / "slow.py").write_text(script)
    slow = Server("slow", f"{sys.executable} -P {tmp_path}/slow.py")
    assert [one.output_schema["type"] for one in servers.listed(slow)] == ["object"] * 2
    assert servers.call(slow, "one", {}).text == json.dumps({"x": "a" * 40 + "!"})


def test_over_http(servers: Servers, over_http: Server) -> None:
    assert len(servers.listed(over_http)) == 6
    assert servers.call(over_http, "find", {"query": "x"}) == Observation("'x' 3 None []")
    ended = servers.call(over_http, "dies", {})
    assert (ended.status, ended.text[:19]) == (Status.FAILED, "The server tickets ")


@table_of(
    "server",
    {
        "no program": Server("gone", "/nonexistent/server"),
        "ends at once": Server("ends", f"{sys.executable} -c pass"),
        "nobody listens": Server("closed", url="http://127.0.0.1:1/mcp"),
    },
)
def test_one_that_can_not_be_started(servers: Servers, server: Server) -> None:
    with pytest.raises(ServerFailed, match=f"^The server {server.name} can't be started: "):
        servers.listed(server)
    assert servers.call(server, "find", {}).status is Status.FAILED
