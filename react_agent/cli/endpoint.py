"""The command `react-agent endpoint`, which serves a model endpoint that you answer by hand."""

import queue
import sys
from typing import NoReturn

from rich.console import Console
from rich.text import Text

from react_agent.by_hand import ADDRESS, MODEL, Desk, Question, new_part, read_reply, served
from react_agent.cli.arguments import Endpoint
from react_agent.cli.options import whole
from react_agent.cli.terminal.screen import console, is_typed
from react_agent.errors import UsageError
from react_agent.tools.shell.this_process import end_like_ctrl_c

_WELCOME = """\
You are the model {model} at {url}: prompts appear here.
In another terminal:

  react-agent solve ISSUE --repo DIR --seconds 86400 \\
    --model completions/{model} --base-url {url}/v1

openai/{model} works too. Ctrl-C stops the endpoint."""
_LAST_PORT = 65_535
_BETWEEN_LOOKS = 0.2  # seconds
_PATIENCE = 3  # ends of input in a row, on a terminal
_LEFT = "the client closed the request: no reply was sent"


def command(given: Endpoint) -> None:
    port = whole("--port", given.port, _LAST_PORT, least=0)
    end_like_ctrl_c("SIGTERM", "SIGHUP")
    desk, screen = Desk(), console()
    try:
        with served(desk, port) as at:
            screen.print(_WELCOME.format(model=MODEL, url=f"http://{ADDRESS}:{at}"))
            _by_terminal(desk, screen)
    except KeyboardInterrupt:  # that is how it ends
        screen.print("\nThe endpoint has stopped.")


def _by_terminal(desk: Desk, screen: Console) -> NoReturn:
    before = ""
    while True:
        try:
            question = desk.questions.get(timeout=_BETWEEN_LOOKS)
        except queue.Empty:  # wake up, so that a Ctrl-C in another thread is noticed
            continue
        if question.is_left:
            continue
        prompt = question.prompt
        new = new_part(before, prompt)
        sizes = f"{len(prompt):,} characters"
        what = sizes if len(new) == len(prompt) else f"what is new in {sizes}"
        _rule(screen, f"prompt {question.number}: {what}")
        screen.print(new)
        _rule(screen, "your reply; end it with an empty line")
        reply = _typed(question, screen)
        if question.give(reply):
            before = prompt
        else:
            screen.print(f"({_LEFT})")


def _typed(question: Question, screen: Console) -> str:
    """Return the typed reply, or "" if the client closes the request before a line is typed."""
    for _ in range(_PATIENCE):
        while not is_typed(_BETWEEN_LOOKS):
            if question.is_left:
                return ""
        reply = read_reply(_line)
        if reply is not None:
            return reply
        if not (sys.stdin and sys.stdin.isatty()):
            break
        screen.print(
            "(nothing was typed: the prompt is still waiting, and Ctrl-C stops the endpoint)"
        )
    raise UsageError(f"standard input has ended: prompt {question.number} gets no reply")


def _line() -> str:
    """Return the next line of standard input, in any encoding, or "" at its end."""
    line = sys.stdin.buffer.readline() if sys.stdin else b""
    return line.decode(errors="replace").replace("\r\n", "\n")


def _rule(screen: Console, title: str) -> None:
    screen.print(Text(f"--- {title} ---", style="bold"))
