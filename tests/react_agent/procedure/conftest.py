"""Walks through a procedure."""

from typing import Any

import pytest
from walking import Walk

from react_agent.parsers.settings.procedure import read_procedure
from react_agent.runs.report import Outcome
from react_agent.runs.solve import solve


@pytest.fixture
def walk(desk: Any) -> Walk:
    """Through a procedure, with these replies: how it ended, and what the model saw."""

    def walked(text: str, *replies: Any, **options: Any) -> tuple[Outcome, list[Any]]:
        around = desk.around(*replies)
        outcome = solve(desk.request(procedure=read_procedure(text), **options), around)
        return outcome, around.open_model("script").seen

    return walked
