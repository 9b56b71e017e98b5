"""What was special about a step, and what an event left out of prompts, in a person's words."""

from collections.abc import Mapping

from react_agent.loop.steps import COMPRESSED, CONDENSED, CUT, HISTORY, SHELVED, stage_of
from react_agent.parsers.transcript.entries import Event, Facts

_HOW = {
    "alias": "a hidden name of {tool}",
    "redirect": "a hidden tool answered",
    "protocol": "a hidden tool answered",
    "demoted": "this very call rests",
    "wish": "no such tool: a wish",
    "gate": "the Conclusion was not accepted yet",
}
_LEFT_OUT: Mapping[str, str] = {
    COMPRESSED: "from here on, prompts leave out what {steps} showed",
    CUT: "from here on, prompts show the beginning and the end of what {steps} showed",
    CONDENSED: "from here on, prompts tell {steps} in short: {words}",
    SHELVED: "from here on, prompts leave out {steps}",
}


def how_answered(facts: Facts) -> str:
    """Of an Observation; empty: by a tool that is offered, called by its name."""
    return _HOW.get(facts.get("how", ""), "").format(tool=facts.get("tool") or "the tool")


def left_out(event: Event) -> str:
    """With `{steps}`, and where there is a summary `{words}`, to be filled in.

    Nothing, if it is no such event; or of a profile that shows the last steps only, always.
    """
    is_always = event.name in _LEFT_OUT and stage_of(event) == HISTORY
    return "" if is_always else _LEFT_OUT.get(event.name, "")
