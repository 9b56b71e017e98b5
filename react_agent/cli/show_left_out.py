"""What an event left out of the prompts that came after it, in a sentence."""

from collections.abc import Mapping

from react_agent.parsers.entries import Event
from react_agent.parsers.facts import read_facts
from react_agent.steps import COMPRESSED, CONDENSED, CUT, HISTORY, SHELVED, reason_in, stage_of

_SENTENCES: Mapping[str, str] = {
    COMPRESSED: "from here on, prompts leave out what {steps} showed",
    CUT: "from here on, prompts show the beginning and the end of what {steps} showed",
    CONDENSED: "from here on, prompts tell {steps} in short: {words}",
    SHELVED: "from here on, prompts leave out {steps}",
}


def left_out(event: Event) -> str:
    """Nothing, if it is no such event; or of a profile that shows the last steps only, always."""
    if event.name not in _SENTENCES or stage_of(event) == HISTORY:
        return ""
    numbers = read_facts(event.text.partition(" | ")[0]).get("steps", "")
    steps = f"step {numbers}" if numbers.isdecimal() else f"steps {numbers.replace(',', ', ')}"
    return _SENTENCES[event.name].format(steps=steps, words=reason_in(event.text))
