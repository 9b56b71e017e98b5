"""Whether a block of shell lines is one command.

command = line (continuation line | here-document)*       a line goes on with "\\", an operator at
                                                           its end, or an open quote
Lines of comment and empty ones between commands do not count; `$ ` before the command goes.
"""

from dataclasses import dataclass, field

from react_agent.parsers.shell.heredoc import Heredoc, heredocs
from react_agent.parsers.turn.other_formats.shape import Asked, Known, Refused

SHELLS = ("bash", "sh", "shell", "console", "zsh", "shell-session", "terminal")
_TOOLS = ("bash", "shell", "sh", "terminal", "execute_bash", "run_command")
RUN = "run"
_PROMPT = "$ "
_SEVERAL = "more than one command: write them as an input"
_GOES_ON = ("&&", "||", "|")


def read_commands(lines: list[str], shell: str, known: Known) -> Asked | Refused:
    found = _Commands()
    for line in lines:
        found.take(line)
    if found.is_open:
        return Refused("its command is not closed", truncated=True)
    if found.count != 1:
        return Refused(_SEVERAL if found.count else "no command")
    name = next(filter(known, (RUN, shell, *_TOOLS)), "")
    return Asked(name, "\n".join(found.kept)) if name else Refused("no tool takes commands")


@dataclass(slots=True)
class _Commands:
    kept: list[str] = field(default_factory=list)
    count: int = 0
    quote: str = ""
    goes_on: bool = False
    heredocs: list[Heredoc] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        return bool(self.quote or self.goes_on or self.heredocs)

    def take(self, line: str) -> None:
        if self.heredocs:
            self._take_text(line)
            return
        begins = not self.is_open
        if begins and (not line.strip() or line.lstrip().startswith("#")):
            return
        self.count += begins
        self.kept.append(line.removeprefix(_PROMPT) if self.count == 1 and begins else line)
        self._follow(self.kept[-1])

    def _take_text(self, line: str) -> None:
        self.kept.append(line)
        if self.heredocs[0].is_closed_by(line):
            del self.heredocs[0]

    def _follow(self, line: str) -> None:
        was_quoted = bool(self.quote)
        code = self._unquoted(line)
        self.goes_on = not self.quote and code.rstrip(" ").endswith(_GOES_ON)
        self.goes_on = self.goes_on or (not self.quote and _is_escaped_end(line))
        if not was_quoted and not self.quote:
            self.heredocs = list(heredocs(line))

    def _unquoted(self, line: str) -> str:
        """What stands outside of quotes; which quote stays open is kept."""
        code = list[str]()
        escaped = False
        for character in line:
            if escaped or (character == "\\" and self.quote != "'"):
                escaped = not escaped
            elif self.quote:
                self.quote = "" if character == self.quote else self.quote
                code.append("'")
            elif character in "'\"":
                self.quote = character
            elif character == "#" and (not code or code[-1].isspace()):
                break
            else:
                code.append(character)
        return "".join(code)


def _is_escaped_end(line: str) -> bool:
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1
