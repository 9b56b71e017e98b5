"""Offer the tools of MCP servers in a run, and record them so that the run can be replayed.

%% mcp: tool=tickets_find server=tickets of=find offered=yes about="finds tickets" schema={...}

A new run requests the list of tools from each server. A resumed run uses the recorded tools and
starts a server only when one of its tools is called. A replay starts no server and returns the
recorded results.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from react_agent.errors import ConfigError
from react_agent.loop.agent import answer_in
from react_agent.models.endpoint import is_replay
from react_agent.models.replay import open_replay
from react_agent.parsers.text.gist import one_line
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import read_facts, write_facts
from react_agent.parsers.values.arguments import Unreadable
from react_agent.parsers.values.schema import in_words, read_input
from react_agent.profiles.toolbox import OURS, with_more
from react_agent.state.state import MCP, State, fold
from react_agent.state.transcript import Transcript
from react_agent.tools.clip import clip_line
from react_agent.tools.context import Context
from react_agent.tools.mcp import Server, Servers
from react_agent.tools.observation import Observation, failed
from react_agent.tools.registry import Kind, Registry, Tool

_ABOUT, _USAGE, _SCHEMA = 300, 700, 20_000  # characters of a tool, at most
_MOST, _NAME = 64, 128  # tools of a server, characters of a name
_ODD = re.compile(r"[^a-z0-9]+")

Call = Callable[[Mapping[str, str], str, Context], Observation]


def with_mcp(
    registry: Registry, transcript: Transcript, own: Sequence[Server], servers: Servers
) -> tuple[Registry, tuple[Event, ...]]:
    """Return the registry extended by all server tools, and the events to record in the transcript.

    Raises ServerFailed or ConfigError if a server can't be started or used for a new run.
    """
    state = transcript.state
    spec, texts = state.header.get("model", ""), state.mcp
    if is_replay(spec):
        recorded = fold(open_replay(spec, lambda line: None).entries)
        texts, call = recorded.mcp, partial(_again, transcript, recorded)
    else:
        call = partial(_called, {server.name: server for server in own}, servers)
        if not texts and not state.steps:
            texts = [text for server in own for text in _listed(server, servers)]
    new = () if state.mcp else tuple(Event(MCP, text) for text in texts)
    return with_recorded(registry, texts, call), new


def with_recorded(
    registry: Registry, texts: Sequence[str], call: Call = lambda *_: failed("")
) -> Registry:
    """Return the registry extended by the tools that these transcript events describe."""
    offered, hidden = list[Tool](), list[Tool]()
    for facts in map(read_facts, texts):
        usage = clip_line(f"{facts.get('about', '')}; {in_words(_schema(facts))}", _USAGE)
        needs = bool(_schema(facts).get("required"))
        tool = Tool(facts.get("tool", ""), usage, Kind.RUN, partial(call, facts), needs)
        (offered if facts.get("offered") == "yes" else hidden).append(tool)
    return with_more(registry, offered, hidden)


def _listed(server: Server, servers: Servers) -> Iterator[str]:
    """Yield the event text for each tool that the settings do not exclude."""
    listed = [one for one in servers.listed(server) if len(one.name) <= _NAME]
    named = {*server.tools, *server.hidden}
    if missing := sorted(named - {one.name for one in listed}):
        raise ConfigError(f"the MCP server {server.name} has no tool {missing[0]}")
    wanted = [one for one in listed if one.name in named or not server.tools]
    for one in wanted[:_MOST]:
        is_offered = one.name in server.tools or one.name not in server.hidden
        name = _ODD.sub("_", f"{server.name}_{one.name}".lower()).strip("_")
        if name in OURS:
            raise ConfigError(f"the MCP server {server.name} would replace {name}: rename it")
        schema = json.dumps(one.input_schema, ensure_ascii=False)
        yield write_facts(
            {
                "tool": name,
                "server": server.name,
                "of": one.name,
                "offered": "yes" if is_offered else "no",
                "about": clip_line(one_line(one.description or "").replace("`", "'"), _ABOUT),
                "schema": schema if len(schema) <= _SCHEMA else "{}",
            }
        )


def _called(
    own: Mapping[str, Server], servers: Servers, facts: Mapping[str, str], text: str, _: Context
) -> Observation:
    server = own.get(facts.get("server", ""))
    if server is None:
        return failed(f"The settings no longer have the server {facts.get('server', '')}.")
    given = read_input(text, _schema(facts))
    if isinstance(given, Unreadable):
        return failed(given.reason)
    return servers.call(server, facts.get("of", ""), given)


def _again(
    transcript: Transcript, recorded: State, facts: Mapping[str, str], text: str, _: Context
) -> Observation:
    """Return the result that the same step returned in the recorded run."""
    steps = recorded.steps[len(transcript.state.steps) :]
    if not steps or steps[0].said.turn.input != text:
        return failed("The recorded run has no such call, and a replay starts no server.")
    return Observation(answer_in(steps[0]), steps[0].status)


def _schema(facts: Mapping[str, str]) -> Mapping[str, object]:
    try:
        found = json.loads(facts.get("schema", ""))
    except ValueError:  # a person may have edited it
        return {}
    return found if isinstance(found, dict) else {}
