"""Replies of a real small model, read as two independent readers labelled them.

tests/data/replies.jsonl: Qwen2.5-Coder 1.5B on the bundled issues. `means` is the label: the call
or the edit that the reply asks for, its conclusion, an answer to another question than for the
next step, or nothing. Two readers labelled each row without seeing any code of ours. They differed
in five rows; a third decided those, and three more by the definition of an edit (it reads
completely) and of a tool's empty input. Where `finish` is `hung up on`, nobody wrote down why: as a
stop is counted what goes on with a further label, as a cut all else.

tests/data/lab/replies.jsonl: the same model in the lab's runs. One reader labelled these: nearly
all are one function, which is an edit if Python reads it whole. `begun` is the part of the reply
that was written for the model.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from react_agent.eval.sets.issue_set import bundled_instances
from react_agent.parsers.edits.unlabelled_edit import as_edit
from react_agent.parsers.turn.turn import Kind, Turn, parse_turn
from react_agent.profiles.profile import Profile
from react_agent.profiles.profile_file import shipped
from react_agent.profiles.toolbox import registry_for
from react_agent.tools.git.objects import Objects
from react_agent.tools.registry import Registry

ROWS = Path(__file__).parent.parent / "data"
LEAST = 400  # that differ in more than digits
BARS = {"seen": 0.97, "put aside": 0.93}
Files = Mapping[str, str]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Files]:
    """Of each issue."""
    found = dict[str, Files]()
    for one in bundled_instances(tmp_path_factory.mktemp("bundled")):
        objects = Objects(Path(one.repo) / ".git" / "objects")
        found[one.id] = {
            name: objects.read(entry.id, "blob").decode()
            for name in objects.names(one.base)
            if (entry := objects.find(one.base, name))
        }
    return found


@cache
def _offered(name: str) -> tuple[Profile, Registry]:
    profile = shipped("small" if name == "function-rewrite" else name)
    return profile, registry_for(profile)


def _read(row: Mapping[str, Any], files: Files) -> Turn:
    profile, registry = _offered(row["profile"])
    reply, why = row["reply"], {"length": "length"}.get(row["finish"])
    if begun := row.get("begun"):
        reply = f"{begun}{reply}\n```" if row["finish"] == "stop" else begun + reply
    if row["finish"] == "hung up on":
        goes_on = "Observation" in reply or reply.count("Action:") > 1
        why = "stop" if goes_on else "cut"
    turn = parse_turn(
        reply, tools=registry.names, no_argument_tools=registry.names_without_input, why=why
    )
    if turn.kind is Kind.MALFORMED and why is None:
        return as_edit(turn, reply, files, registry.visible, acts=profile.edit_without_label)
    return turn


def _is_as_labelled(row: Mapping[str, Any], turn: Turn) -> bool:
    means = row["means"]
    match means["kind"]:
        case "action":
            was_read = (turn.kind, turn.action, turn.input.strip())
            return was_read == (Kind.ACTION, means["tool"], _input(row))
        case "conclusion":
            return (turn.kind, turn.conclusion) == (Kind.CONCLUSION, _input(row))
        case "edit" if row["profile"] in ("small", "single-shot", "function-rewrite"):
            return turn.kind is Kind.ACTION and f" for {means['path']} " in turn.repairs[0]
        case _:
            return turn.kind is Kind.MALFORMED


def _input(row: Mapping[str, Any]) -> str:
    means = row["means"]
    if "input" in means:
        return str(means["input"]).strip()
    first, last = means["lines"]
    return "\n".join(row["reply"].split("\n")[first - 1 : last]).strip()


def _part(row: Mapping[str, Any]) -> str:
    """A third of the rows, by a hash, was put aside: nobody looked at how they are read."""
    number = int(hashlib.sha256(row["id"].encode()).hexdigest(), 16)
    return "put aside" if number % 3 == 0 else "seen"


def test_replies_are_read_as_they_are_meant(files: dict[str, Files]) -> None:
    recorded = [
        json.loads(line)
        for name in ("replies.jsonl", "lab/replies.jsonl")
        for line in (ROWS / name).read_text(encoding="utf-8").splitlines()
    ]
    rows = [{"profile": one.get("way"), **one} for one in recorded]
    assert len({re.sub(r"\d|\S*/\S*", "", row["reply"]) for row in rows}) >= LEAST
    asked, right, wrong = Counter[str](), Counter[str](), list[str]()
    for row in rows:
        if row["means"]["kind"] == "answer":
            continue
        turn = _read(row, files[row["issue"]])
        asked[_part(row)] += 1
        if _is_as_labelled(row, turn):
            right[_part(row)] += 1
        elif turn.kind is not Kind.MALFORMED and row["means"]["kind"] == "nothing":
            wrong.append(row["id"])
    for part in BARS:
        print(f"{part}: {right[part]} of {asked[part]} as labelled")
    assert wrong == []  # acted on, though it asks for nothing
    assert [part for part, bar in BARS.items() if right[part] / asked[part] < bar] == []
