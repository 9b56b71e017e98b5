"""Whole runs in which the world answers as a row says."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from rows import DONE, KINDS, Played, Row, World

from react_agent.loop.agent import run
from react_agent.loop.guards import GUARDS
from react_agent.parsers.settings.hidden import Hidden, HiddenKind
from react_agent.parsers.transcript.reader import read_transcript
from react_agent.profiles.profile import Budget, Patience
from react_agent.testing import ScriptedModel
from react_agent.tools.registry import Tool, build


@pytest.fixture
def goes(bench: Any) -> Callable[..., Played]:
    def played(*rows: Row, patience: Patience | None = None, **limits: Any) -> Played:
        world = World()
        tools = [Tool(name, name, kind, world.answer) for name, kind in KINDS.items()]
        bench.registry = build(tools, {"think": Hidden(HiddenKind.PROTOCOL, "Noted.")})
        model = ScriptedModel([*map(world.says, rows), DONE])
        patience = patience or Patience()
        agent = bench.agent(bench.open(), model, Budget(**limits), patience=patience)
        agent = replace(agent, files=world, guards=(GUARDS["malformed"], GUARDS["stuck"]))
        run(agent)
        transcript = agent.transcript
        text = transcript.path.read_text(encoding="utf-8")
        tails = [view.tail for view in model.seen]
        return Played(transcript.state, read_transcript(text).entries, tails)

    return played
