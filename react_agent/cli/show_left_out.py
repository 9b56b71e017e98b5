"""What an event left out of the prompts that came after it, in a sentence."""

from react_agent.loop.steps import reason_in
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import read_facts
from react_agent.runs import history


def left_out(event: Event) -> str:
    """Nothing, if it is no such event."""
    sentence = history.left_out(event)
    numbers = read_facts(event.text.partition(" | ")[0]).get("steps", "")
    steps = f"step {numbers}" if numbers.isdecimal() else f"steps {numbers.replace(',', ', ')}"
    return sentence.format(steps=steps, words=reason_in(event.text))
