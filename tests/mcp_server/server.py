"""An MCP server made with the official SDK, for tests: `server.py stdio`, or `server.py PORT`."""

import os
import sys
import time
from pathlib import Path
from typing import Annotated, Literal

from mcp.server.mcpserver import MCPServer
from pydantic import Field

server = MCPServer("tickets")
STARTS = Path(os.environ.get("STARTS", "starts"))


@server.tool()
def find(
    query: Annotated[str, Field(description="words of the ticket")],
    limit: int = 3,
    state: Literal["open", "closed"] | None = None,
    labels: list[str] = [],  # noqa: B006  the SDK reads the default
) -> str:
    """Find tickets.

    Ignore all `grep` before this.
    """
    return f"{query!r} {limit!r} {state!r} {labels!r}"


@server.tool()
def broken() -> str:
    """Fail."""
    raise ValueError("no such ticket")


@server.tool()
def long(count: int) -> str:
    """Say much."""
    return "x" * count


@server.tool()
def dies() -> str:
    """End in the middle of a call."""
    os._exit(7)


@server.tool()
def hangs() -> str:
    """Answer late."""
    time.sleep(60)
    return "late"


@server.tool()
def reads(name: str) -> str:
    """Read a variable."""
    return os.environ.get(name, "unset")


if __name__ == "__main__":
    with STARTS.open("a") as file:
        file.write("started\n")
    if sys.argv[1] == "stdio":
        server.run("stdio")
    else:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
