"""Check this machine and a model, and report findings with advice."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from react_agent.errors import ReactAgentError
from react_agent.models.call import Hosted
from react_agent.models.connection import Connection
from react_agent.models.contract import Completion, View, Why
from react_agent.models.endpoint import GGUF, Endpoint
from react_agent.models.gguf import ServedWire
from react_agent.parsers.transcript.labels import DEFAULT, OBSERVATION
from react_agent.parsers.turn.turn import Kind, parse_turn
from react_agent.tools import disk
from react_agent.tools.sandbox.sandbox import LANDLOCK, NONE
from react_agent.tools.shell import process

_SECONDS = 60.0  # for the endpoint to answer
_SECONDS_HERE = 300.0  # for this machine to do so by itself
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
_INSTALL = "install bubblewrap, and set sandbox = auto"


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
    yield Row(Mark.GOOD, "python", ".".join(map(str, sys.version_info[:3])))
    git = process.find_program("git")
    advice = "install it: apt-get install git, or brew install git"
    yield Row(Mark.GOOD, "git", git) if git else Row(Mark.BAD, "git", "missing", advice)
    try:
        name, *notes = sandbox()
    except ReactAgentError as error:
        yield Row(Mark.BAD, "sandbox", "no sandbox works", str(error))
    else:
        found, is_weak = "; ".join((name, *notes)), name in (NONE, LANDLOCK)
        mark = Mark.SO_SO if is_weak else Mark.GOOD
        yield Row(mark, "sandbox", found, _INSTALL if is_weak else "")
    try:
        disk.mkdir(cache, parents=True, exist_ok=True)
        disk.write_bytes(cache / "doctor", b"")
        disk.unlink(cache / "doctor")
    except OSError as error:
        advice = f"make {cache} writable, or set XDG_CACHE_HOME"
        yield Row(Mark.BAD, "cache", f"{cache}: {error.strerror}", advice)
    else:
        yield Row(Mark.GOOD, "cache", str(cache))


def of_key(endpoint: Endpoint) -> Row:
    """Return a row that says whether a key is set, without showing the key."""
    if endpoint.kind == GGUF:
        return Row(Mark.GOOD, "key", "created for each run")
    variable = endpoint.key_variable
    if endpoint.key:
        return Row(Mark.GOOD, "key", f"{variable} is set")
    if endpoint.is_ours:
        return Row(Mark.BAD, "key", f"{variable} is not set", f"export {variable}=...")
    return Row(Mark.SO_SO, "key", f"{variable} is not set", "fine for a server that needs no key")


def of_model(endpoint: Endpoint, line: Connection) -> Iterator[Row]:
    """Ask the model for one small step, and yield rows about its answer."""
    served = line.wire if isinstance(line.wire, ServedWire) else None
    if served:
        server = served.server
        size = f"{server.size / 1e6:,.0f} MB, loaded in {server.seconds:.1f} s"
        yield Row(Mark.GOOD, "file", f"{server.endpoint.model}: {size}")
    started = line.time.clock()
    try:
        answer = Hosted(line).complete(
            _PROBE,
            stop=(DEFAULT.write(OBSERVATION),),
            max_output=_ROOM,
            deadline=started + (_SECONDS_HERE if served else _SECONDS),
            show=lambda text: None,
        )
    except ReactAgentError as error:
        running = "is the server running, and " if endpoint.is_local else ""
        advice = f"{running}are the address, the model's name and the key right?"
        yield Row(Mark.BAD, "answer" if served else "endpoint", str(error), advice)
        return
    if not served:
        address = f"{endpoint.kind}/{endpoint.model} at {endpoint.base_url}"
        yield Row(Mark.GOOD, "endpoint", address)
    yield _answer(answer, line.time.clock() - started)
    if served:
        pace = served.pace
        prompt = pace.prompt_tokens / max(pace.prompt_seconds, 0.001)
        reply = pace.reply_tokens / max(pace.reply_seconds, 0.001)
        found = f"{prompt:,.0f} prompt tokens a second, {reply:,.1f} of reply"
        yield Row(Mark.GOOD, "speed", found)
    if not line.manner.stream:
        paid = "each reply is billed in full, including text after its step"
        yield Row(Mark.SO_SO, "stream", "no", paid)
    if window := line.manner.window:
        yield Row(Mark.GOOD, "window", f"{window:,} tokens")
    else:
        yield Row(Mark.SO_SO, "window", "unknown", "set window in the section of this model")
    yield from (Row(Mark.BAD, "prompt", note) for note in answer.notes)
    if served:
        return
    if answer.usage and answer.usage.cost is not None:
        yield Row(Mark.GOOD, "price", f"{answer.usage.cost:.6f} $ for this step")
    else:
        limits = "limits on steps, tokens and seconds still apply"
        yield Row(Mark.SO_SO, "price", "unknown", limits)


def _answer(answer: Completion, seconds: float) -> Row:
    turn = parse_turn(answer.text, tools=("list_files",), why=answer.why)
    took = f"in {seconds:.1f} s"
    if answer.why is Why.REFUSAL:
        return Row(Mark.BAD, "answer", f"refused {took}: {answer.raw_reason}", "try another model")
    if turn.kind is Kind.ACTION:
        return Row(Mark.GOOD, "answer", f"a step in the right format, {took}")
    if turn.kind is Kind.CONCLUSION:
        return Row(Mark.SO_SO, "answer", f"a conclusion instead of a step, {took}")
    advice = "a chat or instruction model follows the format better"
    return Row(Mark.SO_SO, "answer", f"{took}, but {turn.problem}", advice)
