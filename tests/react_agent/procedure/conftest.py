"""Walks through a procedure."""

from typing import Any

import pytest
from walking import Walk

from react_agent.parsers.settings.procedure import read_procedure


@pytest.fixture
def walk(desk: Any) -> Walk:
    """Through a procedure, with these replies: how it ended, and what the model saw."""

    def walked(text: str, *replies: Any, **options: Any) -> Any:
        return desk.watched(*replies, procedure=read_procedure(text), **options)

    return walked
