"""Tools of MCP servers, called through the official SDK, which is imported only when needed.

The SDK is asynchronous, so its client runs in a separate thread that our thread calls. The first
call of a tool starts its server, in the sandbox for commands. If a server died or did not answer in
time, the next call restarts it.
"""

import contextlib
import importlib.util
import json
import os
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import methodcaller
from pathlib import Path
from typing import Any

from react_agent.tools import disk
from react_agent.tools.clip import clip_line
from react_agent.tools.context import Context
from react_agent.tools.errors import MachineError, ReactAgentError
from react_agent.tools.observation import Observation, Status, failed
from react_agent.tools.package_data import install_command

START = 60.0  # seconds to start and to list the tools
_SHOWN = 300  # characters of an error
_MOST_PAGES = 50  # of a list of tools


@dataclass(frozen=True, slots=True)
class Server:
    """An MCP server, as described by the user's settings."""

    name: str
    command: str = ""  # or
    url: str = ""
    tools: tuple[str, ...] = ()  # that are offered; none: all that are not hidden
    hidden: tuple[str, ...] = ()  # that answer without being offered
    variables: tuple[str, ...] = ()  # of the environment, that it may read
    seconds: int = 60  # for one call


class ServerFailed(ReactAgentError):
    """A server could not be started, has ended, or did not answer in time."""


@dataclass(slots=True)
class Servers:
    """The MCP servers of a run. The code that creates this object has to close it."""

    context: Context
    environment: Mapping[str, str]  # of the person
    _stack: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _portal: Any = None  # calls what is asynchronous, in a thread of its own
    _open: dict[str, tuple[Any, contextlib.ExitStack]] = field(default_factory=dict)

    def listed(self, server: Server) -> list[Any]:
        """Return the tools that a server offers, as the SDK tells them. Raises ServerFailed."""
        listed, cursor = list[Any](), None
        for _ in range(_MOST_PAGES):
            page = self._asked(server, START, methodcaller("list_tools", cursor=cursor))
            listed += page.tools
            if not (cursor := page.next_cursor):
                break
        return listed

    def call(self, server: Server, tool: str, given: Mapping[str, Any]) -> Observation:
        last = server.seconds + START  # our own limit comes first; the SDK's would be START
        ask = methodcaller("call_tool", tool, dict(given), last)
        try:
            found = self._asked(server, server.seconds, ask)
        except ServerFailed as error:
            return failed(str(error))
        text = "\n".join(_texts(found))
        if found.is_error:
            return failed(text or "it failed, and did not say why")
        return Observation(text or "(it returned nothing)", Status.OK if text else Status.EMPTY)

    def close(self) -> None:
        for name in [*self._open]:
            self._end(name)
        self._stack.close()
        self._portal = None

    def _asked(self, server: Server, seconds: float, ask: Callable[[Any], Any]) -> Any:
        client = self._client(server)
        return self._waited(server, seconds, self._portal.start_task_soon(ask, client))

    def _client(self, server: Server) -> Any:
        if server.name in self._open:
            return self._open[server.name][0]
        if importlib.util.find_spec("mcp") is None:
            raise MachineError(f"an MCP server needs the SDK: {install_command('mcp')}")
        import logging

        import anyio.from_thread
        import mcp

        if self._portal is None:
            # else the SDK prints what servers say, as it is
            logging.getLogger("mcp").addHandler(logging.NullHandler())
            starting = anyio.from_thread.start_blocking_portal()
            self._portal = self._stack.enter_context(starting)
        stack = contextlib.ExitStack()
        at = server.url or self._transport(server, stack)
        client: Any = mcp.Client(at, read_timeout_seconds=START)
        inside = self._portal.wrap_async_context_manager(client)
        try:
            stack.enter_context(inside)
        except Exception as error:  # noqa: BLE001 - whatever a server makes of the SDK
            stack.close()
            raise ServerFailed(_ended(server, f"can't be started: {_reason(error)}")) from None
        client.session.validate_tool_result = _unchecked
        self._open[server.name] = client, stack
        return client

    def _transport(self, server: Server, stack: contextlib.ExitStack) -> Any:
        from mcp.client.stdio import StdioServerParameters, stdio_client

        root = self.context.root
        program, *words = self.context.sandbox(shlex.split(server.command), root)
        given = {name: self.environment.get(name, "") for name in server.variables}
        parameters = StdioServerParameters(
            command=program, args=words, env={**self.context.environment, **given}, cwd=root
        )
        nowhere = stack.enter_context(disk.appended(Path(os.devnull), "replace"))
        return stdio_client(parameters, errlog=nowhere)

    def _waited(self, server: Server, seconds: float, future: Any) -> Any:
        try:
            return future.result(seconds)
        except TimeoutError:
            future.cancel()
            self._end(server.name)
            raise ServerFailed(_ended(server, f"did not answer in {seconds:g} s")) from None
        except Exception as error:  # noqa: BLE001 - whatever a server makes of the SDK
            code = getattr(getattr(error, "error", None), "code", 0)
            if code in _REFUSALS:  # it is alive
                raise ServerFailed(_ended(server, f"refused it: {_reason(error)}")) from None
            self._end(server.name)
            raise ServerFailed(_ended(server, f"has ended: {_reason(error)}")) from None

    def _end(self, name: str) -> None:
        _, stack = self._open.pop(name)
        with contextlib.suppress(Exception):  # it may have ended by itself
            stack.close()


async def _unchecked(name: str, result: Any) -> None:
    """Take a result as it is: the schema of a server may hold a pattern that takes for ever."""


_REFUSALS = (-32600, -32601, -32602)  # of JSON-RPC: the request, its method or its arguments


def _ended(server: Server, how: str) -> str:
    return f"The server {server.name} {how}"


def _reason(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    text = getattr(error, "message", "") or str(error) or type(error).__name__
    return clip_line(" ".join(str(text).split()), _SHOWN)


def _texts(found: Any) -> Iterator[str]:
    for part in found.content:
        text = getattr(part, "text", None)
        yield text if isinstance(text, str) else f"({part.type} left out)"
    if not found.content and found.structured_content is not None:
        yield json.dumps(found.structured_content, ensure_ascii=False)
