"""The command `react-agent chat`: a conversation in a terminal or over standard input."""

import re
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from react_agent.cli.arguments import Chat, SendRun
from react_agent.cli.deliver import send_run
from react_agent.cli.main import INTERRUPTED
from react_agent.cli.options import Running
from react_agent.cli.running import (
    other_spec,
    print_rows,
    print_summary,
    spec,
    tell_uncommitted,
    watched,
)
from react_agent.cli.terminal.paint import painted_diff
from react_agent.cli.terminal.screen import Screen, redraws
from react_agent.cli.terminal.streams import complain
from react_agent.errors import ReactAgentError, UsageError
from react_agent.issue_to_pr.issue import Issue
from react_agent.models.endpoint import model_name, spelled
from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.entries import Event, Objective
from react_agent.profiles.profile_file import Wanted
from react_agent.profiles.toolbox import profile_for
from react_agent.runs.commands import Surroundings
from react_agent.runs.report import Outcome
from react_agent.runs.run_folder import find
from react_agent.runs.run_setup import Request, check_header
from react_agent.runs.solve import Conversation
from react_agent.state.state import Stop, fold
from react_agent.state.steps import MAINTAINER
from react_agent.state.transcript import read
from react_agent.tools.git.repository import find_base, tracked

_COMMAND = re.compile(r"/[a-z]*(?!\S)")
_WELCOME = "Say what you want. /help lists the commands, Alt-Enter begins a new line."
_OF_TESTS = ("tests", "to test")  # rows of the summary


@dataclass(slots=True)
class Talk:
    talking: Conversation
    screen: Screen
    repository: Path
    code: int = 0  # of the last answer, or of the last line that failed
    is_over: bool = False
    is_terminal: bool = False
    said: list[str] = field(default_factory=list)

    def take(self, line: str) -> None:
        """Run a command, or send the line to the model. An error is printed on one line."""
        try:
            if _COMMAND.match(line):
                name, _, rest = line.partition(" ")
                if name not in COMMANDS:
                    raise UsageError(f"no command {name}: /help lists them")
                COMMANDS[name][1](self, rest.strip())
            elif line:
                self.answer(lambda: self.talking.say(line))
        except ReactAgentError as error:
            self.code = complain(str(error), error.exit_code)
        except KeyboardInterrupt:
            if not self.is_terminal:
                raise
            self.talking.close()
            self.screen.say("interrupted")

    def answer(self, work: Callable[[], Stop]) -> None:
        with self.screen.live():
            stop = work()
        is_interrupted = stop is Stop.INTERRUPTED
        self.code = INTERRUPTED if is_interrupted else int(stop is not Stop.CONCLUDED)
        self.is_over |= is_interrupted and not self.is_terminal

    def show_diff(self, rest: str) -> None:
        patch = self.talking.patch().decode(errors="replace")
        for row in painted_diff(patch):
            self.screen.console.print(row)
        if not patch:
            self.screen.say("nothing is changed")

    def undo(self, rest: str) -> None:
        gone = self.talking.undo()
        self.screen.say(f"{counted(len(gone), 'step')} undone: the files are as before")

    def test(self, rest: str) -> None:
        print_summary(self._finish(publish=False), self.screen.console, _OF_TESTS)

    def make_branch(self, rest: str) -> None:
        rows = ("branch", "dropped", *_OF_TESTS)
        print_summary(self._finish(publish=True), self.screen.console, rows)

    def send(self, rest: str) -> None:
        if not self.talking.state.result.get("branch"):
            self.make_branch("")
        self.talking.close()
        assert self.talking.folder is not None
        if self.talking.state.result.get("branch"):
            try:
                send_run(SendRun(self.talking.folder.path.name))
            finally:
                self.hear_signals()  # the command has set its own handlers

    def use_model(self, rest: str) -> None:
        if not rest:
            now = self.talking.request.model or self.talking.state.header["model"]
            raise UsageError(f"/model NAME; the model is {now}")
        self.talking.use(spelled(rest))
        self.screen.say(f"the model is now {rest}")

    def leave(self, rest: str) -> None:
        self.is_over = True

    def help(self, rest: str) -> None:
        for name, (about, _) in COMMANDS.items():
            self.screen.say(f"  {name:<8} {about}")

    def _finish(self, *, publish: bool) -> Outcome:
        self.screen.say("running the tests in a fresh checkout")
        with self.screen.live():
            return self.talking.finish(publish=publish)

    def hear_signals(self) -> None:
        """End the conversation at these signals, except those that are ignored, as under nohup."""
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self.end)

    def end(self, number: int, frame: FrameType | None) -> None:
        self.is_over = True
        raise KeyboardInterrupt

    def words(self, before: str) -> Iterable[str]:
        """Return completions for a line: commands, models, or files."""
        if before.startswith("/") and " " not in before:
            return list(COMMANDS)
        if before.startswith("/model "):
            return list(self.talking.around.settings.models)
        return tracked(self.repository)

    def close(self) -> None:
        self.talking.close()
        if self.talking.folder is None:
            return
        folder, state = self.talking.folder, self.talking.state
        name = folder.path.name
        how = "/branch" if state.is_complete else f"/branch, or react-agent resume {name}"
        made = state.result.get("branch") or f"none yet: {how}"
        rows = [("transcript", str(folder.transcript)), ("to go on", f"react-agent chat {name}")]
        print_rows([("branch", made), *rows] if state.tree else rows, self.screen.console)


COMMANDS: Mapping[str, tuple[str, Callable[[Talk, str], None]]] = {
    "/diff": ("show the change so far", Talk.show_diff),
    "/undo": ("undo everything since your last line, file changes included", Talk.undo),
    "/test": ("run the project's tests on the change", Talk.test),
    "/model": ("NAME: use another model from now on", Talk.use_model),
    "/branch": ("run the tests, and make a branch of the change", Talk.make_branch),
    "/pr": ("make the branch, and open or update its pull request", Talk.send),
    "/help": ("list these commands", Talk.help),
    "/quit": ("quit, as Ctrl-D does; you can continue the conversation later", Talk.leave),
}


def command(given: Chat, running: Running) -> int:
    screen, around = watched(running)
    with closing(around):
        talk = _begun(given, running, screen, around)
        talk.hear_signals()
        try:
            if talk.talking.is_broken_off():
                talk.answer(talk.talking.finish_answer)
            for line in _lines(talk):
                talk.take(line.strip())
                if talk.is_over:
                    break
        finally:
            talk.close()
    return talk.code


def _begun(given: Chat, running: Running, screen: Screen, around: Surroundings) -> Talk:
    folder, said, repository = None, list[str](), given.repo
    if given.run:
        if given.profile or repository != Path():
            option = "--profile" if given.profile else "--repo"
            raise UsageError(f"{option} is for a new conversation: a run keeps its own")
        folder = find(around.runs, given.run)
        entries = read(folder.transcript).entries
        screen.counted = fold(entries)
        check_header(screen.counted, folder)
        if screen.counted.procedure:
            raise UsageError("this run followed a procedure, so you can't chat with it")
        said = [
            one.text
            for one in entries
            if isinstance(one, Objective) or (isinstance(one, Event) and one.name == MAINTAINER)
        ]
        repository, model = Path(screen.counted.header["repository"]), other_spec(running)
    else:
        model, settings = spec(running, around), around.settings
        wanted = Wanted(given.profile or settings.profile, model_name(model, settings.models))
        profile_for(wanted, settings)  # it would only be read with the first line
        around.open_model(model)
    base = find_base(repository)
    issue, profile = Issue("", ""), given.profile or ""
    request = Request(issue, repository, "HEAD", model or "", running.budget, profile=profile)
    talking = Conversation(request, around, folder)
    if not folder:
        tell_uncommitted(base.repository, screen)
    if folder and model:
        talking.use(model)
    is_terminal = bool(redraws(screen.console) and sys.stdin and sys.stdin.isatty())
    return Talk(talking, screen, base.repository, said=said, is_terminal=is_terminal)


def _lines(talk: Talk) -> Iterator[str]:
    """Yield the user's lines, from the terminal or from standard input."""
    if not talk.is_terminal:
        lines = sys.stdin.buffer if sys.stdin else []
        yield from (line.decode(errors="replace") for line in lines)
        return
    from react_agent.cli.terminal.line_editor import editor  # its library takes time to import

    ask, keyboard = editor(talk.said, talk.words), talk.screen.keyboard
    talk.screen.say(_WELCOME)
    while True:
        typed = "\n".join((*keyboard.lines, keyboard.typed))
        keyboard.lines.clear()
        keyboard.typed = ""
        try:
            yield ask(typed)
        except KeyboardInterrupt:
            if talk.is_over:
                return
            talk.screen.say("Ctrl-D or /quit ends the conversation")
        except EOFError:
            return
