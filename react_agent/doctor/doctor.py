"""What this machine and a model can do, each in a row: what was found, and what to do about it."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from react_agent.errors import ReactAgentError
from react_agent.models.connection import Connection
from react_agent.models.contract import Completion, View, Why
from react_agent.models.endpoint import Endpoint
from react_agent.models.hosted import Hosted
from react_agent.models.manner import Manner
from react_agent.models.price import prices_of
from react_agent.parsers.transcript.labels import DEFAULT, OBSERVATION
from react_agent.parsers.turn.turn import Kind, parse_turn
from react_agent.tools import disk
from react_agent.tools.sandbox.sandbox import LANDLOCK, NONE
from react_agent.tools.shell import process

_SECONDS = 60.0  # for the endpoint to answer
_ROOM = 400  # tokens
_PROBE = View(
    "You are given an objective, and work on it with tools, in this format:\n\n"
    "Thought: comment on what you want to do next\n"
    "Action: exactly one of [list_files]\n"
    "Action Input: the input of the tool\n"
    "Observation: what the tool returned\n\n"
    "list_files: lists the files of a folder; its input is the folder\n\n",
    "Objective: find out which files there are in the folder docs\n",
    (),
    "Thought:",
)


class Mark(StrEnum):
    GOOD = "ok"
    SO_SO = "--"
    BAD = "!!"


@dataclass(frozen=True, slots=True)
class Row:
    mark: Mark
    what: str
    found: str
    advice: str = ""


def of_machine(cache: Path, sandbox: Callable[[], tuple[str, ...]]) -> Iterator[Row]:
    git = process.find_program("git")
    version = ".".join(map(str, sys.version_info[:3]))
    yield Row(Mark.GOOD, "python", version)
    yield (
        Row(Mark.GOOD, "git", git)
        if git
        else Row(Mark.BAD, "git", "missing", "install it: apt-get install git, or brew install git")
    )
    yield _sandbox(sandbox)
    yield _writable(cache)


def _sandbox(found: Callable[[], tuple[str, ...]]) -> Row:
    try:
        name, *notes = found()
    except ReactAgentError as error:
        return Row(Mark.BAD, "sandbox", "none that works", str(error))
    said = "; ".join((name, *notes))
    if name in (NONE, LANDLOCK):
        return Row(Mark.SO_SO, "sandbox", said, "install bubblewrap, and let sandbox be auto")
    return Row(Mark.GOOD, "sandbox", said)


def _writable(cache: Path) -> Row:
    try:
        disk.mkdir(cache, parents=True, exist_ok=True)
        probe = cache / "doctor"
        disk.touch(probe)
        disk.unlink(probe)
    except OSError as error:
        advice = f"make {cache} writable, or set XDG_CACHE_HOME"
        return Row(Mark.BAD, "cache", f"{cache}: {error.strerror}", advice)
    return Row(Mark.GOOD, "cache", str(cache))


def of_key(endpoint: Endpoint) -> Row:
    """Whether there is one; never what it is."""
    variable = endpoint.key_variable
    if endpoint.key:
        return Row(Mark.GOOD, "key", f"{variable} is set")
    if endpoint.is_ours:
        return Row(Mark.BAD, "key", f"{variable} is not set", f"export {variable}=...")
    return Row(Mark.SO_SO, "key", f"{variable} is not set", "fine for a server that wants none")


def of_model(endpoint: Endpoint, line: Connection) -> Iterator[Row]:
    """Asks it for one small step, and says what the answer showed."""
    yield Row(Mark.GOOD, "endpoint", f"{endpoint.kind}/{endpoint.model} at {endpoint.base_url}")
    clock = line.time.clock
    started = clock()
    try:
        answer = Hosted(line).complete(
            _PROBE,
            stop=(DEFAULT.write(OBSERVATION),),
            max_output=_ROOM,
            deadline=started + _SECONDS,
            show=lambda text: None,
        )
    except ReactAgentError as error:
        yield Row(Mark.BAD, "answer", str(error), _advice(endpoint))
        return
    yield _answer(answer, clock() - started)
    yield from _learned(line.manner, answer)
    yield _price(endpoint)


def _advice(endpoint: Endpoint) -> str:
    where = "is the server running, and is" if endpoint.is_local else "is"
    return f"{where} the address, the model's name and the key right?"


def _answer(answer: Completion, seconds: float) -> Row:
    turn = parse_turn(answer.text, tools=("list_files",), why=answer.why)
    took = f"in {seconds:.1f} s"
    if answer.why is Why.REFUSAL:
        return Row(Mark.BAD, "answer", f"refused {took}: {answer.raw_reason}", "try another model")
    if turn.kind is Kind.ACTION:
        return Row(Mark.GOOD, "answer", f"a step in our format, {took}")
    if turn.kind is Kind.CONCLUSION:
        return Row(Mark.SO_SO, "answer", f"a conclusion instead of a step, {took}")
    advice = "a model for chat or instructions follows the format better"
    return Row(Mark.SO_SO, "answer", f"{took}, but {turn.problem}", advice)


def _learned(manner: Manner, answer: Completion) -> Iterator[Row]:
    by_us = "cut by us as it streams: " + ("not sent" if not manner.stop else "sent, not kept")
    by_it = answer.why is Why.STOP and answer.raw_reason
    yield Row(Mark.GOOD, "stop", "kept by the endpoint" if by_it else by_us)
    yield (
        Row(Mark.GOOD, "stream", "yes")
        if manner.stream
        else Row(
            Mark.SO_SO, "stream", "no", "a reply is paid for to its end, whatever it goes on to say"
        )
    )
    yield Row(Mark.GOOD, "prefill", "used" if manner.prefill else "not used")
    yield (
        Row(Mark.GOOD, "window", f"{manner.window:,} tokens")
        if manner.window
        else Row(Mark.SO_SO, "window", "not told", "set window in the section of this model")
    )
    yield Row(Mark.GOOD, "caching", _cached(manner, answer))
    counted = answer.usage is not None and not answer.usage.is_estimate
    yield Row(Mark.GOOD, "tokens", "counted by the endpoint" if counted else "estimated by us")
    yield from (Row(Mark.BAD, "prompt", note) for note in answer.notes)


def _cached(manner: Manner, answer: Completion) -> str:
    usage = answer.usage
    if usage and (usage.cached or usage.written):
        return f"{usage.cached:,} tokens read from it, {usage.written:,} written"
    return "what stays of a prompt is marked, or found by itself" if manner.cache else "none"


def _price(endpoint: Endpoint) -> Row:
    prices = prices_of(endpoint.model, endpoint.base_url)
    if prices is None:
        limits = "budgets of steps, tokens and seconds count all the same"
        return Row(Mark.SO_SO, "price", "unknown", limits)
    found = (
        f"input {prices.input:g}, cached {prices.cached:g}, written {prices.written:g}, "
        f"output {prices.output:g} $ per million tokens"
    )
    return Row(Mark.GOOD, "price", found)
