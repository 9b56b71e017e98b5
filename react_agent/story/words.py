"""What was special about a step, in a person's words."""

from react_agent.parsers.entries import Facts

_HOW = {
    "alias": "a hidden name of {tool}",
    "redirect": "a hidden tool answered",
    "protocol": "a hidden tool answered",
    "demoted": "this very call rests",
    "wish": "no such tool: a wish",
    "gate": "the Conclusion was not accepted yet",
}


def how_answered(facts: Facts) -> str:
    """Of an Observation; empty: by a tool that is offered, called by its name."""
    return _HOW.get(facts.get("how", ""), "").format(tool=facts.get("tool") or "the tool")
