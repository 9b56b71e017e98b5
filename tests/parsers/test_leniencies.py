"""The table of the leniencies of turn/: with one switched off, what made us want it is misread.

Evidence is a recorded reply, by the beginning of its id (tests/data/replies.jsonl), or a scenario
(tests/scenarios/turns), behind who wants it: REQUIREMENTS F2, issue 23, DESIGN 4.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from turn_rows import FILES, Case, parse_cases

from react_agent.parsers.transcript import labels
from react_agent.parsers.turn import action, automaton, reply, special, tool_name, turn
from react_agent.parsers.turn.turn import Turn, parse_turn
from react_agent.profiles.profile_file import shipped
from react_agent.profiles.toolbox import registry_for

CASES = {
    f"{path.stem[:2]} {case.name}": case
    for path in FILES
    for case in parse_cases(path.name, path.read_text(encoding="utf-8"))
}
ROWS = Path(__file__).parents[1] / "data" / "replies.jsonl"
REPLIES = {one["id"]: one for one in map(json.loads, ROWS.read_text(encoding="utf-8").splitlines())}
NO_PATTERN = re.compile("(?!)")


def refused(*_: object) -> NoReturn:
    raise action.Refused("")


def row(leniency: str, where: object, name: str, instead: object, *evidence: str) -> Any:
    return pytest.param(where, name, instead, evidence, id=leniency)


LENIENCIES = [
    row("a label in another case, bold, numbered, with a full-width colon",
        labels, "_decorated", lambda *_, **__: None,
        "21dc0604b7", "F2: 01 items of a numbered list"),
    row("an indented reply", automaton, "_DEEPEST", 0,
        "issue 23: 15 all of it indented, with a result"),
    row("a fence around the reply", automaton.Reading, "_may_open_block", property(lambda _: False),
        "F2: 09 a reply in a fence, and an Observation behind it"),
    row("a fence around the input, text after it", action, "opening_fence", lambda _: None,
        "dedffe355d", "42ec9aaa5a", "3dfaa013c9"),
    row("a closing fence that nothing opened", automaton.Field, "ends_in_stray",
        property(lambda _: False), "afe6103c65", "a9aaa20465"),
    row("a name in another case or with other joints", tool_name, "folded", str,
        "F2: 07 another case"),
    row("words beside the name", tool_name, "_with_words", lambda *_: None,
        "d9e34d44de", "e28e84ba52", "cf5b25e216", "2b17e8775b"),
    row("arguments in brackets beside the name", tool_name, "_called", lambda *_: None,
        "issue 23: 07 a call with a string"),
    row("no input, or words for none, where none is needed", action, "_NOTHING", frozenset(),
        "887822e3e1", "de593305af", "8f77aed252"),
    row("no label for the input", action, "_with_below", refused,
        "F2: 09 no label for the input, but a fence"),
    row("labels on one line", turn._Verdict, "parted", lambda *_: "",
        "cb5c63b603", "d04383af8f", "7faef1c5cd"),
    row("`Action: None`, or a sentence, before a conclusion", automaton, "names_none",
        lambda _: False, "issue 23: 14 a sentence as the action, and a conclusion"),
    row("a label that is cut off, what is left of a stop", special, "_SHORTEST_REMNANT", 999,
        "DESIGN 4: 08 the beginning of a stop as the last line"),
    row("text after a JSON value", action, "_is_value", lambda _: False,
        "issue 23: 14 an object, and an invented result on its line"),
    row("quotes around an input of one line", action, "unquoted", str,
        "F2: 08 double quotes around an input"),
    row("the prompt repeated after a conclusion", turn, "_PROMPT_ENDS", "\0",
        "29dea114fe", "7a1b4a1e12"),
    row("reasoning in tags", reply, "_TAG", NO_PATTERN,
        "F2: 06 a block of reasoning before the reply"),
    row("special tokens", special, "_HEADED", NO_PATTERN, "DESIGN 4: 10 a token behind the name"),
    row("a call in another format", turn, "find_call", lambda *_: None,
        "issue 23: 09 an object with action and action_input"),
    row("what follows the first action is dropped", automaton.Reading, "fits", lambda *_: True,
        "fe7ddbcbda", "e90ee9fa93", "867ab91051"),
]  # fmt: skip


def read(evidence: str) -> Turn:
    case: Case | None = CASES.get(evidence.partition(": ")[2])
    if case:
        return case.turn
    one = next(REPLIES[name] for name in REPLIES if name.startswith(evidence))
    profile = "small" if one["profile"] == "function-rewrite" else one["profile"]
    registry = registry_for(shipped(profile))
    why = {"length": "length"}.get(one["finish"])
    return parse_turn(
        one["reply"], tools=registry.names, no_argument_tools=registry.names_without_input, why=why
    )


def decided(evidence: tuple[str, ...]) -> Iterator[Turn]:
    return (read(one)._replace(repairs=(), problem="", truncated=False) for one in evidence)


@pytest.mark.parametrize(("where", "name", "instead", "evidence"), LENIENCIES)
def test_what_made_us_want_it_is_misread_without_it(
    where: object, name: str, instead: object, evidence: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    told = list(decided(evidence))
    monkeypatch.setattr(where, name, instead)
    pairs = zip(evidence, told, decided(evidence), strict=True)
    assert [one for one, with_it, without in pairs if with_it == without] == []
