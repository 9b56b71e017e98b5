"""Describe each event in one line, for the terminal, the web page and other reports of a run.

This module also defines the names of events that only an audit reads.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import NamedTuple

from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import read_facts, read_numbers, write_numbers
from react_agent.state.findings import BACK, DEMOTE, HINT, OPEN, STOP, STUCK
from react_agent.state.state import ASKED, LOST, MCP, OVERFLOW
from react_agent.state.steps import (
    COMPRESSED,
    CONDENSED,
    CUT,
    HISTORY,
    RETRACTED,
    SHELVED,
    reason_in,
    stage_of,
)

REACH = "reach"  # what the run can reach outside of its folder
ENDPOINT, EMBEDDINGS, COMMANDS, WEB = "endpoint", "embeddings", "commands", "web"  # facts of it
OFF, ON = "off", "on"  # the network of commands, as far as their sandbox goes
WROTE = "wrote"  # a fact of a step, and an event at the end: files, and lines that came and went
COMMIT = "commit"  # the commit of the branch
SPENT = "spent"  # an event at the end: steps and what they cost
ENTERED, JUDGED = "entered", "judged"  # between the turns of a procedure

_MOST = 10_000  # steps that an event may name
_STEPS = "{steps}"
PATTERNS: Mapping[str, str] = {  # of a stuck run
    "again": "the same call with the same result",
    "reworded": "a failing call, worded differently",
    "cycle": "the same calls in a cycle, with the same results",
    "failing": "tests that keep failing, edit after edit",
    "thoughts": "thoughts without an action",
}
_ANSWERS: Mapping[str, str] = {
    HINT: "a hint",
    DEMOTE: "this call is paused",
    BACK: "going back, if it is clear where to",
    STOP: "the run ends",
}


class Sentence(NamedTuple):
    before: str
    steps: tuple[int, ...] = ()  # empty if it names none
    behind: str = ""
    quote: str = ""  # what the model or a person wrote, at its end

    def __str__(self) -> str:
        numbers = write_numbers(self.steps).replace(",", ", ")
        return "".join((self.before, steps_word(self.steps), numbers, self.behind, self.quote))


def steps_word(steps: tuple[int, ...]) -> str:
    return ("step " if len(steps) == 1 else "steps ") if steps else ""


def sentence(event: Event) -> Sentence | None:
    """Return a sentence that describes an event, or None for routine removals and for costs."""
    if event.name == LOST:
        return None
    if event.name in _ABOUT_STEPS:
        words = _ABOUT_STEPS[event.name]
        if stage_of(event) == HISTORY:
            return None
        before, _, behind = words.partition(_STEPS)
        facts, quote = read_facts(event.text.partition(" | ")[0]), reason_in(event.text)
        behind = behind if quote or not behind.endswith(": ") else behind.removesuffix(": ")
        return Sentence(before, read_numbers(facts.get("steps", ""), _MOST), behind, quote)
    if event.name in _FROM_FACTS:
        facts = defaultdict(str, {"in": "0", "out": "0"} | read_facts(event.text))
        return Sentence(_FROM_FACTS[event.name].format_map(facts))
    said = _SENTENCES.get(event.name)
    return Sentence(said(event.text) if said else f"{event.name}: {event.text}".strip(": "))


_ABOUT_STEPS: Mapping[str, str] = {
    COMPRESSED: "from here on, prompts leave out what {steps} showed",
    CUT: "from here on, prompts show the beginning and the end of what {steps} showed",
    CONDENSED: "from here on, prompts summarise {steps}: ",
    SHELVED: "from here on, prompts leave out {steps}",
    RETRACTED: "{steps} taken back: ",
}


def _stuck(text: str) -> str:
    facts = read_facts(text)
    what, answer = PATTERNS.get(facts.get("pattern", "")), _ANSWERS.get(facts.get("answer", ""))
    if what is None or answer is None:
        return f"{STUCK}: {text}"
    return f"{STUCK}: {what}, steps {facts.get('steps', '')}: {answer}"


def _overflow(text: str) -> str:
    size = read_facts(text).get("prompt", "")
    return f"the prompt did not fit{f': {size} tokens' if size else ''}"


_FROM_FACTS: Mapping[str, str] = {
    "demote": "this call of {tool} is blocked until step {until}",
    ASKED: "a model was asked to {for}: {in} tokens in, {out} out",
    ENTERED: "state {state}",
    JUDGED: "judged: {state} → {to}, by {by}",
    MCP: "the tool {tool} of an MCP server",
}
_SENTENCES: Mapping[str, Callable[[str], str]] = {
    STUCK: _stuck,
    OVERFLOW: _overflow,
    OPEN: lambda text: f"open at the Conclusion: {text.partition(' ')[2]}",
    "recalled": lambda text: f"from memory: {text}",
    "resumed": lambda text: f"resumed: {text}".removesuffix(": "),
}
