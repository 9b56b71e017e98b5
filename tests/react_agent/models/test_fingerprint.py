"""A prompt told by a few letters."""

from dataclasses import replace

from react_agent.models.contract import View, fingerprint


def test_any_text_has_one() -> None:
    """A transcript that somebody edited may hold half a character."""
    view = View("Begin!", "", (), "Thought: \ud800")
    assert fingerprint(view) == fingerprint(replace(view, task="Objective: x"))
    assert fingerprint(view) != fingerprint(replace(view, tail="Thought: \ud801"))
