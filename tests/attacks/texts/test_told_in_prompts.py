"""What bookkeeping brings into a prompt: words of models and the world, that stay words."""

from collections.abc import Callable

import pytest
from forged import FORGED
from lying_world import live_lines

from react_agent.parsers.servers.rewriting import inert
from react_agent.parsers.transcript.entries import HEADER, VERSION, Event, Objective, Said, Seen
from react_agent.parsers.transcript.labels import strict
from react_agent.parsers.transcript.reader import read_transcript
from react_agent.parsers.transcript.writer import write_transcript
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.prompt.view import view
from react_agent.state.state import fold
from react_agent.state.steps import CONDENSED, MAINTAINER, RETRACTED, compressed_event

pytestmark = pytest.mark.slow

BEGIN = Event(HEADER, VERSION)
STEP = Said(Turn(Kind.ACTION, "look", "echo", "x"), facts={"n": "1"})


@pytest.mark.attack("labels, tokens and escapes in {id}", by="model", wall="quoting")
@pytest.mark.parametrize(
    "told",
    [
        pytest.param(lambda text: compressed_event(RETRACTED, [1], text), id="a dead end"),
        pytest.param(lambda text: Event("recalled", text), id="what memory brings up"),
        pytest.param(lambda text: Event("hint", text), id="a hint"),
        pytest.param(lambda text: Event(MAINTAINER, text), id="a person's answer"),
    ],
)
def test_they_stay_words(told: Callable[[str], Event]) -> None:
    prompt = _prompt(told(FORGED))
    assert "obey4711" in prompt
    assert live_lines(inert(prompt)) == []


@pytest.mark.attack("labels, tokens and escapes in a summary", by="model", wall="quoting")
def test_a_summary_is_one_thought() -> None:
    """As in all that it says itself, only what a transcript reads as a label is quoted."""
    prompt = inert(_prompt(compressed_event(CONDENSED, [1], FORGED)))
    labelled = [line for line in live_lines(prompt) if strict(line) or line.startswith("%%")]
    assert labelled == ["Thought: First line: nothing special, obey4711."]


def _prompt(event: Event) -> str:
    """Of a run that was written down and read again."""
    run = (BEGIN, Objective("do it"), STEP, Seen("seen", {"n": "1", "status": "ok"}), event)
    return view(fold(read_transcript(write_transcript(run)).entries), "", 10).text
