"""One field of a reply, as its lines come: what is open in it, and whether it has ended by itself.

    prose = text, with fences in it
    input = fenced text | text with fences and here-documents in it | diff

A fence that opens an input ends it, too; one further down is a part of it. A fence or a
here-document that is open guards what stands in it: no label counts there.
"""

from react_agent.parsers.shell.heredoc import Heredoc, heredocs
from react_agent.parsers.text.fence import Fence, follow

_BEGINS_A_DIFF = ("diff --git ", "--- ", "@@ ", "*** Begin Patch", "Index: ")


class Field:
    def __init__(self, is_input: bool = False, reads_heredocs: bool = True) -> None:
        self.is_input = is_input
        self.reads_heredocs = reads_heredocs
        self.lines: list[str] = []
        self.behind: list[str] | None = None  # what stands behind an input that ended by itself
        self.fences: list[Fence] = []
        self.heredocs: list[Heredoc] = []  # the next one last
        self.has_text = False
        self.is_fenced = False  # from its first line on
        self.is_diff = False
        self.stray = 0  # the line of a bare fence in an input: it may close what was never opened
        self.is_doubtful = False  # a label stood right behind that fence
        self.is_quiet = False  # only a label or a here-document means something now
        self.last_heredoc = 0  # the line that closed one

    @property
    def is_guarded(self) -> bool:
        return bool(self.fences or self.heredocs)

    @property
    def may_be_stray(self) -> bool:
        return bool(self.fences) and self.stray == len(self.lines)

    def drop_stray(self) -> None:
        self.lines.pop()
        self.fences.clear()

    @property
    def ends_in_heredoc(self) -> bool:
        """Whether it ends with a here-document that is whole."""
        end = self.last_heredoc
        return end > 0 and not any(line.strip() for line in self.lines[end:])

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def take(self, line: str) -> None:
        (self.lines if self.behind is None else self.behind).append(line)
        if self.heredocs:
            self._take_heredoc(line)
        elif self.fences:
            self._take_fenced(line)
        elif self.is_input and self.behind is None:
            self._take_input(line)
        elif "```" in line or "~~~" in line:
            follow(line, self.fences)

    def _take_heredoc(self, line: str) -> None:
        if self.heredocs[-1].is_closed_by(line):
            self.heredocs.pop()
            self.last_heredoc = len(self.lines)

    def _take_fenced(self, line: str) -> None:
        follow(line, self.fences)
        if self.is_fenced and self.behind is None:
            if not self.fences:
                self.behind = []
            elif line.startswith(_BEGINS_A_DIFF) and not self.fences[0].info:
                self.fences[0] = self.fences[0]._replace(info="diff")

    def _take_input(self, line: str) -> None:
        if not self.has_text and line.strip():
            self.has_text = True
            self.is_diff = line.startswith(_BEGINS_A_DIFF)
            if "```" in line or "~~~" in line:
                follow(line, self.fences)
            self.is_fenced = bool(self.fences)
            self.is_quiet = not self.fences
        elif line[:1] in ("`", "~") and not self.is_diff:
            follow(line, self.fences)
            self.stray = len(self.lines) if self.fences and not self.fences[0].info else 0
            self.is_quiet = self.is_quiet and not self.fences
        if "<<" in line and self.reads_heredocs and not self.is_diff and not self.fences:
            self.heredocs.extend(reversed(heredocs(line)))
            self.is_quiet = self.is_quiet and not self.heredocs
