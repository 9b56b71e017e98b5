"""Of a run: its commands, and what it reached outside of its folder."""

from collections.abc import Iterator, Sequence

from react_agent.loop.noted import COMMANDS, EMBEDDINGS, ENDPOINT, IN_CHECKOUT, ON
from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.facts import read_list
from react_agent.report.audit_run import Audited, Done
from react_agent.tools.observation import ASKED, COMMAND, EXIT, LIMIT
from react_agent.tools.registry import Kind

_KILL = "kill"  # a tool that ends commands and runs none
_FORGE = ("target", "issue", "pushed", "pull", "answered")  # events
_LIMITS = {"time": "its time limit", "left": "left some of its processes behind"}


def commands(run: Audited) -> list[Done]:
    of_commands = (Kind.RUN, Kind.TEST)
    return [
        one
        for one in run.done
        if one.step.kind in of_commands and one.step.tool and one.step.tool != _KILL
    ]


def ran(run: Audited) -> Iterator[str]:
    for one in commands(run):
        first, *others = _command(one).split("\n")
        yield f"step {one.at}: {_ended(one)}, {_took(one)}, {_sandbox(one)}: {first}"
        yield from (f"step {one.at} | {line}" for line in others)
    verdict, _, command = run.last.get("tests", "").partition(IN_CHECKOUT)
    if command:
        yield f"at the end: {verdict}: {command}"
    yield from (f"at the end, a check: {line}" for line in read_list(run.last.get("checks", "")))


def _command(one: Done) -> str:
    told = one.step.seen.facts.get(COMMAND)
    asked = one.step.said.turn.input.strip()
    return told or asked or one.step.tool


def _ended(one: Done) -> str:
    facts = one.step.seen.facts
    if EXIT in facts:
        limit = facts.get(LIMIT, "")
        return f"exit {facts[EXIT]}" + (f" ({_LIMITS.get(limit, limit)})" if limit else "")
    if "background" in facts:
        return f"in the background as {facts['background']}"
    return "not started" if COMMANDS in one.reach else "exit not recorded"


def _took(one: Done) -> str:
    seconds = one.step.seen.facts.get("seconds", "")
    return f"{seconds} s" if seconds else "time not recorded"


def _sandbox(one: Done) -> str:
    return one.reach.get("sandbox") or "sandbox not recorded"


def reached(run: Audited) -> Iterator[str]:
    yield from dict.fromkeys(_models(run))
    yield from _network(run)
    yield from _pages(run)
    yield from _forges(run)


def _models(run: Audited) -> Iterator[str]:
    """Each that was asked, in the order in which they were."""
    for reach in [*(one.reach for one in run.done), run.reach]:
        model = reach.get("model") or "not recorded"
        if reach.get(ENDPOINT):
            yield f"model: {model}, at {reach[ENDPOINT]}"
        elif ENDPOINT in reach or COMMANDS not in reach:
            yield f"model: {model}, address not recorded"
        else:
            yield f"model: {model}, no endpoint"
        if reach.get(EMBEDDINGS):
            yield f"embeddings: {reach[EMBEDDINGS]}"


def _network(run: Audited) -> Iterator[str]:
    all_of_them = commands(run)
    if not all_of_them:
        yield "commands: nothing, as none was run"
    for told in dict.fromkeys(map(_way, all_of_them)):
        which = [one for one in all_of_them if _way(one) == told]
        yield f"commands: {told}; {counted(len(which), 'command')}{_at(which)}"


def _way(one: Done) -> str:
    match one.reach.get(COMMANDS):
        case None:
            return "whether they had a network is not recorded"
        case network if network == ON:
            return f"the network was open to them ({_sandbox(one)})"
        case _:
            return f"no network, in {_sandbox(one)}"


def _at(which: Sequence[Done]) -> str:
    return f", step{'s' if len(which) > 1 else ''} {', '.join(one.at for one in which)}"


def _pages(run: Audited) -> Iterator[str]:
    pages = list(filter(None, map(_page, run.done)))
    yield from pages
    if not pages:
        yield "web: nothing"


def _page(one: Done) -> str:
    facts = one.step.seen.facts
    asked, came = facts.get(ASKED, ""), facts.get("address", "")
    if not asked and not came:
        return ""
    where = f"{asked} -> {came}" if asked and came and asked != came else asked or came
    return f"web: {where}, step {one.at}"


def _forges(run: Audited) -> Iterator[str]:
    told = ((one.event.name, one.event.text) for one in run.noted)
    found = [f"forge: {name}: {text}" for name, text in told if name in _FORGE]
    yield from found
    if not found:
        yield "forge: nothing"
